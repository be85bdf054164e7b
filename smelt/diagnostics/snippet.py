"""The lines of a file around a range, with the range underlined."""

from collections.abc import Iterator
from dataclasses import dataclass

from smelt.diagnostics.cells import Cells, harmless, layout, width_of
from smelt.text.lines import LineIndex, Position
from smelt.text.spans import Span

MOST_LINES = 6
"""A range over more lines shows its first three and its last two."""
_CONTEXT = 8
"""Cells of a clipped line that stand before a range which does not fit by itself."""
_LONGEST = 1000
"""Code points of a line that are looked at: of a longer one, which nobody reads, the part around the range is shown.
Otherwise a report would take time and room by its findings times the length of their line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a snippet, right of the gutter: ``before``, the highlighted ``mark``, ``after``.

    ``number`` is the line shown; None for a row that belongs to the line above it. ``gap`` stands for lines
    that were left out.
    """

    number: int | None
    before: str = ""
    mark: str = ""
    after: str = ""
    gap: bool = False


@dataclass(frozen=True, slots=True)
class Snippet:
    """The rows, and how many digits the greatest line number has."""

    rows: tuple[Row, ...]
    digits: int


def snippet(index: LineIndex, span: Span, mark: str, label: str, width: int | None = None) -> Snippet:
    """What to show of ``span``.

    Args:
        index: the text.
        span: the range; an empty one gets one mark; white space at its end and blank lines before it are not marked.
        mark: the character that underlines.
        label: a few words after the underline; may be empty.
        width: cells that there are for the text; a range on a longer line shows the part around it. None: all of any
            line that a person could have written.
    """
    start, end = index.range(_trimmed(index.text, span))
    note = f" {' '.join(harmless(label).split())}" if label else ""
    if start.line == end.line:
        rows = tuple(_one_line(index, start, end, mark, note, width))
    else:
        rows = tuple(_many_lines(index, start, end, mark, note, width))
    return Snippet(rows, len(str(end.line)))


def _trimmed(text: str, span: Span) -> Span:
    start = min(span.start, len(text))
    kept = text[start : span.end].rstrip()
    shown = kept.lstrip()
    blank = kept[: len(kept) - len(shown)]
    # Lines that the range only begins in show nothing: it is shown from its first word.
    first = start + len(blank) if "\n" in blank or "\r" in blank else start
    return Span(first, start + len(kept)) if kept else Span(start, start)


def _one_line(
    index: LineIndex, start: Position, end: Position, mark: str, note: str, width: int | None
) -> Iterator[Row]:
    near, moved = _near(index.line(start.line), start.column)
    line = layout(near)
    first, last = line.column(start.column - moved), line.column(end.column - moved)
    left, right = _in_view(line, first, last + width_of(note), width)
    yield Row(start.line, before=line.part(left, right))
    # A range that goes on beyond the screen is underlined as far as its label leaves room.
    marked = (last if width is None else min(last, left + width - width_of(note))) - first
    yield Row(None, before=" " * (first - left), mark=mark * max(1, marked) + note)


def _near(line: str, column: int) -> tuple[str, int]:
    """The part of an endless line around a 1-based column, and by how much columns are less in it."""
    if len(line) <= _LONGEST:
        return line, 0
    first = max(0, min(column - 1 - _LONGEST // 2, len(line) - _LONGEST))
    before, after = "…" if first else "", "…" if first + _LONGEST < len(line) else ""
    return before + line[first : first + _LONGEST] + after, first - len(before)


def _in_view(line: Cells, first: int, last: int, width: int | None) -> tuple[int, int]:
    """Which cells of a line are shown, so that those from ``first`` to ``last`` fit below them."""
    whole = max(line.width, last)
    if width is None or whole <= width:
        return 0, line.width
    # Half of what the range leaves stands before it; the beginning of a long range is always in view.
    before = max(_CONTEXT, (width - (last - first)) // 2)
    left = max(0, min(first - before, whole - width))
    return left, min(left + width, line.width)


def _many_lines(
    index: LineIndex, start: Position, end: Position, mark: str, note: str, width: int | None
) -> Iterator[Row]:
    room = None if width is None else width - len("| ")

    def shown(number: int) -> str:
        line = layout(_near(index.line(number), 1)[0])
        return line.part(0, line.width if room is None else min(room, line.width))

    def reached(position: Position) -> int:
        column = layout(_near(index.line(position.line), 1)[0]).column(position.column)
        return column if room is None else min(room, column)

    if index.line(start.line)[: start.column - 1].strip():
        yield Row(start.line, before="  ", after=shown(start.line))
        yield Row(None, before=" ", mark="_" * (reached(start) + 1) + mark)
    else:
        yield Row(start.line, mark="/ ", after=shown(start.line))
    long = end.line - start.line + 1 > MOST_LINES
    for number in range(start.line + 1, end.line + 1):
        if long and start.line + 2 < number < end.line - 1:
            if number == start.line + 3:
                yield Row(None, mark="|", gap=True)
            continue
        yield Row(number, mark="| ", after=shown(number))
    yield Row(None, mark="|" + "_" * reached(end) + mark + note)
