"""Where a cursor is in YAML that may be half-written: in which mapping, at which key, in which value."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from smelt.project.model import KeyPath
from smelt.text.spans import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_DASH = re.compile(r"-(?:[ \t]+|$)")
_KEY = re.compile(r"""("[^"\r\n]*"|'[^'\r\n]*'|[^\s\[\]{},#&*!|>'"%@`-][^:#\r\n]*?)[ \t]*:(?=[ \t]|$)[ \t]*""")
_BLOCK = re.compile(r"[|>][+-]?\d*[ \t]*(?:#.*)?$")
_WORD = re.compile(r"[^\s,\[\]{}]*$")


@dataclass(frozen=True, slots=True)
class YamlPlace:
    """A cursor in YAML.

    Attributes:
        path: of the mapping whose key is being written, or of the value.
        in_value: whether a value is being written.
        word: what is written of it, up to the cursor.
        used: the keys that the mapping has besides.
        item: whether it stands behind a dash, where a plain value may stand as well as a key.
    """

    path: KeyPath
    in_value: bool
    word: Span
    used: frozenset[str] = frozenset()
    item: bool = False


@dataclass(slots=True)
class _Reader:
    """Reads lines from the top; what is open at a line is a stack of columns and path segments."""

    text: str
    offset: int
    open: list[tuple[int, str | int]] = field(default_factory=list)
    keys: list[tuple[KeyPath, str, int]] = field(default_factory=list)
    block: int | None = None
    flow_end: int = 0
    place: YamlPlace | None = None

    @property
    def path(self) -> KeyPath:
        return tuple(segment for _, segment in self.open)

    def read(self, start: int, line: str) -> None:
        """One line, which starts at an offset of the text."""
        end = start + len(line.rstrip("\r\n"))
        here = start <= self.offset <= end
        body = self.text[start:end]
        content = body.lstrip(" \t")
        column = len(body) - len(content)
        if start < self.flow_end or self._in_block(column, content):
            return
        if here and (not content or start + column >= self.offset):
            self._empty(start, self.offset - start)
            return
        if not content or content.startswith("#"):
            return
        self._items(start, column, end)

    def _in_block(self, column: int, content: str) -> bool:
        if self.block is None:
            return False
        if not content or column > self.block:
            return True
        self.block = None
        return False

    def _empty(self, start: int, column: int) -> None:
        """A cursor before anything on its line."""
        saved = list(self.open)
        self._close(column)
        self.place = YamlPlace(self.path, False, Span(self.offset, self.offset))
        self.open = saved

    def _close(self, column: int) -> None:
        while self.open and self.open[-1][0] >= column:
            self.open.pop()

    def _items(self, start: int, column: int, end: int) -> None:
        """The dashes of a line, and what is behind them."""
        at, dashed = start + column, False
        while (dash := _DASH.match(self.text, at, end)) is not None:
            if dash.end() > self.offset >= at:
                return
            self._next_item(at - start)
            at, dashed = dash.end(), True
        if at > self.offset >= start:
            return
        self._pair(start, at, end, dashed=dashed)

    def _next_item(self, column: int) -> None:
        number = 0
        while self.open and (self.open[-1][0] > column or (self.open[-1][0] == column and self._is_item())):
            above, segment = self.open.pop()
            if above == column and isinstance(segment, int):
                number = segment + 1
        self.open.append((column, number))

    def _is_item(self) -> bool:
        return isinstance(self.open[-1][1], int)

    def _pair(self, start: int, at: int, end: int, *, dashed: bool) -> None:
        key = _KEY.match(self.text, at, end)
        column = at - start
        self._close(column)
        here = start <= self.offset <= end
        if key is None:
            if here and self.text[at : at + 1] not in ("{", "["):
                self.place = YamlPlace(self.path, False, self._word(at), item=dashed)
            self._value(self.path, at, end)
            return
        name = key[1].strip("\"'")
        if here and self.offset <= key.end(1):
            self.place = YamlPlace(self.path, False, Span(at, self.offset))
        else:
            self.keys.append((self.path, name, at))
        self.open.append((column, name))
        if here and self.offset > key.end(1) and self.place is None:
            self.place = YamlPlace(self.path, True, self._word(min(key.end(), self.offset)))
        if _BLOCK.match(self.text, key.end(), end):
            self.block = column
        self._value(self.path, key.end(), end)

    def _word(self, at: int) -> Span:
        found = _WORD.search(self.text, at, max(at, self.offset))
        return Span(found.start() if found is not None else self.offset, self.offset)

    def _value(self, path: KeyPath, at: int, end: int) -> None:
        """A value in brackets may go on over lines; the cursor may be inside it."""
        if self.text[at : at + 1] not in ("{", "["):
            return
        flow = _Flow(self.text, self.offset, path)
        self.flow_end = flow.read(at)
        if at < self.offset and flow.place is not None:
            self.place = flow.place


@dataclass(slots=True)
class _Frame:
    closes: str
    path: KeyPath
    number: int = 0
    key: str | None = None
    used: set[str] = field(default_factory=set)
    start: int = 0


@dataclass(slots=True)
class _Flow:
    """Reads a value in brackets."""

    text: str
    offset: int
    path: KeyPath
    place: YamlPlace | None = None

    def read(self, at: int) -> int:
        """The offset behind the value that begins at an offset, or the text's end if it is not closed."""
        frames: list[_Frame] = []
        asked: _Frame | None = None
        while at < len(self.text):
            if at == self.offset and frames:
                asked = self._ask(frames[-1])
            at = self._step(frames, at)
            if not frames:
                break
        if at == self.offset == len(self.text) and frames:
            asked = self._ask(frames[-1])
        if asked is not None and self.place is not None:
            self.place = YamlPlace(self.place.path, self.place.in_value, self.place.word, frozenset(asked.used))
        return at

    def _step(self, frames: list[_Frame], at: int) -> int:
        char = self.text[at]
        if char in "{[":
            inner = self._inner(frames[-1]) if frames else self.path
            frames.append(_Frame("}" if char == "{" else "]", inner, start=at + 1))
        elif char in "}]":
            frames.pop()
        elif char == "," and frames:
            frames[-1].number += 1
            frames[-1].key = None
            frames[-1].start = at + 1
        elif char == ":" and frames and frames[-1].closes == "}" and frames[-1].key is None:
            frames[-1].key = self.text[frames[-1].start : at].strip().strip("\"'")
            if not frames[-1].start <= self.offset <= at:
                frames[-1].used.add(frames[-1].key)
            frames[-1].start = at + 1
        elif char in "\"'" and not self.text[frames[-1].start : at].strip():
            close = self.text.find(char, at + 1)
            stop = close if close >= 0 else len(self.text)
            return stop if at < self.offset <= stop else min(stop + 1, len(self.text))
        return at + 1

    def _inner(self, frame: _Frame) -> KeyPath:
        if frame.closes == "]":
            return (*frame.path, frame.number)
        return (*frame.path, frame.key) if frame.key is not None else frame.path

    def _ask(self, frame: _Frame) -> _Frame:
        found = _WORD.search(self.text, frame.start, self.offset)
        word = Span(found.start() if found is not None else self.offset, self.offset)
        in_value = frame.closes == "]" or frame.key is not None
        self.place = YamlPlace(self._inner(frame), in_value, word)
        return frame


def place_in(text: str, span: Span, offset: int) -> YamlPlace | None:
    """The place of a cursor in the YAML in ``span``; None in a comment or in a text of several lines."""
    reader = _Reader(text, offset)
    for start, line in _lines(text, span):
        reader.read(start, line)
    place = reader.place
    if place is None or _in_comment(text, offset):
        return None
    if place.in_value or place.used:
        return place
    used = frozenset(name for path, name, _ in reader.keys if path == place.path)
    return YamlPlace(place.path, False, place.word, used, place.item)


def _lines(text: str, span: Span) -> Iterator[tuple[int, str]]:
    at = span.start
    while at <= span.end:
        line = _LINE.match(text, at, span.end)
        if line is None:
            return
        yield at, line[0]
        if line.end() == at or (line.end() == span.end and line[0].rstrip("\r\n") == line[0]):
            return
        at = line.end()


def _in_comment(text: str, offset: int) -> bool:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return re.search(r"(?:^|\s)#", text[start:offset]) is not None
