"""The statements of ``statements.txt`` and the tables they read."""

from pathlib import Path

import duckdb

TABLES = """
CREATE SCHEMA smelt;
CREATE TABLE t(
    a INTEGER, b INTEGER, c VARCHAR, k INTEGER, t TIMESTAMP, f BOOLEAN, s STRUCT(x INTEGER, y STRUCT(z INTEGER)),
    l INTEGER[], m MAP(VARCHAR, INTEGER), "a b" INTEGER, "select" INTEGER, d DATE, j JSON
);
CREATE TABLE u AS FROM t;
CREATE TABLE smelt.x AS FROM t;
"""


def section(name: str) -> tuple[tuple[str, str], ...]:
    """The statements under a heading, each with what is underlined (empty if the file does not say)."""
    text = Path(__file__).with_name("statements.txt").read_text(encoding="utf-8")
    body = text.split(f"\n[{name}]\n", 1)[1].split("\n[", 1)[0]
    lines = [line.replace("\\n", "\n") for line in body.split("\n") if line]
    return tuple((statement, mark) for statement, _, mark in (line.partition("  =>  ") for line in lines))


def database() -> duckdb.DuckDBPyConnection:
    """An in-memory DuckDB with the tables that the statements read."""
    connection = duckdb.connect()
    connection.execute(TABLES)
    return connection
