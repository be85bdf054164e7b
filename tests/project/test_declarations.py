"""A model's frontmatter: what it may say, what wins, and one exact finding for each fault."""

from datetime import date

import pytest

from smelt.project.model import Address, ColumnTest, Frontmatter, Granularity, Refresh, Timeseries
from tests.project.loading import SETUP, load, mended, only, shown

FILE = "models/m.sql"


def model(frontmatter: str) -> dict[str, str]:
    return {FILE: f"---\n{frontmatter}\n---\nSELECT 1 AS one\n"}


def declared(frontmatter: str, setup: str = SETUP) -> Frontmatter:
    project = load({"smelt.yml": setup, **model(frontmatter)})
    assert project.diagnostics == ()
    return project.models[Address(("m",))].frontmatter


def test_every_key_is_read() -> None:
    text = """\
refresh: incremental
materialization: table
grain: key
unique_key: id
timeseries: {event_time_column: at, partition_column: day, granularity: week, week_start: sunday}
tags: [core, no]
description: d
owner: ann
name: other
target: dev
start: 2024-01-31
columns:
  - name: id
    description: the key
    tests: [not_null, unique, {accepted_values: [1, a, true]}, {relationships: {to: smelt.M, field: one}}]"""
    found = declared(text)
    assert found.columns[0].tests == (
        ColumnTest("not_null", "id"),
        ColumnTest("unique", "id"),
        ColumnTest("accepted_values", "id", values=("1", "a", "true")),
        ColumnTest("relationships", "id", to="m", field="one"),
    )
    assert found == Frontmatter(
        refresh=Refresh.INCREMENTAL,
        materialization="table",
        grain="key",
        unique_key=("id",),
        timeseries=Timeseries("at", "day", Granularity.WEEK, "sunday"),
        tags=("core", "no"),
        description="d",
        owner="ann",
        name="other",
        target="dev",
        start=date(2024, 1, 31),
        columns=found.columns,
    )


@pytest.mark.parametrize(
    ("frontmatter", "setup", "materialization"),
    [
        ("", SETUP, "view"),
        ("", SETUP + "default_materialization: table\n", "table"),
        ("refresh: incremental", SETUP, "table"),
        ("materialization: view", SETUP + "default_materialization: table\n", "view"),
        ("", SETUP + "models: {m: {materialization: table}}\n", "table"),
        ("materialization: view", SETUP + "models: {m: {materialization: table}}\n", "view"),
    ],
)
def test_materialization(frontmatter: str, setup: str, materialization: str) -> None:
    assert declared(frontmatter, setup).materialization == materialization


def test_an_override_holds_for_what_the_frontmatter_leaves_open() -> None:
    setup = SETUP + "models: {smelt.M: {owner: ann, tags: core, name: a}}\n"
    found = declared("owner: bob\nname: b", setup)
    assert (found.owner, found.tags, found.name) == ("bob", ("core",), "b")


@pytest.mark.parametrize(
    ("frontmatter", "code", "place", "words"),
    [
        ("refesh: full", "UnknownKey", "refesh", "did you mean `refresh`?"),
        ("contract: {}", "UnknownKey", "contract", "known keys: "),
        ("Refresh: full", "UnknownKey", "Refresh", "`refresh`"),
        ("refresh: incremntal", "InvalidValue", "incremntal", "did you mean `incremental`?"),
        ("refresh: view", "InvalidValue", "view", "`materialization: view`"),
        ("materialization: incremental", "InvalidValue", "incremental", "`refresh: incremental`"),
        ("refresh: 5", "InvalidValue", "5", "one of full, incremental or materialized_view"),
        ("refresh:", "InvalidValue", "", "one of full"),
        ("tags: 5", "InvalidValue", "5", "a list"),
        ("tags: [a, 5]", "InvalidValue", "5", "a text"),
        ("tags: ['']", "InvalidValue", "''", "not empty"),
        ("description: [x]", "InvalidValue", "[x]", "a text"),
        ("start: yesterday", "InvalidValue", "yesterday", "such as 2024-01-31"),
        ("start: 2024-02-31", "InvalidValue", "2024-02-31", "such as 2024-01-31"),
        ("start: 20240101", "InvalidValue", "20240101", "such as 2024-01-31"),
        ("timeseries: daily", "InvalidValue", "daily", "a mapping"),
        ("columns: [one]", "InvalidValue", "one", "a mapping"),
        ("columns: [{description: d}]", "MissingKey", "{description: d}", "add `name:`"),
        ("columns: [{nam: id}]", "UnknownKey", "nam", "`name`"),
        ("columns: [{name: a, tests: [uniqe]}]", "InvalidValue", "uniqe", "`unique`"),
        ("columns: [{name: a, tests: [{unique: true}]}]", "UnknownKey", "unique", "accepted_values"),
        ("columns: [{name: a, tests: [{accepted_value: [1]}]}]", "UnknownKey", "accepted_value", "`accepted_values`"),
        ("columns: [{name: a, tests: [{relationships: {to: m}}]}]", "MissingKey", "relationships", "add `field:`"),
        (
            "columns: [{name: a, tests: [{relationships: {to: smelt.n, field: x}}]}]",
            "UnknownReference",
            "smelt.n",
            "`smelt list`",
        ),
        ("columns: [{name: a}, {name: A}]", "DuplicateColumn", "A", "upper and lower case"),
        ("timeseries: {event_time_column: a, partition_column: b, granularity: dya}", "InvalidValue", "dya", "`day`"),
        ("refresh: materialized_view", "MaterializedViewUnsupported", "materialized_view", "`refresh: incremental`"),
        ("refresh: incremental\nmaterialization: view", "RefreshViewConflict", "view", "`materialization: table`"),
        ("target: prod", "UnknownTarget", "prod", "known targets: dev"),
        ("name: _SMELT_x", "ReservedRelationName", "_SMELT_x", "_smelt_"),
        ("name: x__tombstones", "ReservedRelationName", "x__tombstones", "__tombstones"),
    ],
)
def test_one_fault_is_one_finding_at_its_place(frontmatter: str, code: str, place: str, words: str) -> None:
    project = load(model(frontmatter))
    assert shown(project) == [(code, FILE, place)]
    assert words in only(project).help


