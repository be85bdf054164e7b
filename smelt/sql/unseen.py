"""Where what a query gives depends on columns' names that it does not spell, or spells where they are no columns."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot.tokenizer_core import TokenType

from smelt.sql.outline import Outline
from smelt.sql.tokens import Tokens
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_WORDS = {
    "PIVOT": "PIVOT",
    "PIVOT_WIDER": "PIVOT",
    "UNPIVOT": "UNPIVOT",
    "PIVOT_LONGER": "UNPIVOT",
    "NATURAL": "NATURAL JOIN",
}
_QUERIES = {"SELECT", "FROM", "WITH", "PIVOT", "PIVOT_WIDER", "UNPIVOT", "PIVOT_LONGER"}
"""Reserved words that a query begins with, and nothing else in brackets."""
_PATTERNS = {"LIKE", "ILIKE", "GLOB", "SIMILAR", "NOT"}


@dataclass(frozen=True, slots=True)
class Unseen:
    """A part of a query that goes by names unseen: what SQL calls it, and where its word stands."""

    called: str
    span: Span


@dataclass(frozen=True, slots=True)
class Reach:
    """The parts of a text that a query takes its columns from: ``spans`` without what lies in ``left_out``."""

    spans: tuple[Span, ...]
    left_out: tuple[Span, ...]

    def holds(self, offset: int) -> bool:
        """Whether a place is in them."""
        return _in(self.spans, offset) and not _in(self.left_out, offset)


def unseen_names(queries: Outline) -> tuple[Unseen, ...]:
    """The parts of a text that use names in such a way, in order."""
    tokens = queries.tokens
    found = ((tokens[index].span, _at(tokens, index)) for index in range(len(tokens)))
    return tuple(Unseen(called, span) for span, called in found if called is not None)


def reach(queries: Outline, offset: int) -> Reach:
    """Where the query around an offset, its set operations included, can take columns from; rather more than less.

    That is everything in it, and the common table expressions that it may name, directly or by others.
    """
    own = _query_around(queries.tokens, offset)
    named = [cte for cte in queries.ctes if cte.body.contains(offset)]
    while True:
        spans = (own, *(cte.body for cte in named))
        others = [cte for cte in queries.ctes if cte not in named]
        found = Reach(spans, tuple(cte.body for cte in others if not cte.body.covers(own)))
        declared = {cte.name.span for cte in others}
        words = {
            fold(token.text)
            for token in queries.tokens.items
            if token.span not in declared and found.holds(token.start)
        }
        more = [cte for cte in others if fold(cte.name.text) in words]
        if not more:
            return found
        named += more


def _query_around(tokens: Tokens, offset: int) -> Span:
    """The innermost brackets around an offset that surely hold a query of their own; else the whole text."""
    opened: list[int] = []
    around: list[Span] = []
    for index, token in enumerate(tokens.items):
        if token.kind is TokenType.L_PAREN:
            opened.append(index)
        elif token.kind is TokenType.R_PAREN and opened:
            first = opened.pop()
            whole = Span(tokens[first].start, token.end)
            if whole.contains(offset) and _word(tokens, first + 1) in _QUERIES:
                around.append(whole)
    everything = Span(tokens[0].start, tokens[len(tokens) - 1].end) if len(tokens) else Span(0, 0)
    return min(around, key=len, default=everything)


def _in(spans: Iterable[Span], offset: int) -> bool:
    return any(span.start <= offset < span.end for span in spans)


def _at(tokens: Tokens, index: int) -> str | None:
    word = _word(tokens, index)
    if word in _WORDS:
        return _WORDS[word]
    if word == "COLUMNS" and tokens.kind(index + 1) is TokenType.L_PAREN:
        return None if tokens.kind(index + 2) is TokenType.STAR else "COLUMNS"
    if word == "NAME" and _word(tokens, index - 1) == "BY":
        return "UNION BY NAME" if {_word(tokens, index - 2), _word(tokens, index - 3)} & {"UNION"} else None
    if tokens.kind(index) is TokenType.STAR and _word(tokens, index + 1) in _PATTERNS:
        return "a star with a pattern"
    return None


def _word(tokens: Tokens, index: int) -> str:
    """A word in upper case; empty where there is none, or one in quotes."""
    if not 0 <= index < len(tokens):
        return ""
    token = tokens[index]
    return token.upper if token.end - token.start == len(token.text) else ""
