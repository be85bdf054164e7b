"""What DuckDB makes of queries over stub tables, and where its answers point."""

import re
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pytest

from smelt.analysis.analyze import analyze
from smelt.analysis.binding import Binding, Statement
from smelt.diagnostics.model import Diagnostic
from smelt.engines.binder import MAX_REFUSALS, DuckDBBinder
from smelt.project.load import load_project
from smelt.project.model import Address
from smelt.text.edits import apply_edits
from tests.pages.reading import default_files

FROM = "FROM smelt.sources.customer_changes"
COMPARED = "effective_ts > 5" if duckdb.__version__ >= "2" else ">"
"""What DuckDB points at in a comparison of types that do not compare: before 2.0 at the operator alone."""


def project_of(models: Mapping[str, str], **files: str) -> dict[str, str]:
    texts = {path: text for path, text in default_files().items() if path.endswith(".yml")}
    texts |= {f"models/{name}.sql": text for name, text in models.items()}
    return texts | files


def bound(models: Mapping[str, str], **files: str) -> Mapping[Address, Binding]:
    return DuckDBBinder().bind(load_project(project_of(models, **files), environment={}), {})


def ask(sql: str) -> tuple[Diagnostic, ...]:
    return bound({"m": sql})[Address(("m",))].diagnostics


def said(sql: str) -> list[tuple[str, str]]:
    """Code and underlined text of every finding."""
    return [(found.code.name, found.location.span.of(sql)) for found in ask(sql)]


def types(sql: str) -> list[tuple[str, str]]:
    columns = bound({"m": sql})[Address(("m",))].columns
    assert columns is not None
    return [(column.name, column.type) for column in columns]


def test_output_types() -> None:
    sql = f"SELECT customer_id AS id, effective_ts::DATE AS day, count(*) AS n {FROM} GROUP BY ALL"
    assert types(sql) == [("id", "INTEGER"), ("day", "DATE"), ("n", "BIGINT")]


@pytest.mark.parametrize("tail", [";", " -- it's a comment", " /* 😀 */ ;\n", "\r\n"])
def test_what_follows_a_query_does_not_matter(tail: str) -> None:
    assert types(f"SELECT tier {FROM}{tail}") == [("tier", "VARCHAR")]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (f"SELECT 'é😀' AS z, teir {FROM}", [("UnknownColumn", "teir")]),
        (f"---\nrefresh: full\n---\r\nSELECT '漢'\tAS z,\r\n  c.teir {FROM} AS c", [("UnknownColumn", "teir")]),
        (f'SELECT "No Such" {FROM}', [("UnknownColumn", '"No Such"')]),
        (f"SELECT * EXCLUDE (nope) {FROM}", [("UnknownColumn", "nope")]),
        ("WITH t AS (SELECT 1 AS one) SELECT two FROM t", [("UnknownColumn", "two")]),
        (f"SELECT date_trunc('day', tier) AS d {FROM}", [("TypeMismatch", "date_trunc('day', tier)")]),
        (f"SELECT 1 AS one {FROM} WHERE effective_ts > 5", [("TypeMismatch", COMPARED)]),
        (f"SELECT leed(tier) AS x {FROM}", [("BindError", "leed(tier)")]),
        (f"SELECT x.tier {FROM}", [("BindError", "x.tier")]),
        (f"SELECT tier, count(*) AS n {FROM}", [("BindError", "tier")]),
        (f"SELECT tier {FROM} UNION SELECT 1, 2", [("BindError", "UNION SELECT 1, 2")]),
        (f"SELECT tier {FROM} ORDER BY 5", [("BindError", "5")]),
        (f"SELECT st_area(tier) AS a {FROM}", [("BindError", "st_area")]),
    ],
)
def test_findings_are_under_the_exact_words(sql: str, expected: list[tuple[str, str]]) -> None:
    assert said(sql) == expected


def test_every_fault_of_a_query_is_found() -> None:
    sql = f"SELECT teir, customer_id, sum(tier) AS s, nope {FROM} WHERE regoin = 'EU' GROUP BY ALL"
    assert sorted(said(sql)) == [
        ("TypeMismatch", "sum(tier)"),
        ("UnknownColumn", "nope"),
        ("UnknownColumn", "regoin"),
        ("UnknownColumn", "teir"),
    ]


