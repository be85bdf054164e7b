"""How wide a text is on a terminal, and how it is shown there without harm."""

import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

TAB_STOP = 4

_ZERO_WIDTH_JOINER = "\u200d"
_EMOJI_PRESENTATION = "\ufe0f"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_ZERO_WIDTH = {"Mn", "Me", "Cf"}
# These reorder or end a line on screen: a frame that printed them would show another text than the file holds.
_DECEPTIVE = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")


@dataclass(frozen=True, slots=True)
class Cells:
    """One line as a terminal shows it.

    Attributes:
        glyphs: what is shown for each code point: tabs expanded, control characters made visible.
        columns: for each code point of the line, and for its end, the cell it begins in, from 0.
    """

    glyphs: tuple[str, ...]
    columns: tuple[int, ...]

    @property
    def shown(self) -> str:
        """The whole line."""
        return "".join(self.glyphs)

    @property
    def width(self) -> int:
        """How many cells the whole line takes."""
        return self.columns[-1]

    def column(self, number: int) -> int:
        """The cell in which the 1-based column ``number`` begins, clamped to the line."""
        return self.columns[max(0, min(number - 1, len(self.columns) - 1))]

    def part(self, left: int, right: int) -> str:
        """The cells from ``left`` to ``right``, an ellipsis at each end that is none of the line's.

        It takes exactly ``right - left`` cells: of a wide character that the edge would halve, blanks are left.
        """
        first, last = (left + 1 if left > 0 else left), (right - 1 if right < self.width else right)
        begin = bisect_left(self.columns, first, hi=len(self.glyphs))
        stop = max(bisect_right(self.columns, last, lo=begin) - 1, begin)
        halved = (self.columns[begin] - first, last - self.columns[stop]) if begin < stop else (last - first, 0)
        kept = (" " * halved[0], *self.glyphs[begin:stop], " " * halved[1])
        return ("…" if left > 0 else "") + "".join(kept) + ("…" if right < self.width else "")


def layout(line: str) -> Cells:
    """Where each code point of a line stands on a terminal."""
    if line.isascii() and line.isprintable():
        return Cells(tuple(line), tuple(range(len(line) + 1)))
    glyphs: list[str] = []
    columns: list[int] = []
    at = 0
    previous, previous_width = "", 0
    for char in line:
        columns.append(at)
        if char == "\t":
            width = TAB_STOP - at % TAB_STOP
            glyphs.append(" " * width)
        else:
            width = _width(char, previous, previous_width)
            glyphs.append(visible(char))
        at += width
        previous, previous_width = char, width or previous_width
    columns.append(at)
    return Cells(tuple(glyphs), tuple(columns))


def width_of(text: str) -> int:
    """How many cells a text without line ends takes."""
    return layout(text).width


def visible(char: str) -> str:
    """The character itself, or a harmless stand-in of one cell for one that would steer the terminal."""
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0x80 <= code < 0xA0 or char in _DECEPTIVE:
        return "\ufffd"
    return "" if char == "\ufeff" else char


def harmless(text: str) -> str:
    """A text of several lines with everything but its line ends and tabs made visible."""
    return "".join(char if char in "\n\t" else visible(char) for char in text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """A text with its line ends and tabs made visible too: what is meant to be one line stays one."""
    return "".join(map(visible, text.replace("\r\n", "\n")))


def _width(char: str, previous: str, previous_width: int) -> int:
    if " " <= char <= "~":
        return 1
    if char == _EMOJI_PRESENTATION:
        # A narrow symbol that asks for its picture takes two cells.
        return 1 if previous_width == 1 and previous > "\xa8" else 0
    if previous == _ZERO_WIDTH_JOINER or (ord(char) in _SKIN_TONES and previous_width == 2):
        return 0
    if char in _DECEPTIVE:
        return 1
    if unicodedata.category(char) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
