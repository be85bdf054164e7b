"""One connection to a DuckDB database, with every setting that can change a result fixed by smelt."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from smelt.engines.duckdb.catalogue import Catalogue
from smelt.engines.duckdb.errors import Redaction, named, open_error, reason
from smelt.engines.duckdb.statements import Statement
from smelt.engines.errors import fault
from smelt.engines.rules import (
    warehouse_disk_full,
    warehouse_extension_unavailable,
    warehouse_init_sql_failed,
    warehouse_open_failed,
    warehouse_setting_invalid,
)
from smelt.failpoints import failpoint
from smelt.plan.reserved import RECORDS
from smelt.project.model import Target
from smelt.text.identifiers import fold, quote, quote_literal

RESULT_SETTINGS: tuple[tuple[str, str], ...] = (
    ("TimeZone", "UTC"),
    ("Calendar", "gregorian"),
    ("default_null_order", "NULLS_LAST"),
    ("default_order", "ASCENDING"),
    ("default_collation", ""),
    ("ieee_floating_point_ops", "true"),
    ("integer_division", "false"),
)
"""Settings that can change what a query gives; a target may set them, nothing else may."""

_MEMORY = ":memory:"
_SMALLEST_BYTES = 3 * 4096
"""The headers of a DuckDB file: a shorter one holds nothing."""
Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """An open connection. Statements run inside :meth:`transaction`."""

    connection: duckdb.DuckDBPyConnection
    target: Target
    redact: Redaction
    catalogue: Catalogue

    def run(self, sql: str | Statement, parameters: Mapping[str, object] | None = None) -> list[Row]:
        """Execute one statement and fetch everything.

        Raises:
            duckdb.Error: as DuckDB says; see :meth:`named`.
        """
        text = sql.sql if isinstance(sql, Statement) else sql
        return self.connection.execute(text, dict(parameters) if parameters else None).fetchall()

    def one(self, sql: str | Statement, parameters: Mapping[str, object] | None = None) -> Row:
        """The only row of a statement that always has one."""
        return self.run(sql, parameters)[0]

    def describe(self, relation: str) -> tuple[tuple[str, str], ...]:
        """Names and types of what stands after ``FROM``."""
        rows = self.run(f"DESCRIBE SELECT * FROM {relation}")
        return tuple((str(row[0]), str(row[1])) for row in rows)

    @contextmanager
    def named(self, name: str) -> Iterator[None]:
        """Inside, DuckDB's exceptions become failures of ``name``."""
        with named(name, self.target.database, self.redact):
            yield

    @contextmanager
    def transaction(self, name: str) -> Iterator[None]:
        """Commit at the end, roll back on any exception; DuckDB's own become failures of ``name``."""
        with self.named(name):
            self.connection.execute("BEGIN TRANSACTION")
            try:
                yield
                failpoint("before-commit")
                self.connection.execute("COMMIT")
            except BaseException:
                # A failed COMMIT has rolled back already; then there is nothing to roll back.
                with suppress(duckdb.Error):
                    self.connection.execute("ROLLBACK")
                self.catalogue.forget()
                raise
            self.catalogue.committed()
            failpoint("after-commit")

    @contextmanager
    def snapshot(self, name: str) -> Iterator[None]:
        """Everything inside sees one state of the database; what is made there is gone afterwards."""
        with self.named(name):
            self.run("BEGIN TRANSACTION")
            try:
                yield
            finally:
                self.run("ROLLBACK")

    def result_settings(self) -> dict[str, str]:
        """The values of :data:`RESULT_SETTINGS` as they are now."""
        names = [name for name, _ in RESULT_SETTINGS]
        values = self.one("SELECT " + ", ".join(f"current_setting({quote_literal(name)})" for name in names))
        return {name: str(value).casefold() for name, value in zip(names, values, strict=True)}


