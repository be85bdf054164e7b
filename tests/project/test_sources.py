"""Sources and sidecars: what they may say, and one exact finding for each fault."""

from datetime import timedelta

import pytest

from smelt.project.model import Address, Granularity, MutationProfile, Source, SourceColumn, Timeseries
from tests.project.loading import bound, load, mended, only, shown

FILE = "models/sources/s.yml"
ADDRESS = Address(("sources", "s"))
COLUMNS = "columns: [{name: at, type: TIMESTAMP}, {name: day, type: DATE}]\n"
BOUND = f"name: main.s\n{COLUMNS}"


def read(text: str) -> Source:
    project = load({FILE: bound(text)})
    assert project.diagnostics == ()
    return project.sources[ADDRESS]


def test_every_key_is_read() -> None:
    found = read("""\
description: d
name: main.changes
mutation_profile: {kind: append_only, redelivery: none, retention: 90 days}
timeseries: {event_time_column: AT, partition_column: day, granularity: month}
columns:
  - {name: at, type: TIMESTAMP, nullable: false, description: x}
  - {name: day, type: DATE}
  - {name: gone, type: BOOLEAN, expression: "op = 'd'"}
""")
    assert found == Source(
        ADDRESS,
        found.marks,
        (
            SourceColumn("at", "TIMESTAMP", False, None, "x"),
            SourceColumn("day", "DATE"),
            SourceColumn("gone", "BOOLEAN", True, "op = 'd'"),
        ),
        "main.changes",
        mutation_profile=MutationProfile("append_only", "none", timedelta(days=90)),
        timeseries=Timeseries("AT", "day", Granularity.MONTH),
        description="d",
    )


@pytest.mark.parametrize("kind", ["append_only", "mutable_snapshot", "change_feed"])
def test_a_profile_is_short_or_long(kind: str) -> None:
    assert read(f"mutation_profile: {kind}").mutation_profile == MutationProfile(kind)  # type: ignore[arg-type]
    assert read(f"mutation_profile: {{kind: {kind}}}").mutation_profile == MutationProfile(kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "age"),
    [
        ("36 hours", timedelta(hours=36)),
        ("1 day", timedelta(days=1)),
        ("2 weeks", timedelta(days=14)),
        ("3 months", timedelta(days=90)),
        ("1 year", timedelta(days=365)),
    ],
)
def test_retention(written: str, age: timedelta) -> None:
    profile = read(f"mutation_profile: {{kind: append_only, retention: {written}}}").mutation_profile
    assert profile is not None
    assert profile.retention == age


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        ("nme: x", "UnknownKey", "nme", "`name`"),
        ("contract: {}", "UnknownKey", "contract", "known keys"),
        ("mutation_profile: apend_only", "InvalidValue", "apend_only", "`append_only`"),
        ("mutation_profile: [append_only]", "InvalidValue", "[append_only]", "one of append_only"),
        ("mutation_profile: {redelivery: none}", "MissingKey", "mutation_profile", "`kind:`"),
        ("mutation_profile: {kind: append_only, redelivry: none}", "UnknownKey", "redelivry", "`redelivery`"),
        ("mutation_profile: {kind: append_only, retention: 90}", "InvalidValue", "90", "a text"),
        ("mutation_profile: {kind: append_only, retention: soon}", "InvalidValue", "soon", "such as 90 days"),
        ("columns: {id: INTEGER}", "InvalidValue", "{id: INTEGER}", "a list"),
        ("columns: [{name: a, type: INTEGER, nullable: no}]", "InvalidValue", "no", "true or false"),
        ("columns: [{name: a, typ: INTEGER}]", "UnknownKey", "typ", "`type`"),
        ("columns: [{name: a}]", "MissingKey", "{name: a}", "`type:`"),
        ("columns: [{name: a, type: INTEGR}]", "UnknownType", "INTEGR", "`INTEGER`"),
        ("columns: [{name: a, type: 'STRUCT(x INTEGR)'}]", "UnknownType", "'STRUCT(x INTEGR)'", ""),
        ("columns: [{name: ä, type: DATE}, {name: Ä, type: DATE}, {name: A, type: DATE}]", "", "", ""),
        ("columns: [{name: a, type: DATE}, {name: A, type: DATE}]", "DuplicateColumn", "A", "upper and lower"),
        ("name: a\nfiles: b.csv", "SourceDataConflict", "files", "keep one"),
        (
            COLUMNS + "timeseries: {event_time_column: att, partition_column: day, granularity: day}",
            "UnknownTimeseriesColumn",
            "att",
            "`at`",
        ),
        (
            COLUMNS + "timeseries: {event_time_column: At, partition_column: landed, granularity: day}",
            "UnknownTimeseriesColumn",
            "landed",
            "declare `landed`",
        ),
        ("- 1", "YamlSyntax", "- 1", ""),
    ],
)
def test_one_fault_is_one_finding_at_its_place(text: str, code: str, place: str, words: str) -> None:
    project = load({FILE: bound(text)})
    assert shown(project) == ([(code, FILE, place)] if code else [])
    assert all(words in one.help for one in project.diagnostics)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("description: d\n" + COLUMNS, "description"),
        ("\n# of nobody\ncolumns: [{name: a, type: DATE}]", "columns"),
        ("# nothing yet", "# nothing yet"),
        ("", ""),
        ("contract: {}", "contract"),
    ],
)
def test_a_source_that_is_nowhere_is_found_at_its_first_key(text: str, place: str) -> None:
    project = load({FILE: text})
    assert [found for found in shown(project) if found[0] != "UnknownKey"] == [("SourceUnbound", FILE, place)]
    assert list(project.sources) == [ADDRESS]


