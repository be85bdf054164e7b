"""Which relations a target's schema has, asked once per session.

DuckDB lets one process write a database, so while sessions are open only they change the schema. Those of one process
tell each other what they committed.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from threading import Lock

import duckdb

from smelt.text.identifiers import fold, quote


@dataclass(frozen=True, slots=True)
class StandingColumn:
    """A column of a relation that is there, typed as DuckDB prints it."""

    name: str
    type: str
    nullable: bool

    @property
    def shown(self) -> str:
        """Its type, as it would be declared."""
        return self.type if self.nullable else f"{self.type} NOT NULL"


class Commits:
    """What the sessions of one database changed in its schema and committed, in order. Safe for threads."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._changes: list[tuple[str, str | None]] = []

    def tell(self, changes: Mapping[str, str | None]) -> None:
        """Relations by folded name, each with its kind from now on; None if it is gone."""
        with self._guard:
            self._changes.extend(changes.items())

    def since(self, number: int) -> list[tuple[str, str | None]]:
        """All changes but the first ``number``."""
        with self._guard:
            return self._changes[number:]


class Catalogue:
    """The relations of one schema, read when first asked for and again after :meth:`forget`.

    Not safe for threads: each session has its own. ``commits`` is what it shares with those of the same database.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, schema: str, commits: Commits | None = None) -> None:
        self._connection = connection
        self._schema = schema
        self.commits = commits or Commits()
        self._kinds: dict[str, str] | None = None
        self._columns: dict[str, tuple[StandingColumn, ...]] = {}
        self._own: dict[str, str | None] = {}
        self._heard = 0

    def kind(self, relation: str) -> str | None:
        """``table`` or ``view``, or None if there is no such relation."""
        return self._loaded().get(fold(relation))

    def columns(self, relation: str) -> tuple[StandingColumn, ...]:
        """The columns of a relation that is there, in order."""
        name = fold(relation)
        if name not in self._columns:
            rows = self._connection.execute(f"DESCRIBE {self.place(relation)}").fetchall()
            self._columns[name] = tuple(StandingColumn(row[0], row[1], row[2] == "YES") for row in rows)
        return self._columns[name]

    def created(self, kind: str, relation: str) -> None:
        """A relation was made or altered by a statement of its own."""
        self._set(relation, kind)

    def drop(self, relation: str, run: Callable[[str], object]) -> None:
        """Drop a relation, as the kind it is, if it is there."""
        kind = self.kind(relation)
        self._set(relation, None)
        if kind is not None:
            run(f"DROP {kind.upper()} {self.place(relation)}")

    def rename(self, old: str, new: str, run: Callable[[str], object]) -> None:
        """Give a relation another name, if it is there."""
        kind = self.kind(old)
        if kind is not None:
            run(f"ALTER {kind.upper()} {self.place(old)} RENAME TO {quote(new)}")
            self._set(old, None)
            self._set(new, kind)

    def forget(self) -> None:
        """What is known may be wrong: a transaction was rolled back."""
        self._kinds = None
        self._columns.clear()
        self._own.clear()

    def committed(self) -> None:
        """What this session changed is there for the others from now on."""
        if self._own:
            self.commits.tell(self._own)
            self._own.clear()

    def catch_up(self) -> None:
        """Take in what was committed; to be called where no transaction is open.

        A change that was read from the database already is applied once more: the last one of a name wins.
        """
        news = self.commits.since(self._heard)
        self._heard += len(news)
        for name, kind in news:
            self._columns.pop(name, None)
            if self._kinds is not None:
                self._put(name, kind)

    def hidden(self, names: Collection[str]) -> str | None:
        """One of these names, or of the schema's relations, that a temporary relation has too.

        DuckDB looks for ``main.x`` among temporary relations first.
        """
        if fold(self._schema) != "main":
            return None
        rows = self._connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'temp'\n"
            "UNION ALL SELECT view_name FROM duckdb_views() WHERE database_name = 'temp' AND NOT internal"
        ).fetchall()
        taken = {fold(name) for name in (*self._loaded(), *names)}
        return next((str(row[0]) for row in rows if fold(row[0]) in taken), None)

    def place(self, relation: str) -> str:
        """The relation with its schema, quoted."""
        return f"{quote(self._schema)}.{quote(relation)}"

    def _set(self, relation: str, kind: str | None) -> None:
        name = fold(relation)
        self._loaded()
        self._put(name, kind)
        self._columns.pop(name, None)
        self._own[name] = kind

    def _put(self, name: str, kind: str | None) -> None:
        kinds = self._loaded()
        if kind is None:
            kinds.pop(name, None)
        else:
            kinds[name] = kind

    def _loaded(self) -> dict[str, str]:
        if self._kinds is None:
            rows = self._connection.execute(
                "SELECT table_name, 'table' FROM duckdb_tables()\n"
                "WHERE database_name = current_database() AND lower(schema_name) = lower($schema)\n"
                "UNION ALL SELECT view_name, 'view' FROM duckdb_views()\n"
                "WHERE database_name = current_database() AND lower(schema_name) = lower($schema)",
                {"schema": self._schema},
            ).fetchall()
            self._kinds = {fold(name): kind for name, kind in rows}
        return self._kinds
