"""A source as SQL: its declared columns in their declared types, whatever holds its rows.

Two layers: the physical columns (cast where that only widens, or where the file is text), and over them the
declared columns, those with an ``expression:`` computed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb

from smelt.diagnostics.model import Location
from smelt.engines.duckdb.broken import broken
from smelt.engines.duckdb.errors import reason
from smelt.engines.duckdb.files import FileSet, find
from smelt.engines.duckdb.headers import HeaderUnreadable
from smelt.engines.duckdb.missing import Contents, check_missing, contents_of, listed, shown
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.textual import Format, Reading, reading
from smelt.engines.duckdb.tracing import Tracer
from smelt.engines.duckdb.transient import is_transient
from smelt.engines.errors import fault
from smelt.engines.model import WarehouseError
from smelt.engines.rules import (
    source_file_unreadable,
    source_files_missing,
    source_relation_missing,
    source_type_mismatch,
)
from smelt.project.model import Project, Source, SourceColumn
from smelt.project.rules import source_unbound
from smelt.sql.types import normal, widens
from smelt.text.counts import counted
from smelt.text.identifiers import did_you_mean, fold, quote, quote_literal

_INTEGERS = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}


@dataclass(frozen=True, slots=True)
class SourceRelation:
    """A source that can be read.

    Attributes:
        sql: what stands in ``FROM``, giving exactly the declared columns, in order.
        notices: lines a person should see.
        physical: what stands below, before any cast.
        from_text: indexes of the declared columns that are read from text, value by value, with the SQL of what
            the file holds and that of the value.
        stored: the declared columns that are there, each with the SQL of its value over what the files hold.
        tracer: finds the file and line of a row; None for a table.
    """

    sql: str
    notices: tuple[str, ...] = ()
    physical: str = ""
    from_text: tuple[tuple[int, str, str], ...] = ()
    stored: tuple[tuple[str, str], ...] = ()
    tracer: Tracer | None = None


@dataclass(frozen=True, slots=True)
class _Physical:
    """What holds the rows: SQL for ``FROM``, its columns, and how those that are text are read."""

    sql: str
    columns: tuple[tuple[str, str], ...]
    text: Mapping[str, Reading] = field(default_factory=dict)
    files: FileSet | None = None
    types: tuple[tuple[str, str], ...] = ()
    contents: Contents = field(default_factory=lambda: Contents({}))
    tracer: Tracer | None = None

    def find(self, name: str) -> tuple[str, str] | None:
        wanted = fold(name)
        return next(((found, kind) for found, kind in self.columns if fold(found) == wanted), None)


def resolve(session: Session, root: Path, project: Project, source: Source) -> SourceRelation:
    """Bind a source to what is there now.

    Raises:
        WarehouseError: nothing there, an unreadable file, a missing column, a type that does not widen.
    """
    physical = _physical(session, root, project, source)
    missing = check_missing(source, physical.contents)
    replaced: list[str] = []
    added: list[str] = []
    items: list[str] = []
    from_text: list[tuple[int, str, str]] = []
    stored: dict[str, str] = {}
    for index, column in enumerate(source.columns):
        if column.expression is not None:
            items.append(f"CAST(({column.expression}) AS {column.type}) AS {quote(column.name)}")
            continue
        found = physical.find(column.name)
        if found is None:
            added.append(f"CAST(NULL AS {column.type}) AS {quote(column.name)}")
        elif (how := physical.text.get(fold(found[0]))) is not None:
            if how.value is not None:
                value = how.value(quote(found[0]))
                replaced.append(f"{value} AS {quote(found[0])}")
                from_text.append((index, quote(found[0]), value))
        elif _needs_cast(session, source, index, found):
            replaced.append(f"CAST({quote(found[0])} AS {column.type}) AS {quote(found[0])}")
        if found is not None:
            how = physical.text.get(fold(found[0]))
            stored[column.name] = quote(found[0]) if how is None or how.value is None else how.value(quote(found[0]))
        items.append(f"{quote(column.name)} AS {quote(column.name)}")
    star = "*" + (f" REPLACE ({', '.join(replaced)})" if replaced else "")
    inner = f"(SELECT {', '.join([star, *added])} FROM {physical.sql})" if replaced or added else physical.sql
    sql = f'(SELECT {", ".join(items)} FROM {inner} AS "__smelt_physical")'
    if any(column.expression is not None for column in source.columns):
        _check_expressions(session, source, inner, physical)
    return SourceRelation(
        sql,
        (*missing, *_ignored(source, physical)),
        physical.sql,
        tuple(from_text),
        tuple(stored.items()),
        physical.tracer,
    )


def place_of(session: Session, relation: SourceRelation, row: Mapping[str, str | None]) -> str:
    """The file and line of a row that was read; empty if that cannot be told.

    Args:
        row: declared columns with their values as DuckDB prints them.
    """
    known = [(value, row[name]) for name, value in relation.stored if name in row]
    if relation.tracer is None or not known:
        return ""
    same = " AND ".join(
        f"CAST({value} AS VARCHAR) IS NOT DISTINCT FROM {'NULL' if text is None else quote_literal(text)}"
        for value, text in known
    )
    try:
        return relation.tracer.first(session, same, "NULL").place
    except (duckdb.Error, IndexError):
        return ""


def bad_text(session: Session, source: Source, relation: SourceRelation, samples: int) -> WarehouseError | None:
    """After a failed conversion: the column whose text is no value of its declared type, maybe with one of them."""
    for index, text, value in relation.from_text:
        column = source.columns[index]
        condition = f"{text} IS NOT NULL AND TRY({value}) IS NULL"
        count = int(str(session.one(f"SELECT count(*) FROM {relation.physical}\nWHERE {condition}")[0]))
        if count and relation.tracer is not None:
            found = relation.tracer.first(session, condition, text)
            example = f", for example {session.redact(repr(found.value))}" if samples else ", for example"
            example += f" at {session.redact(found.place)}"
            return fault(
                source_type_mismatch.CODE,
                source.marks.at("columns", index),
                source=source.address,
                column=column.name,
                found=f"no such value in {counted(count, 'row')}{example}",
                declared=column.type,
            )
    return None


def _physical(session: Session, root: Path, project: Project, source: Source) -> _Physical:
    if source.seed_file is not None:
        seed = project.seeds.get(source.address)
        relation = (seed.relation if seed is not None else None) or source.address.default_relation
        return _table(session, source, f"{quote(session.target.schema)}.{quote(relation)}", relation)
    if source.relation is not None:
        return _table(session, source, _dotted(source.relation), source.relation)
    if source.files is not None:
        return _files(session, root, source, source.files)
    raise fault(source_unbound.IN_A_RUN, source_unbound.location(source), source=source.address)


def _table(session: Session, source: Source, sql: str, relation: str) -> _Physical:
    try:
        columns = session.describe(sql)
        return _Physical(sql, columns, contents=Contents({relation: tuple(name for name, _ in columns)}))
    except duckdb.CatalogException as error:
        rows = session.run("SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE NOT internal")
        near = did_you_mean(relation, (str(row[0]) for row in rows))
        near = f"; {near}" if near else ""
        location = source.marks.at("name")
        raise fault(
            source_relation_missing.CODE, location, source=source.address, relation=relation, near=near
        ) from error


def _files(session: Session, root: Path, source: Source, pattern: str) -> _Physical:
    told = session.redact(pattern)
    location = source.marks.at("files")
    try:
        files = find(session, root, pattern)
        if files is None:
            raise fault(source_files_missing.CODE, location, source=source.address, pattern=told)
        bound, contents = _bind(session, source, files), contents_of(session, root, files)
        return replace(bound, contents=contents, tracer=Tracer(root, files, bound.types))
    except HeaderUnreadable as error:
        place = session.redact(shown(root, error.path))
        raise fault(source_file_unreadable.CODE, location, source=source.address, files=place, reason=error) from error
    except duckdb.Error as error:
        if isinstance(error, duckdb.InterruptException):
            raise
        where = broken(error)
        place = told if where is None or where.file is None else session.redact(shown(root, where.file))
        why = reason(error, session.redact) if where is None else session.redact(where.reason)
        code, passing = source_file_unreadable.CODE, is_transient(error)
        raise fault(code, location, transient=passing, source=source.address, files=place, reason=why) from error


def _bind(session: Session, source: Source, files: FileSet) -> _Physical:
    hive = frozenset(files.hive)
    if files.kind != "json":
        columns = session.describe(files.relation())
        names = frozenset(fold(name) for name, _ in columns) if files.kind == "csv" else hive
        return _Physical(files.relation(), columns, _readings(session, source, names, "csv"), files)
    wanted = {fold(column.name): column for column in source.columns if column.expression is None}
    text = _readings(session, source, frozenset(wanted) - hive, "json")
    types = {key: (wanted[key].name, how.stored) for key, how in text.items()}
    if any(column.expression is not None for column in source.columns):
        # Expressions may read columns that are not declared; only for those DuckDB looks at the values.
        for name, kind in session.describe(files.relation()):
            if fold(name) not in hive:
                types.setdefault(fold(name), (name, kind))
    sql = files.relation(tuple(types.values()))
    readings = {**text, **_readings(session, source, hive, "csv")}
    return _Physical(sql, session.describe(sql), readings, files, tuple(types.values()))


def _readings(session: Session, source: Source, names: frozenset[str], written: Format) -> dict[str, Reading]:
    """How the columns of these folded names are read, as far as they are declared."""
    return {
        fold(column.name): reading(session.connection.type(column.type), written)
        for column in source.columns
        if column.expression is None and fold(column.name) in names
    }


def _needs_cast(session: Session, source: Source, index: int, found: tuple[str, str]) -> bool:
    """Whether a physical column must be cast to its declared type; it may be only if nothing can be lost."""
    column = source.columns[index]
    _, kind = found
    return not _same_type(session, kind, column, source.marks.at("columns", index), str(source.address))


def _same_type(session: Session, kind: str, column: SourceColumn, location: Location, source: str) -> bool:
    if normal(kind) == normal(column.type) is not None:
        return True
    canonical = str(session.describe(f"(SELECT CAST(NULL AS {column.type}) AS c)")[0][1])
    if canonical == kind:
        return True
    if widens(kind, canonical):
        return False
    raise fault(
        source_type_mismatch.CODE, location, source=source, column=column.name, found=kind, declared=column.type
    )


def _check_expressions(session: Session, source: Source, inner: str, physical: _Physical) -> None:
    """Each expression's own type must widen to the declared one; the cast that is added cannot lose anything."""
    computed = [(index, column) for index, column in enumerate(source.columns) if column.expression is not None]
    items = ", ".join(f"({column.expression}) AS {quote(column.name)}" for _, column in computed)
    found = session.describe(f'(SELECT {items} FROM {inner} AS "__smelt_physical")')
    for (index, column), (_, kind) in zip(computed, found, strict=True):
        # A number in JSON has no width of its own, and a cast of one that does not fit fails.
        is_number = (
            physical.files is not None and physical.files.kind == "json" and {kind, normal(column.type)} <= _INTEGERS
        )
        if kind.strip('"') != "NULL" and not is_number:
            _same_type(session, kind, column, source.marks.at("columns", index), str(source.address))


def _ignored(source: Source, physical: _Physical) -> tuple[str, ...]:
    """One line on the columns of files that nothing reads."""
    if physical.files is None:
        return ()
    declared_names = {fold(column.name) for column in source.columns}
    expressions = " ".join(fold(column.expression or "") for column in source.columns)
    names = [name for name, _ in physical.columns]
    unused = [name for name in names if fold(name) not in declared_names and fold(name) not in expressions]
    if not unused:
        return ()
    return (f"{source.address}: ignored columns that are not declared: {listed(unused)}",)


def _dotted(name: str) -> str:
    """A dotted relation name with each part quoted; parts may be quoted already."""
    parts: list[str] = [""]
    inside = False
    for char in name:
        if char == '"':
            inside = not inside
        if char == "." and not inside:
            parts.append("")
        else:
            parts[-1] += char
    return ".".join(part if part.startswith('"') else quote(part.strip()) for part in parts)