def connect(
    root: Path,
    target: Target,
    *,
    read_only: bool = False,
    redacted: Sequence[str] = (),
    built: Collection[str] = (),
) -> Session:
    """Open the target's database; its folder is made if it may be written.

    Args:
        root: the project's folder.
        target: what to open.
        read_only: neither make nor change it.
        redacted: texts never to be printed.
        built: relations that the project builds there, whether they are there yet or not.

    Raises:
        WarehouseError: held by another program (``busy``), no database, or a setting, extension or ``init_sql``
            statement that does not work.
    """
    redact = Redaction(tuple(redacted))
    connection = _open(root, target, read_only=read_only, redact=redact)
    try:
        session = Session(connection, target, redact, Catalogue(connection, target.schema))
        _prepare(session, built)
        if not read_only:
            _create_schema(session)
        return session
    except BaseException:
        connection.close()
        raise


def _open(root: Path, target: Target, *, read_only: bool, redact: Redaction) -> duckdb.DuckDBPyConnection:
    path, made = target.database, None
    if path != _MEMORY and "://" not in path and not path.startswith("md:"):
        file = root / path
        path = str(file)
        if not read_only:
            _make_folder(file.parent, target, redact)
            made = None if file.exists() else file
    try:
        return duckdb.connect(path, read_only=read_only)
    except duckdb.Error as error:
        refused = open_error(error, target, redact)
        if made is not None and refused.failure.code == warehouse_disk_full.CODE.name:
            _remove_stump(made)
        raise refused from error


def _remove_stump(file: Path) -> None:
    """Remove what a full disk let through of a new database, which nothing could open any more."""
    with suppress(OSError):
        if file.stat().st_size < _SMALLEST_BYTES:
            file.unlink()


def _make_folder(folder: Path, target: Target, redact: Redaction) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        code, why = warehouse_open_failed.CODE, redact(error.strerror or str(error))
        place = redact(target.database)
        raise fault(code, setting=("database",), database=place, target=target.name, reason=why) from error


def _prepare(session: Session, built: Collection[str]) -> None:
    target, redact = session.target, session.redact
    session.run("SET autoinstall_known_extensions = false")
    for name, value in (*RESULT_SETTINGS, *target.settings):
        try:
            session.run(f"SET {quote(name)} = {quote_literal(value)}")
        except duckdb.Error as error:
            why = reason(error, redact)
            code, keys = warehouse_setting_invalid.CODE, ("settings", name)
            raise fault(code, setting=keys, target=target.name, name=name, reason=why) from error
    for extension in target.extensions:
        _load(session, extension)
    for number, sql in enumerate(target.init_sql, start=1):
        try:
            session.run(sql)
            left = _left_behind(session, built)
        except duckdb.Error as error:
            why = reason(error, redact)
            raise fault(warehouse_init_sql_failed.CODE, target=target.name, number=number, reason=why) from error
        if left is not None:
            raise fault(warehouse_init_sql_failed.CODE, target=target.name, number=number, reason=left)
    session.catalogue.forget()


def _left_behind(session: Session, built: Collection[str]) -> str | None:
    """What a statement of ``init_sql`` left that no run could work with, in words."""
    try:
        session.run("BEGIN TRANSACTION")
    except duckdb.TransactionException:
        return "it leaves a transaction open"
    session.run("ROLLBACK")
    hidden = session.catalogue.hidden((*RECORDS, *built))
    schema = session.target.schema
    return None if hidden is None else f"it leaves a temporary relation that hides {schema}.{hidden}"


def _load(session: Session, extension: str) -> None:
    """Load what is there, and fetch it only if it is not."""
    with suppress(duckdb.Error):
        session.run(f"LOAD {quote(extension)}")
        return
    try:
        session.run(f"INSTALL {quote(extension)}")
        session.run(f"LOAD {quote(extension)}")
    except duckdb.Error as error:
        raise fault(
            warehouse_extension_unavailable.CODE,
            target=session.target.name,
            extension=extension,
            reason=reason(error, session.redact),
        ) from error


def _create_schema(session: Session) -> None:
    target = session.target
    with named(f"target {target.name}", target.database, session.redact):
        database = str(session.one("SELECT current_database()")[0])
        if fold(database) == fold(target.schema) != "main":
            why = f"DuckDB cannot tell the database {database} from its schema {target.schema}"
            code, place = warehouse_open_failed.CODE, target.database
            raise fault(code, setting=("database",), database=place, target=target.name, reason=why)
        session.run(f"CREATE SCHEMA IF NOT EXISTS {quote(target.schema)}")
        session.run(f"USE {quote(database)}.{quote(target.schema)}")
