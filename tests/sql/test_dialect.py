"""What is accepted and refused, compared with DuckDB itself."""

from collections.abc import Iterator

import duckdb
import pytest
from sqlglot import exp

from smelt.sql.model import Query
from smelt.sql.names import NO_BARE_ALIAS, written
from smelt.sql.parse import parse, parse_expression
from smelt.text.identifiers import fold, quote
from smelt.text.spans import Span
from tests.sql.statements import database, section

ACCEPTED = [sql for sql, _ in section("accepted")]
STARS = (exp.Star, exp.Columns, exp.Explode)
REFUSED = section("refused")
CHANGED = {sql for sql, _ in section("answered otherwise before DuckDB 2")}
IS_OLD = int(duckdb.__version__.split(".")[0]) < 2


def otherwise(sql: str) -> bool:
    """Whether the installed DuckDB has the grammar of before 2.0, and that answers a statement the other way."""
    return IS_OLD and sql in CHANGED


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    opened = database()
    yield opened
    opened.close()


def refusal(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Error | None:
    try:
        connection.execute("EXPLAIN " + sql)
    except duckdb.Error as error:
        return error
    return None


def errors(sql: str) -> list[str]:
    return [error.span.of(sql) for error in parse(sql, Span(0, len(sql))).errors]


def read(sql: str) -> Query:
    query = parse(sql, Span(0, len(sql))).query
    assert query is not None
    return query


@pytest.mark.parametrize("sql", ACCEPTED)
def test_accepted_by_both(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert (refusal(connection, sql) is None) is not otherwise(sql)
    assert errors(sql) == []


@pytest.mark.parametrize(("sql", "underlined"), REFUSED)
def test_refused_by_both(connection: duckdb.DuckDBPyConnection, sql: str, underlined: str) -> None:
    assert (refusal(connection, sql) is not None) is not otherwise(sql)
    assert errors(sql)[0] == underlined


@pytest.mark.parametrize("sql", [sql for sql, _ in section("refused when bound")])
def test_refused_when_bound(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    refused = refusal(connection, sql)
    bound = refused is not None and not isinstance(refused, duckdb.ParserException)
    assert bound is not otherwise(sql)
    assert errors(sql) == []


@pytest.mark.parametrize("sql", [sql for sql, _ in section("gaps: refused by DuckDB only")])
def test_gap_left_to_duckdb(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert refusal(connection, sql) is not None
    assert errors(sql) == []


@pytest.mark.parametrize("sql", [sql for sql, _ in section("gaps: accepted by DuckDB only")])
def test_gap_refused_here(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert (refusal(connection, sql) is None) is not otherwise(sql)
    assert errors(sql)


@pytest.mark.parametrize("sql", [sql for sql, _ in section("no model")])
def test_what_is_no_query_is_refused(sql: str) -> None:
    assert errors(sql)
    assert not errors("SELECT 1")


@pytest.mark.parametrize("sql", ACCEPTED)
def test_output_names_are_those_of_duckdb(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    query = read(sql)
    if otherwise(sql):
        assert refusal(connection, sql) is not None
        return
    rows = connection.execute(f"DESCRIBE {sql.rstrip('; ')}").fetchall()
    starred = any(isinstance(node, STARS) for item in query.items for node in item.expr.node.walk())
    if not starred and not query.set_operation:
        names = [item.name for item in query.items]
        assert len(names) == len(rows)
        assert [name and fold(name) for name in names] == [
            fold(row[0]) if name else None for name, row in zip(names, rows, strict=True)
        ]
    for item in query.items:
        if isinstance(item.expr.node, exp.Column) and not isinstance(item.expr.node.this, exp.Star):
            assert item.name is not None or query.text_of(item.expr).startswith("+")


def test_bare_aliases_are_those_of_duckdb(connection: duckdb.DuckDBPyConnection) -> None:
    words = [row[0] for row in connection.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()]
    refused = {
        word for word in words if isinstance(refusal(connection, f"SELECT a {word} FROM t"), duckdb.ParserException)
    }
    ours = {word for word in NO_BARE_ALIAS if word in words}
    assert ours < refused if IS_OLD else ours == refused
    assert [word for word in sorted(ours) if not errors(f"SELECT a {word} FROM t")] == []


NAMELESS = {"between", "over", "if", "values"}
"""Words that DuckDB takes for a column and sqlglot does not: refused here unless they are quoted."""


def test_any_word_is_a_name_behind_as_and_a_dot(connection: duckdb.DuckDBPyConnection) -> None:
    words = [row[0] for row in connection.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()]
    for word in set(words) - {"as", "not"}:
        assert [item.name for item in read(f"SELECT a AS {word}, t.{word} FROM t").items] == [word, word]


def test_names_are_written_as_duckdb_reads_them(connection: duckdb.DuckDBPyConnection) -> None:
    words = [row[0] for row in connection.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()]
    for word in [*words, "a b", 'q"q', "1a", "é", "A", "_", "columns", "current_date", "rowid", "struct_pack"]:
        sql = f"SELECT {written(word)}, n.{written(word)} FROM (SELECT 7 AS {quote(word)}) n WHERE {written(word)} = 7"
        assert connection.execute(sql).fetchall() == [(7, 7)], word
        if word not in NAMELESS:
            assert read(sql).items[0].name == word, word


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a = 1", None),
        ("a, b", "a, b"),
        ("a AS b", "a AS b"),
        ("a FROM t", "a FROM t"),
        ("", ""),
        ("1 +", "+"),
        ("(a", "("),
        ("a; b", "b"),
        ("*", None),
    ],
)
def test_lone_expressions(text: str, fault: str | None) -> None:
    parsed = parse_expression("x: " + text, Span(3, 3 + len(text)))
    assert [error.span.of("x: " + text) for error in parsed.errors] == ([] if fault is None else [fault])
    assert (parsed.query is None) == (fault is not None)
