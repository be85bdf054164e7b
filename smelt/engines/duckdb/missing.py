"""Declared columns that the data has not: in none of the files, or in some."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from smelt.engines.duckdb.files import FileSet
from smelt.engines.duckdb.session import Session
from smelt.engines.errors import fault
from smelt.engines.model import WarehouseError
from smelt.engines.rules import source_column_missing
from smelt.project.model import Source
from smelt.text.identifiers import fold, quote_literal

_SHOWN = 12
_SEPARATORS = ";\t|,"


@dataclass(frozen=True, slots=True)
class Contents:
    """What holds a source's rows, by the places that a person knows, each with the columns it has.

    A file of JSON values has no columns of its own: a value that lacks a name has NULL there.
    """

    places: Mapping[str, tuple[str, ...]]

    def without(self, column: str) -> tuple[str, ...]:
        """The places that have no such column."""
        wanted = fold(column)
        return tuple(place for place, names in self.places.items() if wanted not in map(fold, names))


def contents_of(session: Session, root: Path, files: FileSet) -> Contents:
    """The columns of each file."""
    if files.kind == "csv" and files.headers:
        found = {path: (*names, *files.hive) for path, names in zip(files.paths, files.headers, strict=True)}
    elif files.kind == "parquet":
        found = {path: (*names, *files.hive) for path, names in _schemas(session, files.paths).items()}
    else:
        found = {}
    return Contents({shown(root, path): names for path, names in found.items()})


def check_missing(source: Source, contents: Contents) -> tuple[str, ...]:
    """What to tell a person of columns that read NULL because some file, or the table, lacks them.

    Raises:
        WarehouseError: ``SourceColumnMissing``: such a column is declared NOT NULL, or a place has none at all.
    """
    stored = [(at, column) for at, column in enumerate(source.columns) if column.expression is None]
    notices = []
    strange = [place for place in contents.places if all(place in contents.without(one.name) for _, one in stored)]
    for at, column in stored:
        lacking = strange or contents.without(column.name)
        if lacking and (strange or not column.nullable):
            raise _missing(source, at, lacking, contents)
        if lacking:
            notices.append(f"{source.address}: {_listed(lacking)}: no column {column.name}, it reads NULL")
        if lacking and len(lacking) == len(contents.places):
            has = dict.fromkeys(name for names in contents.places.values() for name in names)
            notices[-1] += f" in every row; there are {listed(has)}"
    return tuple(notices)


def shown(root: Path, path: str) -> str:
    """A file as a person knows it: from the project's root where it lies there."""
    return Path(path).relative_to(root).as_posix() if Path(path).is_relative_to(root) else path


def listed(names: Iterable[str]) -> str:
    """Names, the first few of them."""
    found = list(names)
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(found[:_SHOWN]) + more


def _missing(source: Source, at: int, lacking: Iterable[str], contents: Contents) -> WarehouseError:
    places = list(lacking)
    names = contents.places[places[0]]
    has = listed(names)
    separator = next((one for one in _SEPARATORS if len(names) == 1 and one in names[0]), None)
    if separator is not None:
        has += f", which seems to be several separated by {separator!r}"
    return fault(
        source_column_missing.CODE,
        source.marks.at("columns", at),
        source=source.address,
        place=_listed(places),
        column=source.columns[at].name,
        candidates=has,
    )


def _listed(places: Iterable[str]) -> str:
    found = list(places)
    return found[0] + (f" and {len(found) - 1} more" if len(found) > 1 else "")


def _schemas(session: Session, paths: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The top columns of each Parquet file: its schema is a tree, written parent first."""
    files = ", ".join(quote_literal(path) for path in paths)
    rows = session.run(f"SELECT file_name, name, num_children FROM parquet_schema([{files}])")
    found: dict[str, list[str]] = {}
    open_groups: list[int] = []
    for file, name, children in rows:
        names = found.get(str(file))
        if names is None:
            found[str(file)] = []
            open_groups = [int(str(children or 0))]
            continue
        if len(open_groups) == 1:
            names.append(str(name))
        open_groups[-1] -= 1
        if children:
            open_groups.append(int(str(children)))
        while len(open_groups) > 1 and open_groups[-1] == 0:
            open_groups.pop()
    return {file: tuple(names) for file, names in found.items()}
