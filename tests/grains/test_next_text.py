"""A model judged after an earlier text of it: what was proven of its items then saves time and changes nothing."""

from collections.abc import Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from smelt.facts.locality import Gap, Names, gaps
from smelt.grains.succession import layout
from smelt.grains.succession.candidate import Candidate, Output
from smelt.grains.succession.layout import candidate
from smelt.grains.succession.proven import NOTHING_PROVEN, Proven
from smelt.project.load import load_project
from smelt.project.model import Address, Model, Project
from smelt.sql.model import Expr, Query
from smelt.text.spans import Span
from tests.grains.test_refuses_the_unproven import LEAD, SOURCE

ITEMS = (
    "n + 1 AS x",
    "region AS x",
    "x AS y",
    "x || tier AS z",
    "x + 1 AS n",
    "upper(tier) AS x",
    "upper(tier)",
    "t.tier",
    "t",
    "list_transform(xs, lambda n: n + 1) AS ys",
    "list_transform(xs, lambda k: k + n) AS ys",
    "tier AS k",
    "k",
    "n = n AT TIME ZONE 'UTC' AS same",
    "other_ts AT TIME ZONE zone AS local",
    "CAST(x AS TIMETZ) AT TIME ZONE 'UTC' AS at",
    "region AS zone",
    "now() AS at",
    "(SELECT 1) AS x",
    "no_such AS x",
    "* EXCLUDE (tier)",
    "* REPLACE (upper(tier) AS tier)",
    "* REPLACE (now() AS tier)",
    "other_ts - valid_to AS x",
    f"{LEAD} AS valid_to",
    f"coalesce({LEAD}, other_ts) AS until",
)
FRAME = "---\nrefresh: incremental\n---\nSELECT customer_id, effective_ts, {items} FROM smelt.sources.s {alias}"
SOURCES = (SOURCE, SOURCE.replace("{name: n,             type: INTEGER}", "{name: n, type: TIME WITH TIME ZONE}"))
ALIASES = ("AS t", "AS tier", "")
EDITS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(ITEMS), st.sampled_from(ALIASES), st.sampled_from(SOURCES)),
    min_size=1,
    max_size=8,
)


def read(items: Iterable[str], alias: str, source: str) -> tuple[Model, Project]:
    text = FRAME.format(items=", ".join((*items, f"{LEAD} AS closed")), alias=alias)
    files = {"smelt.yml": "name: p\n", "models/sources/s.yml": source, "models/m.sql": text + " QUALIFY NOT is_deleted"}
    project = load_project(files, environment={})
    return project.models[Address(("m",))], project


def laid_out(model: Model, project: Project, earlier: Proven) -> Candidate:
    assert model.parsed.query is not None
    return candidate(model, project, model.parsed.query, earlier)


@settings(max_examples=100)
@given(st.permutations(ITEMS).map(lambda items: items[:6]), EDITS)
@example(["list_transform(xs, lambda k: k + n) AS ys", "n AS a"], [(1, "tier AS k", "AS t", SOURCE)])
@example(["t.tier", "n AS a"], [(1, "n AS t", "", SOURCE)])
def test_the_meaning_is_that_of_a_fresh_look(first: list[str], edits: list[tuple[int, str, str, str]]) -> None:
    items = [*first]
    earlier = laid_out(*read(items, "AS t", SOURCE), NOTHING_PROVEN).row_local
    for at, item, alias, source in edits:
        items[at % len(items)] = item
        text = read(items, alias, source)
        found, fresh = laid_out(*text, earlier), laid_out(*text, NOTHING_PROVEN)
        assert [told_of(one) for one in found.outputs] == [told_of(one) for one in fresh.outputs]
        earlier = found.row_local


def told_of(output: Output) -> tuple[object, ...]:
    return output.name, output.formula, output.lost, output.unexpanded, output.by_star, output.derived


def test_an_item_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []

    def counted(query: Query, expr: Expr, names: Names, ignore: Iterable[Span] = ()) -> tuple[Gap, ...]:
        looked_at.append(query.text_of(expr))
        return gaps(query, expr, names, ignore)

    monkeypatch.setattr(layout, "gaps", counted)
    first = laid_out(*read(["upper(tier) AS x", "n + 1 AS y"], "", SOURCE), NOTHING_PROVEN)
    looked_at.clear()
    laid_out(*read(["now() AS z", "n + 1 AS moved", "upper(tier) AS x"], "", SOURCE), first.row_local)
    assert looked_at == ["now()", LEAD]
