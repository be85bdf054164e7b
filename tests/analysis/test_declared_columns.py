"""What the frontmatter says of columns is held against the columns that there are."""

import pytest

from smelt.analysis.analyze import analyze
from smelt.analysis.model import Analysis
from smelt.engines.binder import DuckDBBinder
from smelt.project.model import Address
from smelt.text.edits import apply_edits
from tests.project.loading import SETUP, load

SOURCE = """name: raw.changes
mutation_profile: append_only
timeseries: {event_time_column: ts, partition_column: landed, granularity: day}
columns:
  - {name: id, type: INTEGER, nullable: false}
  - {name: ts, type: TIMESTAMP, nullable: false}
  - {name: plan, type: VARCHAR}
  - {name: landed, type: DATE, nullable: false}
"""
HISTORY = """SELECT id, ts AS since, LEAD(ts) OVER (PARTITION BY id ORDER BY ts) AS until
FROM smelt.changes
"""
FILES = {"models/changes.yml": SOURCE, "models/plans.sql": "SELECT DISTINCT plan FROM smelt.changes"}


def judged(declared: str, sql: str = "SELECT id, plan FROM smelt.changes", **more: str) -> Analysis:
    files = {**FILES, "models/m.sql": f"---\n{declared}\n---\n{sql}", **more}
    return analyze(load(files), DuckDBBinder())


def shown(analysis: Analysis) -> list[tuple[str, str, str]]:
    texts = analysis.project.texts
    return [
        (one.message, one.location.file, one.location.span.of(texts[one.location.file]))
        for one in analysis.diagnostics
        if one.code.name == "UnknownDeclaredColumn"
    ]


@pytest.mark.parametrize(
    ("declared", "message", "place"),
    [
        ("columns: [{name: plann, tests: [not_null]}]", "m has no column `plann`", "plann"),
        ("columns: [{name: ID}, {name: level, description: of nothing}]", "m has no column `level`", "level"),
        (
            "columns: [{name: plan, tests: [unique, {relationships: {to: plans, field: plna}}]}]",
            "plans has no column `plna`",
            "plna",
        ),
        (
            "columns: [{name: plan, tests: [{accepted_values: [a], "
            "relationships: {to: smelt.changes, field: 'x y'}}]}]",
            "changes has no column `x y`",
            "'x y'",
        ),
        (
            "columns: [{name: plan, tests: [{relationships: {to: m, field: plan}}, "
            "{relationships: {to: m, field: valid}}]}]",
            "m has no column `valid`",
            "valid",
        ),
    ],
)
def test_a_column_that_is_not_there(declared: str, message: str, place: str) -> None:
    analysis = judged(declared)
    assert shown(analysis) == [(message, "models/m.sql", place)]
    assert analysis.models[Address(("m",))].kind == "refused"


@pytest.mark.parametrize(
    ("declared", "sql"),
    [
        ("columns: [{name: Plan, tests: [{relationships: {to: PLANS, field: PLAN}}]}]", "FROM smelt.changes"),
        ("columns: [{name: gone, tests: [{relationships: {to: m, field: gone}}]}]", "SELECT FROM WHERE"),
        ("columns: [{name: gone}]", "SELECT nothing FROM smelt.changes"),
        ("columns: [{name: id, tests: [{relationships: {to: seed, field: any}}]}]", "SELECT id FROM smelt.changes"),
    ],
)
def test_what_is_there_and_what_nobody_knows_is_no_finding(declared: str, sql: str) -> None:
    project = load({**FILES, "models/m.sql": f"---\n{declared}\n---\n{sql}"}, seeds=["models/seed.csv"])
    assert shown(analyze(project, DuckDBBinder())) == []


def test_a_column_of_a_maintained_model() -> None:
    declared = "refresh: incremental\ncolumns: [{name: sinec, tests: [not_null]}]"
    reader = {"models/reader.sql": "SELECT since FROM smelt.m"}
    analysis = judged(declared, HISTORY, **reader)
    assert shown(analysis) == [("m has no column `sinec`", "models/m.sql", "sinec")]
    assert [one.code.name for one in analysis.diagnostics] == ["UnknownDeclaredColumn"]
    (found,) = analysis.diagnostics
    assert "did you mean `since`" in found.help
    (fix,) = found.fixes
    assert fix.safe
    texts = dict(analysis.project.texts)
    after = apply_edits(texts["models/m.sql"], [edit.edit for edit in fix.edits])
    assert analyze(load({**texts, "models/m.sql": after}), DuckDBBinder()).diagnostics == ()


def test_what_smelt_yml_says_of_a_model_is_found_there() -> None:
    setup = SETUP + "models:\n  plans: {tags: [a]}\n  smelt.M: {columns: [{name: plan}, {name: pln}]}\n"
    files = {**FILES, "smelt.yml": setup, "models/m.sql": "SELECT plan FROM smelt.changes"}
    assert shown(analyze(load(files), DuckDBBinder())) == [("m has no column `pln`", "smelt.yml", "pln")]