def test_so_many_faults_are_enough() -> None:
    sql = "SELECT " + ", ".join(f"nope_{number} AS c{number}" for number in range(20)) + f" {FROM}"
    assert len(ask(sql)) == MAX_REFUSALS


@pytest.mark.parametrize(
    "sql",
    [
        f'SELECT customer_id,"zzz"{FROM}',
        f'SELECT"zzz",customer_id {FROM}',
        f"SELECT zzz AS x, date_trunc('day', x) AS d {FROM}",
        f"SELECT zzz AS x, x + INTERVAL 1 DAY AS y, year(x) AS z {FROM}",
    ],
)
def test_what_follows_from_an_unknown_column_is_not_told_besides(sql: str) -> None:
    assert [code for code, _ in said(sql)] == ["UnknownColumn"]


def test_a_single_near_name_is_offered_as_a_safe_fix() -> None:
    sql = f"SELECT customer_id, 'é😀' AS z, teir {FROM}"
    (found,) = ask(sql)
    (fix,) = found.fixes
    assert fix.safe
    mended = apply_edits(sql, [edit.edit for edit in fix.edits])
    assert mended == f"SELECT customer_id, 'é😀' AS z, tier {FROM}"
    assert said(mended) == []


def test_a_name_unlike_any_other_has_no_fix() -> None:
    (found,) = ask(f"SELECT zzz {FROM}")
    assert found.fixes == ()
    assert "customer_id" in found.help


def test_messages_name_the_fault_and_helps_the_cure() -> None:
    (found,) = ask(f"SELECT st_area(tier) AS a {FROM}")
    assert "extensions: [spatial]" in found.help
    (found,) = ask(f"SELECT tier {FROM} AS a CROSS JOIN smelt.sources.customer_changes AS b")
    assert "a.tier" not in found.message
    assert "a.tier" in found.help


def test_addresses_are_named_as_the_author_writes_them() -> None:
    (twice,) = ask(f"SELECT * {FROM}, smelt.sources.customer_changes")
    assert '"smelt.sources.customer_changes"' in twice.message
    assert "memory" not in twice.message
    (either,) = ask(f"SELECT tier {FROM}, smelt.sources.customer_changes")
    assert either.help == "give each relation of that name an alias in FROM"
    (whole,) = ask(f"SELECT smelt.sources.customer_changes.tier {FROM}")
    assert whole.message == 'Referenced table "smelt.sources.customer_changes" not found'
    assert "else the last part: `customer_changes`" in whole.help


def test_models_see_what_their_upstreams_give() -> None:
    answers = bound({"a": f"SELECT customer_id AS id {FROM}", "b": "SELECT id + 1 AS next, nope FROM smelt.a"})
    assert [found.code.name for found in answers[Address(("b",))].diagnostics] == ["UnknownColumn"]


def test_models_that_read_a_broken_one_are_not_asked() -> None:
    answers = bound({"a": f"SELECT nope {FROM}", "b": "SELECT anything FROM smelt.a", "c": "SELECT 1 FROM smelt.b"})
    assert list(answers) == [Address(("a",))]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 +",
        "SELECT nope FROM smelt.sources.missing",
        "SELECT nope FROM elsewhere.t",
        "SELECT nope FROM read_csv('x.csv')",
        "",
    ],
)
def test_what_smelt_could_not_read_is_not_asked(sql: str) -> None:
    assert bound({"m": sql}) == {}


def test_seeds_without_a_sidecar_have_unknown_columns() -> None:
    files = project_of({"m": "SELECT anything FROM smelt.plans"})
    assert DuckDBBinder().bind(load_project(files, seeds=["models/plans.csv"], environment={}), {}) == {}


def test_two_addresses_with_one_last_segment_stay_apart() -> None:
    answers = bound(
        {
            "one/t": f"SELECT customer_id AS a {FROM}",
            "two/t": f"SELECT tier AS b {FROM}",
            "m": "SELECT x.a, t.b FROM smelt.one.t AS x CROSS JOIN smelt.two.t",
        }
    )
    columns = answers[Address(("m",))].columns
    assert columns is not None
    assert [column.type for column in columns] == ["INTEGER", "VARCHAR"]


