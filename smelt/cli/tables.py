"""Rows of text in aligned columns."""

from collections.abc import Sequence

from smelt.diagnostics.cells import one_line, width_of

_NUMERIC = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DECIMAL", "FLOAT", "DOUBLE")


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool] = ()) -> str:
    """The rows under their header, columns two spaces apart.

    Args:
        header: a name for each column.
        rows: cells as text; line ends and control characters in them are made visible.
        right: for each column, whether it is set flush right; none is if left out.
    """
    shown = [[_cell(cell) for cell in row] for row in (header, *rows)]
    widths = [max(width_of(row[column]) for row in shown) for column in range(len(header))]
    flush = list(right) or [False] * len(header)
    shown.insert(1, ["-" * width for width in widths])
    return "".join(_line(row, widths, flush) for row in shown)


def csv_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """The rows as CSV (RFC 4180, lines ended by a line feed): NULL is empty, an empty text is ``""``."""
    lines = [",".join(_csv_cell(cell) for cell in row) for row in (header, *rows)]
    return "".join(f"{line}\n" for line in lines)


def is_numeric(duckdb_type: str) -> bool:
    """Whether values of a type are set flush right."""
    name = duckdb_type.partition("(")[0]
    return name.removeprefix("U") in _NUMERIC


def _csv_cell(cell: object) -> str:
    if cell is None:
        return ""
    written = str(cell)
    if written and not any(mark in written for mark in '",\r\n') and written == written.strip():
        return written
    return '"' + written.replace('"', '""') + '"'


def _cell(cell: str) -> str:
    return one_line(cell)


def _line(row: Sequence[str], widths: Sequence[int], flush: Sequence[bool]) -> str:
    cells = []
    for cell, width, right in zip(row, widths, flush, strict=True):
        blank = " " * (width - width_of(cell))
        cells.append(blank + cell if right else cell + blank)
    return "  ".join(cells).rstrip() + "\n"
