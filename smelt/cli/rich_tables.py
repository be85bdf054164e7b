"""Rows as a table on a terminal that has colours."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from smelt.cli.terminal import Terminal
from smelt.diagnostics.cells import harmless


def print_table(
    terminal: Terminal, header: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[bool]
) -> None:
    """Print rows to stdout; NULL is dimmed, columns that do not fit the screen wrap.

    Args:
        terminal: where to print.
        header: a name for each column.
        rows: cells as text or None.
        right: for each column, whether it is set flush right.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name, flush in zip(header, right, strict=True):
        table.add_column(Text(harmless(name)), justify="right" if flush else "left")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    Console(file=terminal.out, highlight=False).print(table)


def _cell(value: object) -> Text:
    return Text("NULL", style="dim") if value is None else Text(harmless(str(value)))
