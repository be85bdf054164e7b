"""Empty databases in memory, without the time that opening one takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count

import duckdb

_NUMBERS = count()


@contextmanager
def blank() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that stands in an empty database: its own part of the one instance that all of these share."""
    name = f"blank_{next(_NUMBERS)}"
    with _instance().cursor() as connection:
        connection.execute(f"ATTACH ':memory:' AS {name}")
        connection.execute(f"USE {name}")
        yield connection
        connection.execute("USE memory")
        connection.execute(f"DETACH {name}")


@cache
def _instance() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})