def test_all_faults_at_once() -> None:
    project = load(model("owner: 5\nrefesh: full\ntags: 1\ncolumns: [{nme: a}]"))
    assert [(code, text) for code, _, text in shown(project)] == [
        ("InvalidValue", "5"),
        ("UnknownKey", "refesh"),
        ("InvalidValue", "1"),
        ("UnknownKey", "nme"),
    ]


@pytest.mark.parametrize(
    "frontmatter", ["refesh: incremental", "refresh: incremntal", "columns: [{nam: id}]", "target: deev"]
)
def test_a_typing_error_is_mended_by_a_safe_fix(frontmatter: str) -> None:
    project = load(model(frontmatter))
    assert [fix.safe for fix in only(project).fixes] == [True]
    assert load(mended(project, only(project))).diagnostics == ()


def test_a_key_that_is_there_already_was_not_meant() -> None:
    project = load(model("refresh: full\nrefesh: full"))
    assert only(project).fixes == ()
    assert "`refresh`" not in only(project).help


def test_the_healthy_keys_count_beside_a_broken_one() -> None:
    found = load(model("refesh: full\ntags: 5\nowner: ann\nname: other")).models[Address(("m",))].frontmatter
    assert (found.owner, found.name, found.tags) == ("ann", "other", ())


@pytest.mark.parametrize("fault", ["unique_key: 5", "timeseries: {granularity: day}", "grain: 7", "materialization: 1"])
def test_how_a_model_is_kept_is_never_read_by_halves(fault: str) -> None:
    """With one declaration unreadable, ``incremental`` alone would ask for another grain."""
    found = load(model(f"refresh: incremental\n{fault}\nowner: ann")).models[Address(("m",))].frontmatter
    assert (found.refresh, found.unique_key, found.timeseries, found.owner) == (Refresh.FULL, (), None, "ann")


@pytest.mark.parametrize(
    ("override", "code", "place"),
    [
        ("refresh: materialized_view", "MaterializedViewUnsupported", "materialized_view"),
        ("refresh: incremental, materialization: view", "RefreshViewConflict", "view"),
        ("target: prod", "UnknownTarget", "prod"),
        ("columns: [{name: a}, {name: A}]", "DuplicateColumn", "A"),
        ("columns: [{name: a, tests: [{relationships: {to: x, field: x}}]}]", "UnknownReference", "x"),
    ],
)
def test_what_an_override_brings_is_told_where_it_stands(override: str, code: str, place: str) -> None:
    project = load({"smelt.yml": SETUP + f"models: {{m: {{{override}}}}}\n", **model("")})
    assert shown(project) == [(code, "smelt.yml", place)]


def test_the_frontmatter_wins_over_a_wrong_override() -> None:
    setup = SETUP + "models: {m: {refresh: materialized_view}}\n"
    assert load({"smelt.yml": setup, **model("refresh: full")}).diagnostics == ()


def test_an_override_of_nothing_and_a_second_one() -> None:
    setup = SETUP + "models: {mm: {owner: a}, m: {owner: b}, smelt.m: {owner: c}}\n"
    project = load({"smelt.yml": setup, **model("")})
    assert shown(project) == [("UnknownReference", "smelt.yml", "mm"), ("YamlDuplicateKey", "smelt.yml", "smelt.m")]
    assert project.models[Address(("m",))].frontmatter.owner == "b"
    assert project.diagnostics[0].message == "`mm` is no model of this project"
    assert project.diagnostics[0].fixes[0].safe
