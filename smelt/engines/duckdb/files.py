"""A source's ``files:`` pattern as an explicit list, and the SQL that reads it."""

import glob
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from smelt.engines.duckdb.headers import header_of
from smelt.engines.duckdb.session import Session
from smelt.text.identifiers import fold, quote, quote_literal

_HIVE = re.compile(r"^([^/=]+)=[^/]*$")
_PACKED = (".gz", ".zst")
_CSV = {".csv": ",", ".tsv": "\t"}
_JSON = (".json", ".jsonl", ".ndjson")
_CSV_DIALECT = (
    "header = true, quote = '\"', escape = '\"', allow_quoted_nulls = false, strict_mode = true, null_padding = false"
)
_CSV_OPTIONS = (
    "header = true, all_varchar = true, union_by_name = true, allow_quoted_nulls = false, quote = '\"', escape = '\"'"
)
"""Of files whose header only DuckDB can read."""


@dataclass(frozen=True, slots=True)
class FileSet:
    """The files that a pattern names, sorted, all of one kind.

    Attributes:
        kind: ``parquet``, ``csv`` or ``json``.
        delimiter: of ``csv``.
        hive: the partition columns that every path spells as ``name=value`` folders.
        headers: of ``csv``: the columns of each path; empty if only DuckDB can open them.
    """

    paths: tuple[str, ...]
    kind: str
    delimiter: str = ","
    hive: tuple[str, ...] = ()
    headers: tuple[tuple[str, ...], ...] = ()

    @property
    def typed(self) -> bool:
        """Whether the files carry types of their own."""
        return self.kind == "parquet"

    def relation(self, types: tuple[tuple[str, str], ...] = (), *, file_column: str = "") -> str:
        """SQL for ``FROM``.

        Args:
            types: for JSON: the columns to read and their types; without, DuckDB looks at every value.
            file_column: a column to add that names each row's file; none is added if this is empty.
        """
        listed = "[" + ", ".join(quote_literal(path) for path in self.paths) + "]"
        hive = "true" if self.hive else "false"
        filename = quote_literal(file_column) if file_column else "false"
        common = f"hive_partitioning = {hive}, hive_types_autocast = false, filename = {filename}"
        if self.kind == "parquet":
            return f"read_parquet({listed}, union_by_name = true, {common})"
        if self.headers:
            groups: dict[tuple[str, ...], list[str]] = {}
            for path, header in zip(self.paths, self.headers, strict=True):
                groups.setdefault(header, []).append(path)
            parts = [read_csv(paths, self.delimiter, names, (common,)) for names, paths in groups.items()]
            union = " UNION ALL BY NAME ".join(f"SELECT * FROM {part}" for part in parts)
            return parts[0] if len(parts) == 1 else f"({union})"
        if self.kind == "csv":
            return f"read_csv({listed}, delim = {quote_literal(self.delimiter)}, {_CSV_OPTIONS}, {common})"
        if not types:
            return f"read_json({listed}, union_by_name = true, sample_size = -1, {common})"
        columns = ", ".join(f"{quote(name)}: {quote_literal(kind)}" for name, kind in types)
        return f"read_json({listed}, columns = {{{columns}}}, {common})"


def read_csv(paths: Iterable[str], delimiter: str, names: Iterable[str], options: Iterable[str] = ()) -> str:
    """A call that reads files of one header as text, nothing guessed: what is no row of that header is an error."""
    listed = "[" + ", ".join(quote_literal(path) for path in paths) + "]"
    columns = ", ".join(f"{quote(name)}: 'VARCHAR'" for name in names)
    settings = ("auto_detect = false", f"delim = {quote_literal(delimiter)}", _CSV_DIALECT, *options)
    return f"read_csv({listed}, columns = {{{columns}}}, {', '.join(settings)})"


def find(session: Session, root: Path, pattern: str) -> FileSet | None:
    """The files that match now; None if none do. Relative patterns start at the project's root.

    Raises:
        HeaderUnreadable: a text file has no header.
    """
    if "://" in pattern:
        rows = session.run("SELECT file FROM glob($pattern) ORDER BY file", {"pattern": pattern})
        paths = tuple(str(row[0]) for row in rows) if "*" in pattern else (pattern,)
    else:
        absolute = Path(pattern) if Path(pattern).is_absolute() else Path(glob.escape(str(root))) / pattern
        # Path.glob takes no absolute pattern.
        found = glob.iglob(str(absolute), recursive=True)  # noqa: PTH207
        paths = tuple(sorted(path for path in found if Path(path).is_file()))
    if not paths:
        return None
    kind, delimiter = _kind(pattern if _suffix(pattern) else paths[0])
    return FileSet(paths, kind, delimiter, _hive(paths), _headers(paths, delimiter) if kind == "csv" else ())


def _headers(paths: tuple[str, ...], delimiter: str) -> tuple[tuple[str, ...], ...]:
    found = [header_of(path, delimiter) for path in paths]
    known = tuple(header for header in found if header is not None)
    return known if len(known) == len(paths) else ()


def _kind(path: str) -> tuple[str, str]:
    suffix = _suffix(path)
    if suffix in _CSV:
        return "csv", _CSV[suffix]
    return ("json" if suffix in _JSON else "parquet"), ","


def _suffix(path: str) -> str:
    """The extension that tells the kind, below one that tells the packing."""
    name = path.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    last = name.rpartition("/")[2]
    suffix = "." + last.rpartition(".")[2] if "." in last else ""
    return suffix if "*" not in suffix and "?" not in suffix else ""


def _hive(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The keys that all paths share, in the order of the first path; none if they differ."""
    keys = [_keys(path) for path in paths]
    return keys[0] if all(found == keys[0] for found in keys) else ()


def _keys(path: str) -> tuple[str, ...]:
    found = (_HIVE.match(part) for part in path.split("/")[:-1])
    names = [match.group(1) for match in found if match]
    return tuple(dict.fromkeys(fold(name) for name in names))
