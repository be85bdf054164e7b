"""Offsets in code points to the protocol's positions and back, in each of its three encodings."""

from enum import StrEnum

from smelt.text.lines import LineIndex


class PositionEncoding(StrEnum):
    """What the protocol counts in: bytes, UTF-16 code units or code points."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def units(text: str, encoding: PositionEncoding) -> int:
    """How long a text is for the client."""
    if encoding is PositionEncoding.UTF32 or text.isascii():
        return len(text)
    if encoding is PositionEncoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def to_client(index: LineIndex, offset: int, encoding: PositionEncoding) -> tuple[int, int]:
    """The 0-based line and character of an offset; inside a line end it is the end of the line."""
    position = index.position(offset)
    before = index.line(position.line)[: position.column - 1]
    return position.line - 1, units(before, encoding)


def from_client(index: LineIndex, line: int, character: int, encoding: PositionEncoding) -> int:
    """The offset of a client's position, clamped to its line and to the text; inside a character it is its start."""
    if line < 0:
        return 0
    if line >= index.count:
        return len(index.text)
    text = index.line(line + 1)
    return index.starts[line] + _code_points(text, max(character, 0), encoding)


def _code_points(text: str, wanted: int, encoding: PositionEncoding) -> int:
    if encoding is PositionEncoding.UTF32 or text.isascii():
        return min(wanted, len(text))
    passed = 0
    for count, char in enumerate(text):
        passed += units(char, encoding)
        if passed > wanted:
            return count
    return len(text)
