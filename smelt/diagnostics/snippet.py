"""The lines of a file around a range, with the range underlined."""

from collections.abc import Iterator
from dataclasses import dataclass

from smelt.diagnostics.cells import harmless, layout
from smelt.text.lines import LineIndex, Position
from smelt.text.spans import Span

MOST_LINES = 6
"""A range over more lines shows its first three and its last two."""


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


def snippet(index: LineIndex, span: Span, mark: str, label: str) -> Snippet:
    """What to show of ``span``.

    Args:
        index: the text.
        span: the range; an empty one gets one mark, and white space at its end is not marked.
        mark: the character that underlines.
        label: a few words after the underline; may be empty.
    """
    start, end = index.range(_trimmed(index.text, span))
    note = f" {' '.join(harmless(label).split())}" if label else ""
    if start.line == end.line:
        rows = tuple(_one_line(index, start, end, mark, note))
    else:
        rows = tuple(_many_lines(index, start, end, mark, note))
    return Snippet(rows, len(str(end.line)))


def _trimmed(text: str, span: Span) -> Span:
    start = min(span.start, len(text))
    kept = text[start : span.end].rstrip()
    return Span(start, start + len(kept)) if kept else Span(start, start)


def _one_line(index: LineIndex, start: Position, end: Position, mark: str, note: str) -> Iterator[Row]:
    line = layout(index.line(start.line))
    first = line.column(start.column)
    width = max(1, line.column(end.column) - first)
    yield Row(start.line, before=line.shown)
    yield Row(None, before=" " * first, mark=mark * width + note)


def _many_lines(index: LineIndex, start: Position, end: Position, mark: str, note: str) -> Iterator[Row]:
    opening = layout(index.line(start.line))
    first = opening.column(start.column)
    if opening.shown[:first].strip():
        yield Row(start.line, before="  ", after=opening.shown)
        yield Row(None, before=" ", mark="_" * (first + 1) + mark)
    else:
        yield Row(start.line, mark="/ ", after=opening.shown)
    long = end.line - start.line + 1 > MOST_LINES
    for number in range(start.line + 1, end.line + 1):
        if long and start.line + 2 < number < end.line - 1:
            if number == start.line + 3:
                yield Row(None, mark="|", gap=True)
            continue
        yield Row(number, mark="| ", after=layout(index.line(number)).shown)
    last = layout(index.line(end.line)).column(end.column)
    yield Row(None, mark="|" + "_" * last + mark + note)
