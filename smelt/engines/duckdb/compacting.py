"""Giving back the space of a DuckDB file, which shrinks only by being written anew.

The new file is made beside the old one, compared with it, and put in its place by one rename while DuckDB's own lock
on the old file is still held: whatever ends this early, one whole database stands under the name.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from smelt.engines.duckdb.errors import named
from smelt.engines.duckdb.record import Record
from smelt.engines.duckdb.session import Session, connect
from smelt.engines.duckdb.statements import columns, qualified
from smelt.engines.errors import fault
from smelt.engines.model import WarehouseError
from smelt.engines.rules import database_not_compactable
from smelt.failpoints import failpoint
from smelt.grains.succession.shape import SuccessionShape
from smelt.project.model import Target
from smelt.text.identifiers import quote, quote_literal

TEMP_SUFFIX = ".compacting"


@dataclass(frozen=True, slots=True)
class Compacted:
    """Bytes of the database's file before and after."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class History:
    """A succession model's table, to be brought into the order in which its first build left it.

    Attributes:
        model: its printed address.
        order: output columns to sort by.
    """

    model: str
    order: tuple[str, ...]

    @classmethod
    def of(cls, model: str, shape: SuccessionShape) -> "History":
        """The order that keeps a key's rows side by side."""
        return cls(model, (*shape.key_outputs, shape.clock_output))


def compact(root: Path, target: Target, histories: Sequence[History], redacted: Sequence[str] = ()) -> Compacted:
    """Write a target's database anew. The caller holds the project's lock.

    Args:
        root: the project's folder.
        target: whose database it is.
        histories: those whose rows are brought into order first.
        redacted: values that must not be printed.

    Raises:
        WarehouseError: it is no file, is held by another program, or the copy is not what it should be; the database
            is as it was.
    """
    path = _file_of(root, target)
    before = path.stat().st_size
    temp = path.with_name(path.name + TEMP_SUFFIX)
    _remove(temp)
    session = connect(root, target, redacted=redacted)
    with contextlib.closing(session.connection):
        for history in histories:
            _sort(session, history)
        with named(f"target {target.name}", target.database, session.redact), _gone_in_the_end(temp):
            _copy(session, temp)
            failpoint("before-swap")
            shutil.copymode(path, temp)
            _sync(temp)
            temp.replace(path)
            _sync(path.parent)
            failpoint("after-swap")
    return Compacted(before, path.stat().st_size)


def _file_of(root: Path, target: Target) -> Path:
    inside = target.database.startswith((":memory:", "md:")) or "://" in target.database
    path = root / target.database
    if inside or not path.is_file():
        why = "is no file of this machine" if inside else "is not there"
        raise fault(database_not_compactable.CODE, database=target.database, target=target.name, reason=why)
    return path.resolve()


def _sort(session: Session, history: History) -> None:
    """Put a table's rows into order. It stays the table it is, with all that somebody may have said of it."""
    with session.transaction(history.model):
        known = Record(session).find(history.model)
        if known is None or known.kind != "succession" or session.catalogue.kind(known.relation) != "table":
            return
        place = qualified(session.target.schema, known.relation)
        session.run(f"CREATE TEMP TABLE __smelt_sorted AS\nSELECT * FROM {place}\nORDER BY {columns(history.order)}")
        session.run(f"DELETE FROM {place}")
        session.run(f"INSERT INTO {place}\nSELECT * FROM temp.__smelt_sorted")
        session.run("DROP TABLE temp.__smelt_sorted")


def _copy(session: Session, temp: Path) -> None:
    old = str(session.one("SELECT current_database()")[0])
    if session.run("SELECT 1 FROM duckdb_sequences() WHERE database_name = $name", {"name": old}):
        raise _refused(session, "has a sequence, of which a copy would not know the next value")
    session.run("CHECKPOINT")
    session.run(f"ATTACH {quote_literal(str(temp))} AS __smelt_compacted")
    try:
        session.run(f"COPY FROM DATABASE {quote(old)} TO __smelt_compacted")
        for comment in _comments(session, old):
            session.run(comment)
        if _contents(session, old) != _contents(session, "__smelt_compacted"):
            raise _refused(session, "has something that a copy does not have")
    finally:
        session.run("DETACH __smelt_compacted")


def _contents(session: Session, database: str) -> list[tuple[object, ...]]:
    """Every relation of a database with its columns and number of rows, and every macro, type, sequence and index."""
    tables = session.run(
        "SELECT schema_name, table_name, sql, comment FROM duckdb_tables()\n"
        "WHERE database_name = $name AND NOT internal ORDER BY ALL",
        {"name": database},
    )
    counts = [
        (*table, session.one(f"SELECT count(*) FROM {quote(database)}.{qualified(str(table[0]), str(table[1]))}")[0])
        for table in tables
    ]
    described = session.run(
        "SELECT 'column', schema_name, table_name || '.' || column_name, data_type, comment\n"
        "FROM duckdb_columns() WHERE database_name = $name AND NOT internal\n"
        "UNION ALL SELECT 'view', schema_name, view_name, NULL, comment FROM duckdb_views()\n"
        "WHERE database_name = $name AND NOT internal\n"
        "UNION ALL SELECT 'index', schema_name, index_name, NULL, NULL FROM duckdb_indexes()\n"
        "WHERE database_name = $name\n"
        "UNION ALL SELECT 'type', schema_name, type_name, NULL, NULL FROM duckdb_types()\n"
        "WHERE database_name = $name AND NOT internal\n"
        "UNION ALL SELECT 'macro', schema_name, function_name, NULL, NULL FROM duckdb_functions()\n"
        "WHERE database_name = $name AND NOT internal\nORDER BY ALL",
        {"name": database},
    )
    return [*counts, *described]


def _comments(session: Session, database: str) -> list[str]:
    """The statements that give the copy the comments, which DuckDB leaves behind."""
    relations = session.run(
        "SELECT 'TABLE', schema_name, table_name, comment FROM duckdb_tables()\n"
        "WHERE database_name = $name AND comment IS NOT NULL\n"
        "UNION ALL SELECT 'VIEW', schema_name, view_name, comment FROM duckdb_views()\n"
        "WHERE database_name = $name AND comment IS NOT NULL",
        {"name": database},
    )
    of_columns = session.run(
        "SELECT schema_name, table_name, column_name, comment FROM duckdb_columns()\n"
        "WHERE database_name = $name AND comment IS NOT NULL",
        {"name": database},
    )
    return [
        *(
            f"COMMENT ON {kind} __smelt_compacted.{qualified(str(schema), str(name))} IS {quote_literal(str(comment))}"
            for kind, schema, name, comment in relations
        ),
        *(
            f"COMMENT ON COLUMN __smelt_compacted.{qualified(str(schema), str(table))}.{quote(str(column))} "
            f"IS {quote_literal(str(comment))}"
            for schema, table, column, comment in of_columns
        ),
    ]


def _refused(session: Session, why: str) -> WarehouseError:
    target = session.target
    database = session.redact(target.database)
    return fault(database_not_compactable.CODE, database=database, target=target.name, reason=why)


@contextlib.contextmanager
def _gone_in_the_end(temp: Path) -> Iterator[None]:
    try:
        yield
    finally:
        _remove(temp)


def _remove(temp: Path) -> None:
    for path in (temp, temp.with_name(temp.name + ".wal")):
        path.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
