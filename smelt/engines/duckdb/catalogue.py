"""Which relations a target's schema has, asked once per session.

DuckDB lets one process write a database, so while a session is open only it changes the schema.
"""

from collections.abc import Callable

import duckdb

from smelt.text.identifiers import fold, quote


class Catalogue:
    """The relations of one schema, read when first asked for and again after :meth:`forget`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, schema: str) -> None:
        self._connection = connection
        self._schema = schema
        self._kinds: dict[str, str] | None = None

    def kind(self, relation: str) -> str | None:
        """``table`` or ``view``, or None if there is no such relation."""
        return self._loaded().get(fold(relation))

    def created(self, kind: str, relation: str) -> None:
        """A relation was made by a statement of its own."""
        self._loaded()[fold(relation)] = kind

    def drop(self, relation: str, run: Callable[[str], object]) -> None:
        """Drop a relation, as the kind it is, if it is there."""
        kind = self._loaded().pop(fold(relation), None)
        if kind is not None:
            run(f"DROP {kind.upper()} {self.place(relation)}")

    def rename(self, old: str, new: str, run: Callable[[str], object]) -> None:
        """Give a relation another name, if it is there."""
        kind = self._loaded().pop(fold(old), None)
        if kind is not None:
            run(f"ALTER {kind.upper()} {self.place(old)} RENAME TO {quote(new)}")
            self._loaded()[fold(new)] = kind

    def forget(self) -> None:
        """What is known may be wrong: a transaction was rolled back."""
        self._kinds = None

    def place(self, relation: str) -> str:
        """The relation with its schema, quoted."""
        return f"{quote(self._schema)}.{quote(relation)}"

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
