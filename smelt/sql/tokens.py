"""The token list of a query, with document offsets and matching brackets."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import TokenType

from smelt.text.spans import Span

MAX_TOKENS = 200_000
"""More is refused: such a text is no hand-written query, and analysis must end in bounded time."""

_MAX_TRIES = 64
_OPEN = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSE = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}


@dataclass(frozen=True, slots=True)
class SqlError:
    """The text is no query; ``span`` is where reading stopped (never empty unless the text is)."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Token:
    """One token; ``text`` is without quotes, ``span`` with them."""

    kind: TokenType
    text: str
    span: Span

    @property
    def upper(self) -> str:
        """Its text in upper case, as keywords compare."""
        return self.text.upper()


@dataclass(frozen=True, slots=True)
class Tokens:
    """A token list. Indexes are positions in ``items``; ranges ``[first, end)`` are half-open.

    ``partner`` gives the index of the bracket that closes or opens the one at an index, or -1; ``depth`` how
    many brackets enclose a token (brackets count as outside themselves).
    """

    items: tuple[Token, ...]
    partner: tuple[int, ...]
    depth: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Token:
        return self.items[index]

    def span(self, first: int, end: int) -> Span:
        """From the first token of a range to its last."""
        return Span(self.items[first].span.start, self.items[end - 1].span.end)

    def kind(self, index: int) -> TokenType | None:
        """The kind at an index, None outside the list."""
        return self.items[index].kind if 0 <= index < len(self.items) else None

    def is_word(self, index: int) -> bool:
        """Whether the token stands where only a name can: after a dot or ``AS``."""
        return self.kind(index - 1) in (TokenType.DOT, TokenType.ALIAS)

    def after(self, index: int) -> int:
        """The index behind a token, or behind the closing bracket if it opens one."""
        close = self.partner[index]
        return (close if close > index else index) + 1

    def level(self, first: int, end: int) -> Iterator[int]:
        """The indexes of a range, stepping over what brackets hold (opening brackets included)."""
        index = first
        while index < end:
            yield index
            index = self.after(index)

    def split(self, first: int, end: int, kind: TokenType = TokenType.COMMA) -> tuple[tuple[int, int], ...]:
        """The parts of a range between separators at its own level; an empty last part is dropped."""
        parts: list[tuple[int, int]] = []
        start = first
        for index in self.level(first, end):
            if self.items[index].kind is kind:
                parts.append((start, index))
                start = index + 1
        if start < end:
            parts.append((start, end))
        return tuple(parts)

    def within(self, span: Span) -> tuple[int, int]:
        """The index range of the tokens that lie in a span."""
        first = bisect_left(self.items, span.start, key=lambda token: token.span.start)
        end = bisect_right(self.items, span.end, lo=first, key=lambda token: token.span.end)
        return (first, end) if first < end else (0, 0)

    def at(self, offset: int) -> int | None:
        """The index of the token that begins at an offset."""
        low, high = 0, len(self.items)
        while low < high:
            middle = (low + high) // 2
            if self.items[middle].span.start < offset:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self.items) and self.items[low].span.start == offset else None


def query_span(text: str, span: Span) -> Span:
    """The span without a byte order mark at its start."""
    if text.startswith("\ufeff", span.start) and len(span) > 0:
        return Span(span.start + 1, span.end)
    return span


def tokenize(text: str, span: Span) -> Tokens | SqlError:
    """The tokens of ``text`` in ``span``, or why there are none."""
    try:
        raw = DuckDB().tokenize(span.of(text))
    except TokenError as error:
        return _token_error(text, span, error)
    if len(raw) > MAX_TOKENS:
        return SqlError(span, f"the query has more than {MAX_TOKENS} tokens")
    items = tuple(
        Token(token.token_type, token.text, Span(span.start + token.start, span.start + token.end + 1)) for token in raw
    )
    return _bracketed(items)


def _bracketed(items: tuple[Token, ...]) -> Tokens:
    partner = [-1] * len(items)
    depth = [0] * len(items)
    stack: list[int] = []
    for index, token in enumerate(items):
        if token.kind in _CLOSE and stack:
            opening = stack.pop()
            partner[opening], partner[index] = index, opening
        depth[index] = len(stack)
        if token.kind in _OPEN:
            stack.append(index)
    return Tokens(items, tuple(partner), tuple(depth))


def _token_error(text: str, span: Span, error: TokenError) -> SqlError:
    """A tokenizer gives up only on something opened and not closed: underline from where that opened."""
    body = span.of(text)
    for opener, name in (("/*", "comment"), ("$$", "string"), ("'", "string"), ('"', "quoted name")):
        at = _last_unclosed(body, opener)
        if at is not None:
            start = span.start + at
            return SqlError(Span(start, _line_end(text, start, span.end)), f"a {name} is not closed")
    return SqlError(span, f"cannot read the text: {str(error).splitlines()[0]}")


def _last_unclosed(body: str, opener: str) -> int | None:
    """The last place of ``opener`` that the tokenizer would take as one without an end, found by trying prefixes."""
    at = body.rfind(opener)
    for _ in range(_MAX_TRIES):
        if at < 0:
            return None
        try:
            DuckDB().tokenize(body[:at])
        except TokenError:
            at = body.rfind(opener, 0, at)
            continue
        return at
    return None


def _line_end(text: str, start: int, limit: int) -> int:
    ends = [found for mark in "\r\n" if (found := text.find(mark, start, limit)) > start]
    return min(ends, default=limit)
