"""Reading what is built: a read-only connection that takes no lock of the project and changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from smelt.engines.duckdb.counterexamples import failing_rows
from smelt.engines.duckdb.session import Row, Session, connect
from smelt.engines.duckdb.statements import columns, qualified, same
from smelt.engines.model import BuiltColumn
from smelt.project.model import Target
from smelt.text.identifiers import fold, quote

Encoding = Literal["text", "json"]
"""``text``: values as DuckDB prints them. ``json``: each as a JSON text of its own."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A built relation and its columns, in order."""

    name: str
    columns: tuple[BuiltColumn, ...]

    def column(self, name: str) -> BuiltColumn:
        """The column that DuckDB finds under a name.

        Raises:
            KeyError: none.
        """
        wanted = fold(name)
        for column in self.columns:
            if fold(column.name) == wanted:
                return column
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class InForce:
    """The version of each key that is in force at an instant.

    A delete ends a version without being a row, so the tombstone ledger is read beside the table.

    Attributes:
        at: the instant, as SQL text of the clock's type.
        key: the output columns that hold the key.
        clock: the output column that holds the clock.
        ledger: the tombstone ledger's name, if the model has one.
        ledger_columns: its columns, key first and clock last.
    """

    at: str
    key: tuple[str, ...]
    clock: str
    ledger: str | None = None
    ledger_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowQuery:
    """Which rows to read.

    Attributes:
        keys: for each key column its accepted values, as SQL text of the column's type.
        order: columns to sort by; none keeps the relation's own order.
        limit: at most so many rows; None reads all.
    """

    relation: Relation
    encoding: Encoding
    keys: tuple[tuple[str, tuple[str, ...]], ...] = ()
    in_force: InForce | None = None
    order: tuple[str, ...] = ()
    limit: int | None = None


class UnreadableValue(Exception):
    """A value that a person gave is none of the column's type."""

    def __init__(self, value: str, column: BuiltColumn) -> None:
        super().__init__(f"{value} is no {column.type}, which {column.name} is")


@dataclass(frozen=True, slots=True)
class Reader:
    """An open read-only connection."""

    session: Session

    def relation(self, name: str) -> Relation | None:
        """A table or view of the target's schema; None if it is not there."""
        with self.session.named(name):
            rows = self.session.run(
                "SELECT column_name, data_type, is_nullable FROM duckdb_columns() "
                "WHERE database_name = current_database() AND lower(schema_name) = lower($schema) "
                "AND lower(table_name) = lower($name) ORDER BY column_index",
                {"schema": self.session.target.schema, "name": name},
            )
        if not rows:
            return None
        return Relation(name, tuple(BuiltColumn(str(column), str(kind), bool(null)) for column, kind, null in rows))

    def rows(self, query: RowQuery) -> tuple[Row, ...]:
        """The rows, encoded.

        Raises:
            UnreadableValue: a key or the instant is no value of its column's type.
            WarehouseError: the query fails.
        """
        parameters: dict[str, str] = {}
        with self.session.named(query.relation.name):
            self._check_values(query)
            sql = _rows_sql(query, self.session.target.schema, parameters)
            return tuple(self.session.run(sql, parameters))

    def count(self, query: RowQuery) -> int:
        """How many rows the query has without its limit."""
        parameters: dict[str, str] = {}
        body = _body(query, self.session.target.schema, parameters)
        with self.session.named(query.relation.name):
            return int(str(self.session.run(f"SELECT count(*) FROM {body}", parameters)[0][0]))

    def failing_rows(self, sql: str, limit: int) -> tuple[int, tuple[Row, ...]]:
        """How many rows a test's query finds, and the first few of them."""
        return failing_rows(self.session, sql, limit)

    def close(self) -> None:
        """Close the connection. Never raises."""
        self.session.connection.close()

    def _check_values(self, query: RowQuery) -> None:
        given = [(column, value) for column, values in query.keys for value in values]
        if query.in_force is not None:
            given.append((query.in_force.clock, query.in_force.at))
        for name, value in given:
            column = query.relation.column(name)
            if self.session.one(f"SELECT TRY_CAST($value AS {column.type}) IS NULL", {"value": value})[0]:
                raise UnreadableValue(value, column)


def open_reader(root: Path, target: Target, redacted: Sequence[str] = ()) -> Reader | None:
    """Open the target's database to read; None if there is no database yet.

    Raises:
        WarehouseError: held by a program that writes (``busy``), or no database.
    """
    in_file = "://" not in target.database and not target.database.startswith((":memory:", "md:"))
    if in_file and not (root / target.database).exists():
        return None
    return Reader(connect(root, target, read_only=True, redacted=redacted))


def _rows_sql(query: RowQuery, schema: str, parameters: dict[str, str]) -> str:
    items = ", ".join(_encoded(column, query.encoding) for column in query.relation.columns)
    order = f" ORDER BY {columns(query.order, 'shown')}" if query.order else ""
    limit = "" if query.limit is None else f" LIMIT {query.limit:d}"
    return f"SELECT {items} FROM {_body(query, schema, parameters)} AS shown{order}{limit}"


def _encoded(column: BuiltColumn, encoding: Encoding) -> str:
    name = f"shown.{quote(column.name)}"
    if encoding == "text":
        return f"CAST({name} AS VARCHAR)"
    # A JSON number would lose a decimal's scale and, in many readers, its last digits.
    value = f"CAST({name} AS VARCHAR)" if column.type.startswith("DECIMAL") else name
    return f"CAST(to_json({value}) AS VARCHAR)"


def _body(query: RowQuery, schema: str, parameters: dict[str, str]) -> str:
    table = qualified(schema, query.relation.name)
    conditions = [_key_condition(query.relation, name, values, parameters) for name, values in query.keys]
    if query.in_force is not None:
        conditions.append(_in_force(query, query.in_force, schema, parameters))
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"(SELECT row_.* FROM {table} AS row_{where})"


def _key_condition(relation: Relation, name: str, values: tuple[str, ...], parameters: dict[str, str]) -> str:
    kind = relation.column(name).type
    return f"row_.{quote(name)} IN ({', '.join(_value(value, kind, parameters) for value in values)})"


def _in_force(query: RowQuery, wanted: InForce, schema: str, parameters: dict[str, str]) -> str:
    """A row is in force if it has begun and nothing of its key, deletes included, has begun since."""
    at = _value(wanted.at, query.relation.column(wanted.clock).type, parameters)
    names = (*wanted.key, wanted.clock)
    points = f"SELECT {columns(names)} FROM {qualified(schema, query.relation.name)}"
    if wanted.ledger is not None:
        points += f" UNION ALL SELECT {columns(wanted.ledger_columns)} FROM {qualified(schema, wanted.ledger)}"
    clock = quote(wanted.clock)
    later = f"{same(wanted.key, 'point', 'row_')} AND point.{clock} > row_.{clock} AND point.{clock} <= {at}"
    return f"row_.{clock} <= {at} AND NOT EXISTS (SELECT 1 FROM ({points}) AS point WHERE {later})"


def _value(value: str, kind: str, parameters: dict[str, str]) -> str:
    name = f"value{len(parameters)}"
    parameters[name] = value
    return f"CAST(${name} AS {kind})"
