"""A seed's CSV file as SQL: the columns that its header names, in the types of its sidecar or those DuckDB finds."""

from dataclasses import dataclass
from pathlib import Path

import duckdb

from smelt.engines.digests import digest_of
from smelt.engines.duckdb.broken import broken
from smelt.engines.duckdb.errors import reason
from smelt.engines.duckdb.files import read_csv
from smelt.engines.duckdb.headers import HeaderUnreadable, header_of, line_of_csv
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.textual import Reading, reading
from smelt.engines.errors import fault
from smelt.engines.model import WarehouseError
from smelt.engines.rules import seed_unreadable
from smelt.project.model import Seed
from smelt.text.identifiers import fold, quote, quote_literal


@dataclass(frozen=True, slots=True)
class SeedFile:
    """The file of a seed under a project's root."""

    session: Session
    seed: Seed
    path: Path

    def digest(self) -> str:
        """Hash of the file's bytes and of the types it is read as.

        Raises:
            WarehouseError: ``SeedUnreadable``.
        """
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise self._fault(error.strerror or str(error)) from error
        return digest_of(content, self.seed)

    def query(self) -> str:
        """SQL that gives the seed's rows.

        Raises:
            WarehouseError: ``SeedUnreadable``: no header, or not the one that the sidecar declares.
            duckdb.Error: a row is broken; :meth:`explained` says which.
        """
        names = self._header()
        text = read_csv([str(self.path)], ",", names)
        readings = self._declared(names)
        if readings is None:
            # What DuckDB makes of broken rows is another table, so they must be found before it looks for types.
            self.session.run(f"SELECT count(*) FROM {text}")
            listed = ", ".join(quote_literal(name) for name in names)
            dialect = "header = true, delim = ',', quote = '\"', escape = '\"', sample_size = -1"
            return f"SELECT * FROM read_csv({quote_literal(str(self.path))}, {dialect}, names = [{listed}])"
        values = [
            f"{how.value(quote(name))} AS {quote(name)}"
            for name in names
            if (how := readings.get(fold(name))) is not None and how.value is not None
        ]
        replaced = f" REPLACE ({', '.join(values)})" if values else ""
        return f"SELECT *{replaced} FROM {text}"

    def explained(self, error: duckdb.Error) -> WarehouseError:
        """Why loading failed, with the line; asked outside of the failed transaction."""
        place = broken(error)
        if place is not None:
            return self._fault(f"line {place.line}: {place.reason}" if place.line is not None else place.reason)
        return self._bad_value() or self._fault(reason(error, self.session.redact))

    def _header(self) -> tuple[str, ...]:
        try:
            return header_of(str(self.path), ",") or ()
        except HeaderUnreadable as error:
            raise self._fault(str(error)) from error

    def _declared(self, names: tuple[str, ...]) -> dict[str, Reading] | None:
        """How the sidecar's columns are read; None without one."""
        source = self.seed.source
        if source is None or not source.columns:
            return None
        there = {fold(name) for name in names}
        stored = [column for column in source.columns if column.expression is None]
        missing = next((column.name for column in stored if fold(column.name) not in there), None)
        if missing is not None:
            listed = ", ".join(names)
            raise self._fault(f"line 1 has no column {missing}, which {source.marks.file} declares; it has {listed}")
        return {fold(column.name): reading(self.session.connection.type(column.type), "csv") for column in stored}

    def _bad_value(self) -> WarehouseError | None:
        """The first value that is none of its declared type."""
        names = self._header()
        text = read_csv([str(self.path)], ",", names)
        source = self.seed.source
        declared = {fold(column.name): column.type for column in (source.columns if source is not None else ())}
        for name, how in (self._declared(names) or {}).items():
            if how.value is None:
                continue
            column = quote(name)
            rows = self.session.run(
                f"SELECT row_, {column} FROM (SELECT row_number() OVER () AS row_, * FROM {text})\n"
                f"WHERE {column} IS NOT NULL AND TRY({how.value(column)}) IS NULL LIMIT 1"
            )
            if rows:
                line = line_of_csv(str(self.path), ",", int(str(rows[0][0])))
                shown = self.session.redact(repr(rows[0][1]))
                return self._fault(f"line {line}: {shown} in {name} is no value of {declared[name]}")
        return None

    def _fault(self, why: str) -> WarehouseError:
        return fault(seed_unreadable.CODE, seed=self.seed.address, file=self.seed.file, reason=why)