@pytest.mark.parametrize(
    "value",
    ["NULL", "[]", "{'a': 1, 'b c': [DATE '2020-01-01']}", "map {'k': 1.5}", "'x'::ENUM('a)', 'x')", "'{}'::JSON"],
)
def test_every_type_can_be_handed_on(value: str) -> None:
    answers = bound({"a": f"SELECT {value} AS v", "b": "SELECT v FROM smelt.a"})
    assert answers[Address(("b",))].columns == answers[Address(("a",))].columns is not None


def test_an_answer_is_remembered_until_its_question_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    binder = DuckDBBinder()
    asked: list[str] = []
    describe = binder._describe
    monkeypatch.setattr(binder, "_describe", lambda sent: asked.append(sent.text) or describe(sent))
    models = {"a": f"SELECT customer_id AS id {FROM}", "b": "SELECT id FROM smelt.a", "c": f"SELECT tier {FROM}"}
    first = binder.bind(load_project(project_of(models), environment={}), {})
    assert len(asked) == 3
    assert binder.bind(load_project(project_of(models), environment={}), {}) == first
    assert len(asked) == 3
    models["a"] = f"SELECT effective_ts AS id {FROM}"
    second = binder.bind(load_project(project_of(models), environment={}), {})
    assert len(asked) == 5
    assert second[Address(("b",))].columns != first[Address(("b",))].columns


def test_the_words_of_a_target_are_trusted_where_a_stub_database_cannot_know() -> None:
    sql = {"m": f"SELECT st_area(tier) AS a, my_macro(tier) AS b {FROM}"}
    target = "{type: duckdb, extensions: [spatial], init_sql: ['CREATE MACRO my_macro(x) AS x']}"
    yaml = f"name: example\ntargets:\n  dev: {target}\ndefault_target: dev\n"
    answers = bound(sql, **{"smelt.yml": yaml})
    assert answers[Address(("m",))] == Binding(None)


def test_no_file_can_be_read_and_no_python_value_seen(tmp_path: Path) -> None:
    customers = duckdb.sql("SELECT 1 AS n").fetchall()
    assert customers
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    binder = DuckDBBinder()
    for query in ("SELECT * FROM customers", f"SELECT * FROM '{secret}'", f"SELECT * FROM read_csv('{secret}')"):
        refused = binder._describe(Statement(f"DESCRIBE {query}", ()))
        assert isinstance(refused, dict)
        assert refused["exception_type"] in ("Catalog", "Permission")
    refused = binder._describe(Statement(f"ATTACH '{tmp_path / 'other.duckdb'}'", ()))
    assert isinstance(refused, dict)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_an_error_of_smelt_hides_the_same_fault_seen_by_duckdb() -> None:
    sql = (
        "---\nrefresh: incremental\n---\nSELECT customer_id, effective_ts, "
        "LEAD(teir) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS n "
        f"{FROM}\n"
    )
    found = analyze(load_project(project_of({"m": sql}), environment={}), DuckDBBinder()).diagnostics
    spans = [one.location.span.of(sql) for one in found]
    assert len(spans) == 1, [(one.code.name, one.message) for one in found]


def test_columns_reach_the_analysis() -> None:
    analysis = analyze(load_project(project_of({"m": f"SELECT tier {FROM}"}), environment={}), DuckDBBinder())
    columns = analysis.models[Address(("m",))].columns
    assert columns is not None
    assert [(column.name, column.type) for column in columns] == [("tier", "VARCHAR")]
    without = analyze(load_project(project_of({"m": f"SELECT tier {FROM}"}), environment={}))
    assert without.models[Address(("m",))].columns is None


def test_help_never_blames() -> None:
    for sql in (
        f"SELECT leed(tier) AS x {FROM}",
        f"SELECT tier, count(*) AS n {FROM}",
        f"SELECT sum(tier) AS s {FROM}",
    ):
        for found in ask(sql):
            assert not re.search(r"\b(wrong|invalid|bad|error)\b", found.help, re.IGNORECASE)
