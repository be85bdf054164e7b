"""Where in a source's files a row stands, so that a message can say it. Asked after a failure only."""

from dataclasses import dataclass
from pathlib import Path

import duckdb

from smelt.engines.duckdb.broken import broken
from smelt.engines.duckdb.files import FileSet
from smelt.engines.duckdb.headers import line_of_csv, line_of_json
from smelt.engines.duckdb.missing import shown
from smelt.engines.duckdb.session import Session
from smelt.text.identifiers import quote_literal

_FILE = "__smelt_file"


@dataclass(frozen=True, slots=True)
class Traced:
    """A row: where it stands, as a person reads it, and a value of it."""

    place: str
    value: object


@dataclass(frozen=True, slots=True)
class Tracer:
    """The files of one source, read again with the file of each row beside it.

    Attributes:
        root: of the project.
        types: as :meth:`smelt.engines.duckdb.files.FileSet.relation` takes them.
    """

    root: Path
    files: FileSet
    types: tuple[tuple[str, str], ...] = ()

    def first(self, session: Session, condition: str, value: str) -> Traced:
        """The first row, in the order of the files, for which a condition over what the files hold is true.

        Raises:
            IndexError: there is none.
            duckdb.Error: the files cannot be read.
        """
        relation = self.files.relation(self.types, file_column=_FILE)
        path = str(session.one(f"SELECT min({_FILE}) FROM {relation} WHERE {condition}")[0])
        rows = f"SELECT row_number() OVER () AS {_FILE}_row, * FROM {relation} WHERE {_FILE} = {quote_literal(path)}"
        number, found = session.one(f"SELECT {_FILE}_row, {value} FROM ({rows}) WHERE {condition} LIMIT 1")
        return Traced(self._place(path, int(str(number))), found)

    def unreadable(self, error: duckdb.Error) -> tuple[str, str] | None:
        """The file, maybe with its line, that an error is about, and what is wrong with it; None for another error."""
        found = broken(error)
        if found is None or found.file is None or found.file not in self.files.paths:
            return None
        line = "" if found.line is None else f":{found.line}"
        return shown(self.root, found.file) + line, found.reason

    def _place(self, path: str, number: int) -> str:
        if self.files.kind == "csv":
            line = line_of_csv(path, self.files.delimiter, number)
        else:
            line = line_of_json(path, number) if self.files.kind == "json" else None
        name = shown(self.root, path)
        return f"{name}, row {number}" if line is None else f"{name}:{line}"
