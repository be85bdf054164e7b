"""The token list of a query, with document offsets and matching brackets."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token as RawToken
from sqlglot.tokenizer_core import TokenType

from smelt.sql.lexer import PieceKind, pieces
from smelt.text.spans import Span

MAX_TOKENS = 200_000
"""More is refused: such a text is no hand-written query, and analysis must end in bounded time."""
MAX_CHARACTERS = 1_000_000
"""The same, told before the tokenizer takes some hundred bytes for each."""

_HALF = re.compile("[\ud800-\udfff]")
"""A surrogate without its other half: an editor can send one, and neither UTF-8 nor DuckDB knows it."""
_WRITTEN = re.compile(r"\S")
_UNCLOSED = {
    PieceKind.UNCLOSED_STRING: "a string",
    PieceKind.UNCLOSED_NAME: "a quoted name",
    PieceKind.UNCLOSED_COMMENT: "a comment",
}
_LITERAL_PREFIXES = {
    "x": TokenType.HEX_STRING,
    "X": TokenType.HEX_STRING,
    "b": TokenType.BIT_STRING,
    "B": TokenType.BIT_STRING,
}
_QUERY_WORDS = {
    TokenType.SELECT,
    TokenType.FROM,
    TokenType.WHERE,
    TokenType.HAVING,
    TokenType.QUALIFY,
    TokenType.LIMIT,
    TokenType.OFFSET,
    TokenType.UNION,
    TokenType.EXCEPT,
    TokenType.INTERSECT,
    TokenType.JOIN,
    TokenType.ON,
    TokenType.USING,
    TokenType.WITH,
    TokenType.WHEN,
    TokenType.THEN,
    TokenType.ELSE,
    TokenType.INTO,
    TokenType.DISTINCT,
    TokenType.AND,
    TokenType.OR,
    TokenType.IN,
    TokenType.BETWEEN,
    TokenType.LIKE,
    TokenType.WINDOW,
    TokenType.NOT,
    TokenType.ALIAS,
}
"""Words that the parser would not take for a name."""
_NEVER_NAMES = {TokenType.NOT, TokenType.ALIAS}
"""Of these, what may follow ``AS`` without being one: ``AS NOT MATERIALIZED``."""
_STATEMENT_WORDS = {
    TokenType.ALTER,
    TokenType.DROP,
    TokenType.FORCE,
    TokenType.GRANT,
    TokenType.INSERT,
    TokenType.INSTALL,
    TokenType.REVOKE,
    TokenType.ROLLBACK,
}
"""Words that begin a statement; inside a query DuckDB takes them for names."""
_READ_OTHERWISE = _QUERY_WORDS | _STATEMENT_WORDS | {TokenType.STRING}
"""Tokens that DuckDB may take for something else than sqlglot does."""
_BEFORE_NAMES = {TokenType.DOT, TokenType.ALIAS}
_OPEN = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSE = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}


@dataclass(frozen=True, slots=True)
class SqlError:
    """The text is no query.

    Attributes:
        span: where reading stopped; never empty unless the text is.
        message: what is wrong there.
        cure: what to write instead.
    """

    span: Span
    message: str
    cure: str = "a model is one SELECT in DuckDB's SQL"


class Token(NamedTuple):
    """One token at ``[start, end)`` of the document; ``text`` is without quotes, ``span`` with them."""

    kind: TokenType
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.end)

    @property
    def upper(self) -> str:
        """Its text in upper case, as keywords compare."""
        return self.text.upper()


@dataclass(frozen=True, slots=True)
class Tokens:
    """A token list. Indexes are positions in ``items``; ranges ``[first, end)`` are half-open.

    ``partner`` gives the index of the bracket that closes or opens the one at an index, or -1; ``around`` that of
    the nearest bracket opened around a token, or -1, and ``depth`` how many there are (a bracket is outside itself).
    ``uppers`` are the texts in upper case. ``places`` has the indexes of each kind that occurs, in order: few rules
    are about common tokens, and who looks for a rare one need not walk over all.
    """

    items: tuple[Token, ...] = ()
    partner: tuple[int, ...] = ()
    around: tuple[int, ...] = ()
    depth: tuple[int, ...] = ()
    kinds: tuple[TokenType, ...] = field(init=False, repr=False, compare=False)
    uppers: tuple[str, ...] = field(init=False, repr=False, compare=False)
    places: Mapping[TokenType, tuple[int, ...]] = field(init=False, repr=False, compare=False)
    _starts: list[int] = field(init=False, repr=False, compare=False)
    _ends: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kinds, texts, starts, ends = zip(*self.items, strict=True) if self.items else ((), (), (), ())
        places: dict[TokenType, list[int]] = {}
        for index, kind in enumerate(kinds):
            places.setdefault(kind, []).append(index)
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "uppers", tuple([text.upper() for text in texts]))
        object.__setattr__(self, "places", {kind: tuple(found) for kind, found in places.items()})
        object.__setattr__(self, "_starts", list(starts))
        object.__setattr__(self, "_ends", list(ends))

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Token:
        return self.items[index]

    def span(self, first: int, end: int) -> Span:
        """From the first token of a range to its last."""
        return Span(self.items[first].start, self.items[end - 1].end)

    def kind(self, index: int) -> TokenType | None:
        """The kind at an index, None outside the list."""
        return self.kinds[index] if 0 <= index < len(self.kinds) else None

    def of_kind(self, *kinds: TokenType, first: int = 0, end: int | None = None) -> Sequence[int]:
        """The indexes of a range whose tokens are of one of the kinds, in order."""
        found = [place for kind in kinds if (place := self.places.get(kind))]
        listed = found[0] if len(found) == 1 else sorted(chain.from_iterable(found))
        if not first and end is None:
            return listed
        return listed[bisect_left(listed, first) : len(listed) if end is None else bisect_left(listed, end)]

    def is_word(self, index: int) -> bool:
        """Whether the token stands where only a name can: after a dot or ``AS``."""
        return 0 < index <= len(self.kinds) and self.kinds[index - 1] in _BEFORE_NAMES

    def after(self, index: int) -> int:
        """The index behind a token, or behind the closing bracket if it opens one."""
        close = self.partner[index]
        return (close if close > index else index) + 1

    def level(self, first: int, end: int) -> Iterator[int]:
        """The indexes of a range, stepping over what brackets hold (opening brackets included)."""
        index, partner = first, self.partner
        while index < end:
            yield index
            close = partner[index]
            index = (close if close > index else index) + 1

    def split(self, first: int, end: int, kind: TokenType = TokenType.COMMA) -> tuple[tuple[int, int], ...]:
        """The parts of a range between separators at its own level; an empty last part is dropped."""
        parts: list[tuple[int, int]] = []
        start = first
        for index in self.level(first, end):
            if self.kinds[index] is kind:
                parts.append((start, index))
                start = index + 1
        if start < end:
            parts.append((start, end))
        return tuple(parts)

    def within(self, span: Span) -> tuple[int, int]:
        """The index range of the tokens that lie in a span."""
        first = bisect_left(self._starts, span.start)
        end = bisect_right(self._ends, span.end, lo=first)
        return (first, end) if first < end else (0, 0)

    def at(self, offset: int) -> int | None:
        """The index of the token that begins at an offset."""
        index = bisect_left(self._starts, offset)
        return index if index < len(self._starts) and self._starts[index] == offset else None


def query_span(text: str, span: Span) -> Span:
    """The span without a byte order mark at its start."""
    if text.startswith("\ufeff", span.start) and len(span) > 0:
        return Span(span.start + 1, span.end)
    return span


def tokenize(text: str, span: Span) -> Tokens | SqlError:
    """The tokens of ``text`` in ``span``, or why there are none."""
    raw = raw_tokens(text, span)
    return raw if isinstance(raw, SqlError) else tokens_of(raw, span.start)


def raw_tokens(text: str, span: Span) -> list[RawToken] | SqlError:
    """sqlglot's tokens, for its parser; their offsets count from the span's start."""
    if len(span) > MAX_CHARACTERS:
        return SqlError(_beginning(text, span), f"the query has more than {MAX_CHARACTERS} characters")
    half = _HALF.search(text, span.start, span.end)
    if half is not None:
        return SqlError(Span(*half.span()), "half a character stands here, which no file can hold")
    try:
        raw: list[RawToken] = DuckDB().tokenize(span.of(text))
    except TokenError:
        return _token_error(text, span)
    if len(raw) > MAX_TOKENS:
        return SqlError(_beginning(text, span), f"the query has more than {MAX_TOKENS} tokens")
    return _as_duckdb_reads(raw)


def _as_duckdb_reads(raw: list[RawToken]) -> list[RawToken]:
    """The tokens that DuckDB sees: behind a dot and ``AS`` any word is a name; ``x'0f'`` is one literal."""
    seen: list[RawToken] = []
    for token in raw:
        kind = token.token_type
        if kind in _READ_OTHERWISE and seen:
            before = seen[-1]
            if _is_name(kind, before.token_type):
                token = _with_kind(token, TokenType.VAR, token.start)
            elif kind is TokenType.STRING and _is_prefix(before, token):
                token = _with_kind(token, _LITERAL_PREFIXES[before.text], before.start)
                seen.pop()
        seen.append(token)
    return seen


def _is_prefix(before: RawToken, string: RawToken) -> bool:
    touches = before.end + 1 == string.start
    return touches and before.token_type is TokenType.VAR and before.text in _LITERAL_PREFIXES


def _is_name(kind: TokenType, before: TokenType) -> bool:
    """Whether DuckDB takes a word for a name that sqlglot takes for a keyword, by what stands before it."""
    if kind in _STATEMENT_WORDS:
        return True
    if kind not in _QUERY_WORDS:
        return False
    return before is TokenType.DOT or (before is TokenType.ALIAS and kind not in _NEVER_NAMES)


def _with_kind(token: RawToken, kind: TokenType, start: int) -> RawToken:
    return RawToken(kind, token.text, token.line, token.col, start, token.end, token.comments)


def tokens_of(raw: list[RawToken], shift: int) -> Tokens:
    """The same tokens with document offsets."""
    behind = shift + 1
    return _bracketed(
        tuple([Token(token.token_type, token.text, token.start + shift, token.end + behind) for token in raw])
    )


def _bracketed(items: tuple[Token, ...]) -> Tokens:
    partner = [-1] * len(items)
    around = [-1] * len(items)
    depth = [0] * len(items)
    stack: list[int] = []
    here = -1
    for index, token in enumerate(items):
        kind = token[0]
        if kind in _CLOSE and stack:
            opening = stack.pop()
            partner[opening], partner[index] = index, opening
            here = stack[-1] if stack else -1
        around[index], depth[index] = here, len(stack)
        if kind in _OPEN:
            stack.append(index)
            here = index
    return Tokens(items, tuple(partner), tuple(around), tuple(depth))


def _token_error(text: str, span: Span) -> SqlError:
    """A tokenizer gives up only on something opened and not closed: underline from there to the line's end."""
    for piece in pieces(span.of(text)):
        if piece.kind in _UNCLOSED:
            start = span.start + piece.start
            return SqlError(Span(start, _line_end(text, start, span.end)), f"{_UNCLOSED[piece.kind]} is not closed")
    return SqlError(span, "the text cannot be read as SQL")


def _beginning(text: str, span: Span) -> Span:
    """The first line that is not blank: a place for what is wrong with the whole."""
    written = _WRITTEN.search(text, span.start, span.end)
    return span if written is None else Span(written.start(), _line_end(text, written.start(), span.end))


def _line_end(text: str, start: int, limit: int) -> int:
    ends = [found for mark in "\r\n" if (found := text.find(mark, start, limit)) > start]
    return min(ends, default=limit)
