"""A project checked again: whatever changed, the findings are those of a first look, and only what changed is read."""

import hashlib
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from smelt.analysis.analyze import analyze
from smelt.analysis.incremental import Checked, Record, Texts, check
from smelt.analysis.records import decode, encode
from smelt.diagnostics.model import Diagnostic
from smelt.engines.binder import DuckDBBinder
from smelt.project.load import load_project

SETUP = "name: shop\ntargets:\n  dev: {type: duckdb, database: target/dev.duckdb}\n"
SOURCE = """name: raw.changes
mutation_profile: append_only
timeseries: {event_time_column: ts, partition_column: landed, granularity: day}
columns:
  - {name: id, type: INTEGER, nullable: false}
  - {name: ts, type: TIMESTAMP, nullable: false}
  - {name: plan, type: VARCHAR}
  - {name: landed, type: DATE, nullable: false}
"""
HISTORY = """---
refresh: incremental
---
SELECT id, plan, ts AS since, LEAD(ts) OVER w AS until
FROM smelt.changes
WINDOW w AS (PARTITION BY id ORDER BY ts)
"""
POOL: Mapping[str, tuple[str | None, ...]] = {
    "smelt.yml": (SETUP, SETUP + "models:\n  top: {tags: [a]}\n"),
    "models/changes.yml": (
        SOURCE,
        SOURCE.replace("plan, type: VARCHAR", "plan, type: INTEGER"),
        SOURCE.replace("landed, type: DATE, nullable: false", "landed, type: DATE"),
        SOURCE.replace("columns:", "colums:"),
        SOURCE + '  - {name: late, type: BOOLEAN, expression: "random() > 0.5"}\n',
        None,
    ),
    "models/history.sql": (
        HISTORY,
        HISTORY.replace("id, plan, ts", "id, ts"),
        HISTORY.replace("LEAD(ts)", "LEAD(ts, 2)"),
        HISTORY.replace("---\nSELECT", "name: gone\n---\nSELECT"),
        HISTORY.replace("smelt.changes", "smelt.chnges"),
        None,
    ),
    "models/current.sql": (
        "SELECT id, upper(plan) AS plan FROM smelt.history WHERE until IS NULL",
        "SELECT id, plan + 1 AS plan FROM smelt.history",
        "SELECT id, plan FROM smelt.history -- only a comment differs",
        "SELECT id, plan FROM smelt.top",
        "SELECT id, FROM WHERE",
        "",
        None,
    ),
    "models/top.sql": (
        "SELECT id, length(plan) AS n FROM smelt.current",
        "---\nname: gone\n---\nSELECT id FROM smelt.current JOIN smelt.names USING (id)",
        "---\ntarget: nowhere\ncolumns:\n  - {name: id, tests: [{relationships: {to: smelt.curent, field: id}}]}\n---\n"
        "SELECT id FROM smelt.current",
        "---\ncolumns:\n  - {name: id, tests: [{relationships: {to: smelt.current, field: id}}]}\n---\n"
        "SELECT id FROM smelt.history",
        "---\ncolumns:\n  - {name: id, tests: [{relationships: {to: smelt.current, field: plan}}]}\n---\n"
        "SELECT id FROM smelt.history",
        "---\ncolumns:\n  - {name: n, tests: [unique, {relationships: {to: smelt.changes, field: late}}]}\n---\n"
        "SELECT id FROM smelt.names",
        None,
    ),
    "models/TOP.sql": (None, None, None, "SELECT 1 AS id"),
    "models/current.yml": (None, None, None, "columns:\n  - {name: id, type: INTEGER}\n"),
    "models/names.yml": (None, "columns:\n  - {name: id, type: INTEGER}\n  - {name: plan, type: VARCHAR}\n"),
}
SEEDS = ("models/names.csv",)
STATES = st.fixed_dictionaries({path: st.sampled_from(pool) for path, pool in POOL.items()})
EDITS = st.lists(
    st.sampled_from(sorted(POOL)).flatmap(lambda path: st.tuples(st.just(path), st.sampled_from(POOL[path]))),
    min_size=1,
    max_size=4,
)


class Lazy(dict[str, str]):
    """Texts that count how often each is asked for."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__(texts)
        self.asked: list[str] = []

    def __getitem__(self, path: str) -> str:
        self.asked.append(path)
        return super().__getitem__(path)


def texts_of(files: Mapping[str, str]) -> Texts:
    digests = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
    return Texts(Lazy(files), digests, SEEDS, {}, {})


def present(state: Mapping[str, str | None]) -> dict[str, str]:
    return {path: text for path, text in state.items() if text is not None}


def first_look(files: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    binder = DuckDBBinder()
    try:
        return analyze(load_project(files, seeds=SEEDS, environment={}), binder).diagnostics
    finally:
        binder.close()


def look(files: Mapping[str, str], earlier: Mapping[str, Record]) -> Checked:
    binder = DuckDBBinder()
    try:
        return check(texts_of(files), earlier, binder)
    finally:
        binder.close()


@given(STATES, st.lists(EDITS, min_size=1, max_size=4))
@settings(max_examples=60)
def test_it_finds_what_a_first_look_finds(
    state: dict[str, str | None], steps: list[list[tuple[str, str | None]]]
) -> None:
    state = dict(state)
    records: Mapping[str, Record] = {}
    for edits in [[], *steps]:
        setup = state["smelt.yml"]
        state.update(edits)
        files = present(state)
        done = look(files, records if state["smelt.yml"] == setup else {})
        assert done.diagnostics == first_look(files)
        assert done.files >= {one.location.file for one in done.diagnostics}
        records = decode(encode(done.records))
        assert records == done.records


def plain() -> dict[str, str]:
    files = present({path: pool[0] for path, pool in POOL.items()})
    return {**files, **{f"models/other_{at}.sql": f"SELECT id + {at} AS id FROM smelt.names" for at in range(12)}}


def test_nothing_is_read_where_nothing_changed() -> None:
    files = plain()
    done = look(files, look(files, {}).records)
    assert done.read == {"smelt.yml"}


def test_one_edit_reads_one_model_and_its_source() -> None:
    files = plain()
    records = look(files, {}).records
    files["models/history.sql"] = files["models/history.sql"].replace("LEAD", "lead")
    done = look(files, records)
    assert done.read == {"smelt.yml", "models/history.sql", "models/changes.yml"}


def test_a_source_of_a_models_address_comes_and_goes() -> None:
    files = plain()
    files["models/history.sql"] = files["models/history.sql"].replace("smelt.changes", "smelt.chnges")
    files["models/top.sql"] = "SELECT plan FROM smelt.history"
    records = look(files, {}).records
    for declared in ({"models/history.yml": "columns:\n  - {name: id, type: INTEGER}\n"}, {}):
        done = look({**files, **declared}, records)
        assert done.diagnostics == first_look({**files, **declared})
        records = done.records


def test_a_reader_is_judged_again_only_when_it_sees_a_difference() -> None:
    files = plain()
    records = look(files, {}).records
    files["models/history.sql"] = files["models/history.sql"].replace("plan, ts", "plan || '!' AS plan, ts")
    same = look(files, records)
    assert "models/current.sql" not in same.read
    files["models/history.sql"] = files["models/history.sql"].replace("plan || '!' AS plan", "plan, id + 1 AS further")
    other = look(files, same.records)
    assert "models/current.sql" in other.read
    assert "models/top.sql" not in other.read
