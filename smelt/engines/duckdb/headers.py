"""Text files by their lines: the header, and the line where a row begins.

DuckDB guesses a header from the rows below it, and falls back to other columns where rows are broken. So the header
is read here, and DuckDB is told what columns to expect.
"""

import csv
import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO

from smelt.text.identifiers import fold


class HeaderUnreadable(Exception):
    """The first line of ``path`` names no columns; the message says why."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(why)
        self.path = path


def header_of(path: str, delimiter: str) -> tuple[str, ...] | None:
    """The column names of a CSV file; None if only DuckDB can open it.

    Raises:
        HeaderUnreadable: there is no header, or it names a column twice.
    """
    if not is_readable(path):
        return None
    try:
        with _opened(path) as file:
            row = next(csv.reader(file, delimiter=delimiter, skipinitialspace=True, strict=True), [])
    except (OSError, EOFError, csv.Error) as error:
        raise HeaderUnreadable(path, f"line 1: {_said(error)}") from error
    names = [name.strip() or f"column{at}" for at, name in enumerate(row)]
    if not names:
        raise HeaderUnreadable(path, "line 1 is empty, where the names of the columns stand")
    folded = [fold(name) for name in names]
    twice = next((name for at, name in enumerate(names) if fold(name) in folded[:at]), None)
    if twice is not None:
        raise HeaderUnreadable(path, f"line 1 names the column {twice} twice")
    return tuple(names)


def line_of_csv(path: str, delimiter: str, number: int) -> int | None:
    """The line where data row ``number`` (from 1) of a CSV file begins; None if it cannot be told."""
    if not is_readable(path):
        return None
    begins, seen = 1, -1
    try:
        with _opened(path) as file:
            rows = csv.reader(file, delimiter=delimiter)
            for row in rows:
                seen += bool(row)
                if seen == number:
                    return begins
                begins = rows.line_num + 1
    except (OSError, EOFError, csv.Error):
        return None
    return None


def line_of_json(path: str, number: int) -> int | None:
    """The line of value ``number`` (from 1) of a file with one JSON value a line; None if it is not such a file."""
    if not is_readable(path):
        return None
    try:
        with _opened(path) as file:
            lines = ((at, line) for at, line in enumerate(file, start=1) if line.strip())
            at, line = next(islice(lines, number - 1, None), (0, ""))
        json.loads(line)
    except (OSError, EOFError, ValueError):
        return None
    return at


def is_readable(path: str) -> bool:
    """Whether the file can be opened here: it is on this machine, as it is or packed by gzip."""
    return "://" not in path and not path.lower().endswith(".zst")


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    if path.lower().endswith(".gz"):
        with gzip.open(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as packed:
            yield packed
    else:
        with Path(path).open(encoding="utf-8-sig", errors="replace", newline="") as plain:
            yield plain


def _said(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
