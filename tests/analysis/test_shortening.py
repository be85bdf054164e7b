"""A binder that is asked again about an edited model asks about less, and answers as one that is asked afresh."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from smelt.analysis.binding import Binding
from smelt.engines import binder as asking
from smelt.engines.binder import DuckDBBinder
from smelt.project.load import load_project
from smelt.project.model import Address

OTHER = "columns: [{name: id, type: VARCHAR}, {name: name, type: VARCHAR}, {name: x, type: DATE}]\n"
SOURCE = "columns: [{name: id, type: INTEGER}, {name: name, type: VARCHAR}, {name: ts, type: TIMESTAMP}]\n"
ITEMS = (
    "id + 1 AS x",
    "name AS x",
    "x AS y",
    "x + 1 AS z",
    "upper(x) AS u",
    "upper(name) AS name",
    "name || 'a' AS joined",
    "id",
    "t.id AS own",
    "*",
    "* EXCLUDE (id)",
    "COLUMNS('i.*')",
    "max(id) AS top",
    "count(*) AS n",
    "max(id) OVER w AS widest",
    "lag(ts) OVER (ORDER BY ts) AS before",
    "(SELECT max(id) FROM smelt.raw) AS most",
    "unnest([id, 1]) AS one",
    "id * 2.5 AS scaled",
    "CASE WHEN id > 1 THEN 'a' ELSE 'b' END AS size",
    "date_trunc('day', ts) AS day",
    "date_trunc('day', name) AS wrong",
    "nothing AS none",
    "$1 AS given",
    "? AS asked",
    "now() AS moment",
    "no_such(id) AS called",
    '"Name" AS quoted',
    "x.y AS deep",
)
TAILS = (
    "",
    "WHERE id > 1",
    "WHERE x > 1",
    "QUALIFY row_number() OVER (ORDER BY x) = 1",
    "QUALIFY id > 1",
    "WINDOW w AS (PARTITION BY name) QUALIFY y = 1",
    "GROUP BY ALL",
    "GROUP BY 1",
    "ORDER BY 2",
    "ORDER BY y",
    "LIMIT 3",
)
FROMS = ("smelt.raw AS t", "smelt.raw", "smelt.raw AS name", "smelt.other AS t")
ENDS = tuple(f"FROM {read}\n{tail}" for read in FROMS for tail in TAILS)
EDITS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from((None, *ITEMS)), st.one_of(st.none(), st.sampled_from(ENDS))),
    min_size=1,
    max_size=6,
)


def text_of(items: list[str], end: str) -> str:
    return f"SELECT\n    {', '.join(items)}\n{end}\n"


def told(binder: DuckDBBinder, text: str) -> Binding | None:
    files = {"smelt.yml": "name: p\n", "models/raw.yml": SOURCE, "models/other.yml": OTHER, "models/m.sql": text}
    return binder.bind(load_project(files, environment={}), {}).get(Address(("m",)))


@settings(max_examples=80)
@given(st.permutations(ITEMS).map(lambda items: items[:5]), st.sampled_from(ENDS), EDITS)
@example(["id + 1 AS x", "x + 1 AS z"], ENDS[0], [(2, "id", None), (0, "name AS x", None)])
@example(["id + 1 AS x", "x + 1 AS z"], ENDS[0], [(2, "id", None), (0, "id + 1 AS other", None)])
@example(["id AS a", "name AS b"], ENDS[0], [(2, "ts", None), (0, "max(id) AS a", None)])
@example(["id AS a", "name AS b"], ENDS[0], [(2, "ts", None), (2, "ts", "FROM smelt.raw AS t GROUP BY 1")])
@example(["t.id AS a", "name AS b"], ENDS[0], [(2, "ts", None), (2, "ts", "FROM smelt.raw AS u")])
def test_it_answers_as_if_it_was_never_asked_before(
    first: list[str], end: str, edits: list[tuple[int, str | None, str | None]]
) -> None:
    items = [*first]
    kept = DuckDBBinder()
    told(kept, text_of(items, end))
    for at, item, new_end in edits:
        end = end if new_end is None else new_end
        if item is None:
            items = items[1:] if len(items) > 1 else items
        elif at < len(items):
            items[at] = item
        else:
            items.append(item)
        fresh = DuckDBBinder()
        assert told(kept, text_of(items, end)) == told(fresh, text_of(items, end))
        fresh.close()
    kept.close()


def test_only_what_an_edit_touches_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    describe = DuckDBBinder._describe

    def counted(self: DuckDBBinder, sent: asking.Statement) -> object:
        asked.append(sent.text)
        return describe(self, sent)

    monkeypatch.setattr(DuckDBBinder, "_describe", counted)
    many = [f"id + {number} AS n_{number}" for number in range(20)]
    binder = DuckDBBinder()
    for items in (many, [*many, "id AS a"]):
        told(binder, text_of(items, ENDS[0]))
    asked.clear()
    answer = told(binder, text_of([*many, "name AS a"], ENDS[0]))
    binder.close()
    assert answer is not None
    assert answer.columns is not None
    assert [column.type for column in answer.columns] == [*["INTEGER"] * 20, "VARCHAR"]
    assert [text.count("NULL") for text in asked] == [20]
