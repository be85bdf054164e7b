"""Every kind of column test as its query, answered by DuckDB."""

import duckdb
import pytest

from smelt.analysis.analyze import analyze
from smelt.project.load import load_project
from smelt.project.model import ColumnTest, Project, Target
from smelt.run.column_tests import can_run, query
from smelt.run.rules import column_test_failed
from smelt.run.schedule import TestStep
from smelt.run.tests import run_test, run_tests
from tests.run.projects import FakeWarehouse, address
from tests.state.clocks import FakeClock

SMELT_YML = "name: shop\ntargets:\n  dev: {type: duckdb, database: dev.duckdb, schema: s}\ndefault_target: dev\n"
TARGET = Target("dev", schema="s")


@pytest.fixture
def project() -> Project:
    return load_project(
        {
            "smelt.yml": SMELT_YML,
            "models/a.sql": "SELECT 1 AS one",
            "models/b/c.sql": '---\nname: "odd ""name"\n---\nSELECT 1 AS one'.replace('""', '\\"'),
            "models/sources/t.yml": "name: raw.t\ncolumns: [{name: one, type: INTEGER}]\n",
            "models/sources/f.yml": "files: data/f.csv\ncolumns: [{name: one, type: INTEGER}]\n",
        },
        seeds=["models/seed.csv"],
        environment={},
    )


def breaking(project: Project, test: ColumnTest, values: str, *others: str) -> list[object]:
    """The values that break a test of column ``x y`` of model ``a`` with these rows."""
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA s; CREATE SCHEMA raw")
        connection.execute(f'CREATE TABLE s.a AS SELECT * FROM (VALUES {values}) AS t("x y")')
        for other in others:
            connection.execute(other)
        return [row[0] for row in connection.execute(query(project, TARGET, address("a"), test)).fetchall()]


@pytest.mark.parametrize(
    ("test", "values", "expected"),
    [
        (ColumnTest("not_null", "x y"), "(1), (NULL), (NULL)", [None, None]),
        (ColumnTest("unique", "x y"), "(1), (2), (2), (NULL), (NULL)", [2]),
        (ColumnTest("accepted_values", "x y", values=("1", "2")), "(1), (3), (NULL)", [3]),
        (ColumnTest("accepted_values", "x y", values=("it's",)), "('it''s'), ('its')", ["its"]),
        (ColumnTest("accepted_values", "x y", values=("1.5",)), "(1.50), (1.51)", [pytest.approx(1.51)]),
        (ColumnTest("accepted_values", "x y", values=("true",)), "(true), (false)", [False]),
        (ColumnTest("accepted_values", "x y"), "(1), (NULL)", [1]),
    ],
)
def test_the_rows_that_break_it(project: Project, test: ColumnTest, values: str, expected: list[object]) -> None:
    found = breaking(project, test, values)
    assert [float(one) if hasattr(one, "as_tuple") else one for one in found] == expected


@pytest.mark.parametrize(
    ("to", "table"),
    [("b.c", 's."odd ""name"'), ("smelt.b.c", 's."odd ""name"'), ("seed", "s.seed"), ("sources.t", "raw.t")],
)
def test_partners_are_found_where_they_are_built(project: Project, to: str, table: str) -> None:
    test = ColumnTest("relationships", "x y", to=to, field="one")
    assert can_run(project, test)
    assert breaking(project, test, "(1), (2), (NULL)", f"CREATE TABLE {table} AS SELECT 1 AS one") == [2]


def test_a_partner_in_files_is_said_to_be_for_later(project: Project) -> None:
    test = ColumnTest("relationships", "one", to="sources.f", field="one")
    assert not can_run(project, test)
    warehouse = FakeWarehouse()
    found = run_test(analyze(project), TARGET, warehouse, TestStep("a:x", address("a"), test), 5)
    assert found is not None
    assert "not available yet" in found.message
    assert warehouse.queries == []


@pytest.mark.parametrize(
    ("test", "count", "rows", "message"),
    [
        (ColumnTest("not_null", "x"), 1, ((None,),), "1 row with no value for `x` in m"),
        (ColumnTest("unique", "x"), 2, ((7,), (8,)), "2 values with a repeated `x` in m: 7, 8"),
        (ColumnTest("accepted_values", "x"), 3, (), "3 rows with a `x` outside the accepted values in m"),
        (ColumnTest("relationships", "x", to="t"), 1, ((7,),), "1 row with a `x` without a partner in t in m: 7"),
    ],
)
def test_the_message_counts_and_shows(
    test: ColumnTest, count: int, rows: tuple[tuple[object, ...], ...], message: str
) -> None:
    assert column_test_failed.failure("m", test, count, rows).message == message


def test_smelt_test_runs_them_all_and_closes() -> None:
    project = load_project(
        {
            "smelt.yml": SMELT_YML,
            "models/a.sql": "---\ncolumns:\n  - name: one\n    tests: [unique, not_null]\n---\nSELECT 1 AS one",
        },
        environment={},
    )
    warehouse = FakeWarehouse(rows=lambda sql: (1, ((1,),)) if "HAVING" in sql else (0, ()))
    heard: list[str] = []
    ended = run_tests(
        analyze(project),
        TARGET,
        project.order,
        5,
        lambda: warehouse,
        lambda one: heard.append(one.name),
        FakeClock(),
    )
    assert [(one.name, one.record.outcome) for one in ended] == [
        ("a:unique:one", "failed"),
        ("a:not_null:one", "success"),
    ]
    assert heard == [one.name for one in ended]
    assert warehouse.closed == 1
