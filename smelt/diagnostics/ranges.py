"""Where the findings of one report stand, in lines and columns."""

from collections.abc import Mapping

from smelt.diagnostics.model import Location
from smelt.text.lines import LineIndex, Position
from smelt.text.spans import Span

_BYTE_ORDER_MARK = "\ufeff"


class Ranges:
    """Positions in the files of one report; each file's lines are found once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._indexes: dict[str, LineIndex] = {}

    def knows(self, file: str) -> bool:
        """Whether the file's text is known; one that could not be read has no positions."""
        return file in self._texts

    def of(self, file: str, span: Span) -> tuple[Position, Position]:
        """Both ends of a range, 1-based, in code points, the end exclusive."""
        return self._index(file).range(span)

    def without_mark(self, file: str, span: Span) -> tuple[Position, Position]:
        """The same, not counting a byte order mark: as viewers that strip it count."""
        start, end = self.of(file, span)
        if not self._texts.get(file, "").startswith(_BYTE_ORDER_MARK):
            return start, end
        return _cut(start), _cut(end)

    def first_line(self, location: Location) -> str:
        """The whole line in which a range begins."""
        index = self._index(location.file)
        return index.line(index.position(location.span.start).line)

    def _index(self, file: str) -> LineIndex:
        index = self._indexes.get(file)
        if index is None:
            index = self._indexes[file] = LineIndex(self._texts.get(file, ""))
        return index


def _cut(position: Position) -> Position:
    return Position(1, max(1, position.column - 1)) if position.line == 1 else position
