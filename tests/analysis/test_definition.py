"""A definition changes with the meaning of a model and with nothing else, and a change is said in words."""

import pytest

from smelt.analysis.analyze import analyze
from smelt.analysis.definition import definition_hash, what_changed
from smelt.analysis.model import ModelAnalysis
from smelt.project.load import load_project
from smelt.project.model import Address
from tests.pages.reading import default_files

MODEL, SOURCE = "models/customer_history.sql", "models/sources/customer_changes.yml"
SQL = """\
SELECT
    customer_id,
    tier,
    upper(region) AS region,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) IS NULL AS is_current
FROM smelt.sources.customer_changes
WHERE tier <> 'none'
QUALIFY NOT is_deleted
"""


def model(sql: str = SQL, **files: str) -> ModelAnalysis:
    given = {**default_files(), MODEL: f"---\nrefresh: incremental\n---\n{sql}", **files}
    texts = {path: text for path, text in given.items() if path.endswith((".sql", ".yml"))}
    return analyze(load_project(texts, environment={})).models[Address(("customer_history",))]


def canonical(sql: str = SQL, source: tuple[str, str] | None = None, **files: str) -> str:
    if source is not None:
        files = {**files, SOURCE: default_files()[SOURCE].replace(*source)}
    found = model(sql, **files)
    assert found.canonical is not None, found.diagnostics
    assert found.definition_hash == definition_hash(found.canonical)
    return found.canonical


def test_the_hash_is_that_of_the_text() -> None:
    assert len(definition_hash("{}")) == 64
    assert definition_hash("{}") != definition_hash("{} ")


@pytest.mark.parametrize(
    "sql",
    [
        SQL.replace("\n", " "),
        SQL.replace("\n", "\r\n"),
        SQL + ";\n-- the end\n",
        SQL.replace("SELECT", "select").replace("LEAD", "lead").replace("QUALIFY NOT", "qualify not"),
        SQL.replace("upper(region)", "UPPER( region /* where */ )"),
        SQL.replace("tier,", '"tier",').replace("customer_id,", "CUSTOMER_ID,"),
        SQL.replace("customer_changes\n", "customer_changes AS c\n").replace("tier,", "c.tier,"),
        SQL.replace("OVER (PARTITION BY customer_id ORDER BY effective_ts)", "OVER w").replace(
            "QUALIFY", "WINDOW w AS (PARTITION BY customer_id ORDER BY effective_ts)\nQUALIFY"
        ),
        SQL.replace(
            "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) IS NULL", "valid_to IS NULL"
        ),
        SQL.replace("ORDER BY effective_ts", "ORDER BY effective_ts ASC NULLS LAST"),
        SQL.replace("    tier,", "    (tier),"),
        SQL.replace("QUALIFY NOT is_deleted", "QUALIFY (NOT (is_deleted))"),
    ],
)
def test_another_spelling_is_the_same_definition(sql: str) -> None:
    assert canonical(sql) == canonical()
    assert what_changed(canonical(), canonical(sql)) == ()


@pytest.mark.parametrize(
    "files",
    [
        {"smelt.yml": default_files()["smelt.yml"].replace("schema: main", "schema: other")},
        {"smelt.yml": default_files()["smelt.yml"].replace("target/dev.duckdb", "elsewhere.duckdb")},
        {SOURCE: default_files()[SOURCE].replace("files: data/changes.csv", "name: raw.changes")},
        {SOURCE: default_files()[SOURCE].replace("Customer change events", "what customers do")},
        {MODEL: f"---\nrefresh: incremental\nname: history\ntags: [core]\n---\n{SQL}"},
    ],
)
def test_where_things_stand_is_no_part_of_it(files: dict[str, str]) -> None:
    assert canonical(**files) == canonical()


def test_a_source_column_that_is_not_read_is_no_part_of_it() -> None:
    added = ("columns:\n", "columns:\n  - {name: extra, type: JSON}\n")
    assert canonical(source=added) == canonical()


@pytest.mark.parametrize(
    ("sql", "source", "said"),
    [
        (
            SQL.replace("PARTITION BY customer_id", "PARTITION BY customer_id, ingested_date").replace(
                "    tier,", "    ingested_date, tier,"
            ),
            None,
            ("key changed from (customer_id) to (customer_id, ingested_date)", "column ingested_date was added"),
        ),
        (SQL.replace("'none'", "'None'"), None, ("filter changed from tier <> 'none' to tier <> 'None'",)),
        (SQL.replace("WHERE tier <> 'none'\n", ""), None, ("filter changed from tier <> 'none' to none",)),
        (SQL.replace("QUALIFY NOT is_deleted\n", ""), None, ("delete flag changed from is_deleted to none",)),
        (SQL.replace("upper(", "lower("), None, ("column region is computed in another way",)),
        (
            SQL.replace("AS is_current", "AS current"),
            None,
            ("column is_current was removed", "column current was added"),
        ),
        (
            SQL.replace("    tier,\n", "").replace("    customer_id,", "    tier,\n    customer_id,"),
            None,
            ("the order of the columns changed",),
        ),
        (SQL.replace("LEAD", "LAG", 1), None, ("column valid_to is computed in another way",)),
        (
            SQL,
            ("{name: customer_id,   type: INTEGER", "{name: customer_id, type: BIGINT"),
            ("source column customer_id changed type from INTEGER to BIGINT",),
        ),
        (
            SQL,
            ("type: BOOLEAN,   nullable: false}", "type: BOOLEAN, nullable: false, expression: \"op = 'd'\"}"),
            ("source column is_deleted has another expression",),
        ),
        (SQL, ("granularity: day", "granularity: month"), ("granularity changed from day to month",)),
        (
            SQL,
            ("partition_column: ingested_date", "partition_column: effective_ts"),
            ("run axis changed from ingested_date to effective_ts",),
        ),
    ],
)
def test_a_change_of_meaning_is_said(sql: str, source: tuple[str, str] | None, said: tuple[str, ...]) -> None:
    after = canonical(sql, source)
    assert definition_hash(after) != definition_hash(canonical())
    assert what_changed(canonical(), after) == said


def test_views_and_tables_are_compared_by_their_query() -> None:
    view = "SELECT tier FROM smelt.sources.customer_changes"
    plain = canonical(**{MODEL: view})
    assert canonical(**{MODEL: view.replace("SELECT tier FROM", "select  tier -- x\nfrom") + ";"}) == plain
    table = canonical(**{MODEL: f"---\nmaterialization: table\n---\n{view}"})
    assert what_changed(plain, table) == ("kind changed from view to table",)
    other = canonical(**{MODEL: view.replace("tier", "region")})
    assert what_changed(plain, other) == ("the query changed",)


def test_names_that_look_like_words_stay_names() -> None:
    source = ("columns:\n", 'columns:\n  - {name: "true", type: BOOLEAN}\n')
    quoted = SQL.replace("tier <> 'none'", '"true"')
    assert canonical(quoted, source) != canonical(SQL.replace("tier <> 'none'", "true"), source)