@pytest.mark.parametrize("text", ["name: main.s", "files: s.csv", "nme: main.s", "file: s.csv"])
def test_a_source_that_is_somewhere_or_is_misspelled_is_not_nowhere(text: str) -> None:
    assert "SourceUnbound" not in {code for code, *_ in shown(load({FILE: text}))}


@pytest.mark.parametrize(
    "text",
    [
        "mutation_profile: apend_only",
        "columns: [{name: a, type: DOUBEL}]",
        COLUMNS + "timeseries: {event_time_column: att, partition_column: day, granularity: day}",
        COLUMNS + "timeseries: {event_time_column: at, partition_column: day, granularity: dya}",
    ],
)
def test_a_fact_is_only_mended_on_demand(text: str) -> None:
    project = load({FILE: bound(text)})
    assert [fix.safe for fix in only(project).fixes] == [False]
    assert load(mended(project, only(project))).diagnostics == ()


def test_an_unknown_key_leaves_the_source_usable_and_a_wrong_fact_does_not() -> None:
    model = {"models/m.sql": "SELECT at FROM smelt.sources.s"}
    beside = load({FILE: BOUND + "descripton: x\n", **model})
    assert [one.address for one in beside.models[Address(("m",))].references] == [ADDRESS]
    wrong = load({FILE: BOUND + "mutation_profile: apend_only\n", **model})
    assert wrong.sources == {}
    assert wrong.models[Address(("m",))].references == ()
    assert shown(wrong) == [("InvalidValue", FILE, "apend_only")]


def test_a_sidecar_makes_its_seed_a_source() -> None:
    files = {"models/ref/c.yml": "columns: [{name: id, type: INTEGER}]", "models/ref/d.yaml": "name: ref_d"}
    project = load(files, seeds=["models/ref/c.csv", "models/ref/d.csv", "models/ref/e.CSV"])
    assert project.diagnostics == ()
    c, d, e = (Address(("ref", name)) for name in "cde")
    assert sorted(project.seeds) == [c, d, e]
    assert sorted(project.sources) == [c, d]
    assert project.sources[c].seed_file == "models/ref/c.csv"
    assert project.seeds[c].source is project.sources[c]
    assert (project.seeds[c].relation, project.seeds[d].relation) == (None, "ref_d")
    assert project.seeds[e].source is None


def test_a_sidecar_does_not_say_where_the_rows_are() -> None:
    project = load({"models/c.yml": "files: x.csv"}, seeds=["models/c.csv"])
    assert shown(project) == [("SourceDataConflict", "models/c.yml", "files")]
    assert "models/c.csv" in only(project).message


def test_a_seed_with_a_broken_sidecar_is_left_out_in_silence_elsewhere() -> None:
    files = {"models/c.yml": "columns: 5", "models/m.sql": "SELECT 1 AS one FROM smelt.c"}
    project = load(files, seeds=["models/c.csv"])
    assert project.seeds == {}
    assert shown(project) == [("InvalidValue", "models/c.yml", "5")]


def test_dollars_in_a_source_are_no_variables() -> None:
    found = read("columns: [{name: a, type: BOOLEAN, expression: \"regexp_matches(b, '^x$$') -- ${NOPE}\"}]")
    assert found.columns[0].expression == "regexp_matches(b, '^x$$') -- ${NOPE}"
