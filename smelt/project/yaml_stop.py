"""The text of YAML that cannot be read, around the place where a parser stopped: lines, keys, values and brackets."""

import re
from dataclasses import dataclass

from smelt.project.quoting import in_quotes
from smelt.text.edits import Edit
from smelt.text.spans import Span

KEY = r"[A-Za-z_][\w.\-]*"
"""A key as these files have them."""
CLOSING = {"[": "]", "{": "}"}
_HEAD = re.compile(
    r"(?P<indent>[ \t]*)(?P<dashes>(?:-[ \t]+)*)"
    rf"(?P<content>(?:(?P<key>{KEY}|\"[^\"\r\n]*\"|'[^'\r\n]*')[ ]*:(?=[ \t\r\n]|\Z)[ \t]*)?)"
)
_END = re.compile(r"[\r\n]|\Z")
_QUOTED = re.compile(r"\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\r\n]|'')*'")
_COMMENT = re.compile(r"(?<!\S)#")
_PIECES = re.compile(
    r"(?<![^\s\[{,:])#[^\r\n]*|(?<![^\s\[{,])\"(?:[^\"\\]|\\.)*\"|(?<![^\s\[{,])'(?:[^']|'')*'|[\[\]{}]", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits that make the text readable; ``certain`` if nothing else can have been meant."""

    title: str
    edits: tuple[Edit, ...]
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that makes a text unreadable.

    Attributes:
        span: the narrowest range that is wrong.
        problem: what stands there, without a cure.
        advice: what to write instead.
        repair: edits for it, if they can be told.
    """

    span: Span
    problem: str
    advice: str
    repair: Repair | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a parser gave up.

    Attributes:
        text: all that it was given.
        at: the offset of what it could not take.
        opened: where that began which it was reading, if it said so.
    """

    text: str
    at: int
    opened: int | None = None

    def line(self, at: int) -> "Line":
        """The line that ``at`` is in."""
        return _line(self.text, at)

    def before(self, line: "Line") -> "Line | None":
        """The last line before another that holds more than a comment."""
        while line.start > 0:
            end = line.start - (2 if self.text.startswith("\r\n", line.start - 2) else 1)
            line = self.line(end)
            if line.content:
                return line
        return None

    def goes_on(self, line: "Line") -> bool:
        """Whether a text may go on below a line, so that quotes in this line would cut it off."""
        end = line.end
        while end < len(self.text):
            below = self.line(end + (2 if self.text.startswith("\r\n", end) else 1))
            if below.content:
                return len(below.indent) > line.column
            end = below.end
        return False

    def quoted_before(self, at: int) -> Span | None:
        """The text in quotes that ends before an offset."""
        end = len(self.text[:at].rstrip())
        for found in _PIECES.finditer(self.text, 0, at):
            if found.end() == end and found[0][0] in "'\"" and len(found[0]) > 1:
                return Span(*found.span())
        return None

    def open(self, at: int) -> list[int]:
        """The brackets that are open at an offset, as a reader of YAML has them: none begins inside a plain text."""
        opened: list[int] = []
        for found in _PIECES.finditer(self.text, 0, at):
            piece = found[0]
            if piece in "[{" and (opened or self._begins_value(found.start())):
                opened.append(found.start())
            elif piece in "]}" and opened:
                opened.pop()
        return opened

    def _begins_value(self, at: int) -> bool:
        start = _line_start(self.text, at)
        found = _HEAD.match(self.text, start, at)
        return found is not None and found.end() == at

    def value_from(self, start: int) -> Span:
        """The rest of a value that begins somewhere: of its line, inside brackets up to a comma or their end."""
        end = max(self.line(start).value.end, start)
        if self.open(start):
            found = re.compile(r"[^,\]}\r\n]*").match(self.text, start)
            end = found.end() if found is not None else end
        return Span(start, start + len(self.text[start:end].rstrip()))


@dataclass(frozen=True, slots=True)
class Line:
    """A line in its parts: ``- key: value # comment``.

    Attributes:
        start: where it begins.
        end: where its break stands.
        indent: the white space before its content.
        content: dashes, key and value.
        key: as written; None without one.
        key_at: where key or value begin, behind dashes.
        value: what stands behind the key, or in its place.
    """

    start: int
    end: int
    indent: str
    content: str
    key: str | None
    key_at: int
    value: Span

    @property
    def begins(self) -> bool:
        """Whether a key or an item of a list begins in it."""
        return self.key is not None or self.content.startswith("- ")

    @property
    def column(self) -> int:
        """Where key or value begin."""
        return self.key_at - self.start


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _line(text: str, at: int) -> Line:
    start = _line_start(text, at)
    head, stop = _HEAD.match(text, start), _END.search(text, start)
    assert head is not None
    assert stop is not None
    begin, end = head.end(), max(stop.start(), head.end())
    quoted = _QUOTED.match(text, begin, end)
    comment = _COMMENT.search(text, quoted.end() if quoted is not None else begin, end)
    written = text[begin : comment.start() if comment is not None else end].rstrip()
    content = (head["dashes"] + head["content"] + written).strip()
    return Line(
        start, end, head["indent"], content, head["key"], head.start("content"), Span(begin, begin + len(written))
    )


_SHOWN = 60
"""Characters of a text in a message."""


def excerpt(text: str) -> str:
    """A text on one line, as a message shows it; of a long one the beginning."""
    one = " ".join(text[: 2 * _SHOWN].split())
    return one if len(one) <= _SHOWN else f"{one[: _SHOWN - 1]}…"


def closed(stop: Stop, opened: int, what: str, at: int | None = None) -> Fault:
    """An opening that has no end; ``at`` is where one would do, if not at the end of its line."""
    mark = stop.text[opened]
    closing = CLOSING.get(mark, mark)
    line_end = stop.line(opened).value.end
    end = line_end if at is None else at
    repair = Repair(f"Close the {what}", (Edit(Span(end, end), closing),))
    problem = f"the {what} `{mark}` that begins here has no end"
    return Fault(Span(opened, max(opened + 1, line_end)), problem, f"close it with `{closing}`", repair)


def quoting(stop: Stop, start: int, *, certain: bool = False) -> Repair | None:
    """Quotes around the rest of a value."""
    span = stop.value_from(start)
    return (
        Repair("Put the text in quotes", (Edit(span, in_quotes(span.of(stop.text))),), certain)
        if len(span) > 0
        else None
    )
