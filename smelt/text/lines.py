"""Offsets to lines and back.

Only ``\\n``, ``\\r\\n`` and ``\\r`` end a line, as the language server protocol has it. ``str.splitlines``
also splits on form feed, U+2028 and others, which would move every position after them.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from smelt.text.spans import Span

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A 1-based line and a 1-based column, counted in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class LineIndex:
    """The line table of one text."""

    text: str
    starts: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        starts = (0, *(match.end() for match in _LINE_END.finditer(self.text)))
        object.__setattr__(self, "starts", starts)

    @property
    def count(self) -> int:
        """How many lines there are; a text that ends in a line end has an empty last one."""
        return len(self.starts)

    def position(self, offset: int) -> Position:
        """The position of a code point offset, clamped to the text."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset)
        return Position(line, offset - self.starts[line - 1] + 1)

    def offset(self, position: Position) -> int:
        """The offset of a position, clamped to its line and to the text."""
        if position.line < 1:
            return 0
        if position.line > self.count:
            return len(self.text)
        start = self.starts[position.line - 1]
        return min(start + max(position.column - 1, 0), start + len(self.line(position.line)))

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its line end."""
        start = self.starts[number - 1]
        end = self.starts[number] if number < self.count else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def range(self, span: Span) -> tuple[Position, Position]:
        """The positions of both ends of a span."""
        return self.position(span.start), self.position(span.end)
