"""The rows that break a column test, as DuckDB prints their values."""

from smelt.engines.duckdb.session import Row, Session


def failing_rows(session: Session, sql: str, limit: int) -> tuple[int, tuple[Row, ...]]:
    """How many rows a test's query finds, and the first ``limit`` of them, each value as text or None.

    Raises:
        WarehouseError: the query cannot run.
    """
    with session.named("test"):
        count = int(str(session.one(f"SELECT count(*) FROM (\n{sql}\n)")[0]))
        sample = f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (\n{sql}\n) ORDER BY ALL LIMIT {limit:d}"
        return count, tuple(session.run(sample)) if count and limit else ()
