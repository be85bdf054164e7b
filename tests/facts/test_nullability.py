"""A proof of NOT NULL never lets a NULL through, however DuckDB reads the predicate."""

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smelt.facts.nullability import proofs
from smelt.facts.scope import Scope
from smelt.project.model import Address, Marks, Source, SourceColumn
from smelt.sql.parse import parse
from smelt.text.spans import Span

COLUMNS = {"a": "INTEGER", "b": "INTEGER", "s": "VARCHAR", "f": "BOOLEAN", "xs": "INTEGER[]", "d": "DATE"}
SOURCE = Source(Address(("src",)), Marks("src.yml"), tuple(SourceColumn(n, t) for n, t in COLUMNS.items()))
DOMAIN = """
CREATE TABLE src AS SELECT * FROM
    (VALUES (NULL::INTEGER), (0), (1), (2)) t1(a), (VALUES (NULL::INTEGER), (1), (2)) t2(b),
    (VALUES (NULL::VARCHAR), (''), ('a'), ('1')) t3(s), (VALUES (NULL::BOOLEAN), (TRUE), (FALSE)) t4(f),
    (VALUES (NULL::INTEGER[]), ([]), ([1])) t5(xs), (VALUES (NULL::DATE), (DATE '2025-01-01')) t6(d)
"""


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(DOMAIN)
        yield opened


def proven(predicate: str) -> set[str]:
    """The columns that the filter proves NOT NULL."""
    text = f"SELECT a FROM src WHERE {predicate}"
    query = parse(text, Span(0, len(text))).query
    if query is None or query.where is None:
        return set()
    scope = Scope(query, SOURCE, "src", frozenset(COLUMNS))
    return {name for name, proof in proofs(scope, query.where.body, {}).items() if proof.by == "filter"}


@pytest.mark.parametrize(
    ("predicate", "columns"),
    [
        ("a = 1", {"a"}),
        ("1 < a", {"a"}),
        ("a <> b", {"a", "b"}),
        ("a + b * 2 >= 3", {"a", "b"}),
        ("(a) - 1 = CAST(b AS BIGINT)", {"a", "b"}),
        ("a BETWEEN 1 AND b", {"a", "b"}),
        ("a NOT BETWEEN 1 AND 2", set()),
        ("a IN (1, 2)", {"a"}),
        ("a NOT IN (1)", set()),
        ("s LIKE 'a%'", {"s"}),
        ("s IS NOT NULL", {"s"}),
        ("NOT s IS NULL", {"s"}),
        ("NOT f", {"f"}),
        ("NOT (f)", {"f"}),
        ("(a = 1 AND (NOT f AND s IS NOT NULL))", {"a", "f", "s"}),
        ("d >= DATE '2025-01-01'", {"d"}),
        ("a::DECIMAL(5,2) = 1", {"a"}),
        ("a = lower('x')", {"a"}),
    ],
)
def test_what_proves(predicate: str, columns: set[str]) -> None:
    assert proven(predicate) == columns


@pytest.mark.parametrize(
    "predicate",
    [
        "a = 1 OR b = 1",
        "coalesce(a, 1) = 1",
        "TRY_CAST(s AS INTEGER) = 1",
        "CASE WHEN a = 1 THEN TRUE ELSE TRUE END",
        "a IS NULL",
        "a IS NOT DISTINCT FROM b",
        "a IS DISTINCT FROM 1",
        "a = 1 IS NULL",
        "a = 1 IS NOT TRUE",
        "NOT a = 1 IS NULL",
        "a BETWEEN 1 AND 2 IS NULL",
        "s LIKE 'a' IS NULL",
        "a IN (1) IS NULL",
        "NOT a IS NULL IS NULL",
        "a IS NOT NULL = FALSE",
        "a = ALL([]::INTEGER[])",
        "a <> ALL([]::INTEGER[])",
        "a::UNION(n INTEGER) = 1::UNION(n INTEGER)",
        "CAST(a AS INTEGER[]) + [1] = [1]",
        "xs + [1] = [1]",
        "xs = xs",
        "NOT coalesce(f, FALSE)",
        "NOT (f AND a = 1)",
        "NOT NOT f",
        "f",
        "concat(s, 'x') = 'x'",
        "a IN (SELECT 1)",
        "EXISTS (SELECT 1)",
        "greatest(a, 1) = 1",
        "TRUE",
    ],
)
def test_what_proves_nothing(predicate: str) -> None:
    assert proven(predicate) == set()


ATOMS = st.sampled_from(["a", "b", "s", "f", "xs", "d", "1", "0", "''", "'a'", "TRUE", "FALSE", "NULL", "[1]", "[]"])
INFIX = st.sampled_from(
    [*"=|<>|<|>=|+|-|*|/|AND|OR|LIKE|NOT LIKE|IS DISTINCT FROM|->|%|IN|IS NOT DISTINCT FROM|==".split("|"), "||"]
)
SUFFIX = st.sampled_from(["IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT TRUE", "::INTEGER", "::VARCHAR", "::INTEGER[]"])
WRAPPERS = st.sampled_from(
    ["({})", "NOT {}", "coalesce({}, 1)", "CAST({} AS VARCHAR)", "TRY_CAST({} AS INTEGER)", "-{}", "{} BETWEEN 0 AND 2"]
)
"""Pieces are put side by side without parentheses, so that every precedence comes up."""


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {} {}".format, inner, INFIX, inner),
        st.builds("{} {}".format, inner, SUFFIX),
        st.builds(lambda wrapper, text: wrapper.format(text), WRAPPERS, inner),
        st.builds("{} IN ({}, {})".format, inner, inner, inner),
        st.builds("{} AND {}".format, inner, inner),
    )


PART = st.recursive(ATOMS, grown, max_leaves=4)


@settings(max_examples=400, deadline=None)
@given(predicate=st.builds("{} {} {}".format, PART, INFIX, PART))
def test_no_proof_lets_a_null_through(connection: duckdb.DuckDBPyConnection, predicate: str) -> None:
    for column in proven(predicate):
        try:
            rows = connection.execute(
                f"SELECT {column} FROM (SELECT * FROM src WHERE {predicate}) WHERE {column} IS NULL LIMIT 1"
            ).fetchall()
        except duckdb.Error:
            return  # DuckDB knows no such predicate
        assert rows == [], f"{column} may be NULL where {predicate}"
