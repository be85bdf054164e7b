"""Names that could mean a column of the query, at places where the tree has none.

A formula replaces the references that the tree shows. If the tree lacks one (the parser took it for a unit, a
parameter of a lambda, a field), the name would be left in the text and mean something else where the formula
is computed. Such a name is reported, so that the expression is refused.
"""

from collections.abc import Iterable

from sqlglot.tokenizer_core import TokenType

from smelt.sql.model import Name, Query
from smelt.sql.names import RESERVED
from smelt.sql.tokens import Token, Tokens
from smelt.sql.windows import name_of
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_NO_NAMES = {TokenType.STRING, TokenType.NUMBER, TokenType.HEREDOC_STRING, TokenType.BYTE_STRING}


def stray_names(query: Query, span: Span, known: Iterable[Span], taken: frozenset[str]) -> tuple[Name, ...]:
    """The tokens of a span that spell a name of the query, lie outside the known references, and are no syntax.

    Args:
        query: the query.
        span: the expression.
        known: references and calls that are accounted for.
        taken: folded names that mean something in the query.
    """
    tokens = query.tokens
    if tokens is None:
        return ()
    first, end = tokens.within(span)
    accounted = (*known, *type_spans(query, span))
    found: list[Name] = []
    for index, token in enumerate(tokens.items[first:end], first):
        if fold(token.text) not in taken or not _can_be_name(token):
            continue
        if not any(part.covers(token.span) for part in accounted) and not _is_syntax(tokens, index, first, end):
            found.append(name_of(tokens, index))
    return tuple(found)


def _can_be_name(token: Token) -> bool:
    if token.kind is TokenType.IDENTIFIER:
        return True
    return token.kind not in _NO_NAMES and fold(token.text) not in RESERVED


def type_spans(query: Query, span: Span) -> tuple[Span, ...]:
    """Where a span names types, with their parameters: behind ``::``, and behind the ``AS`` of a ``CAST``."""
    tokens = query.tokens
    if tokens is None:
        return ()
    first, end = tokens.within(span)
    found: list[Span] = []
    for before in tokens.of_kind(TokenType.DCOLON, TokenType.ALIAS, first=first, end=end - 1):
        index = before + 1
        stop = tokens.after(index + 1) if tokens.kind(index + 1) is TokenType.L_PAREN else index + 1
        found.append(tokens.span(index, stop))
    return tuple(found)


def _is_syntax(tokens: Tokens, index: int, first: int, end: int) -> bool:
    """Whether a name at this place can be no column: a field, a function, a key, a unit, the word of a literal.

    Only the range of the expression is looked at: what it means does not depend on what stands beside it.
    """
    before = tokens.kind(index - 1) if index > first else None
    behind = tokens.kind(index + 1) if index + 1 < end else None
    if before is TokenType.DOT or before is TokenType.COLLATE:
        return True
    if behind in (TokenType.L_PAREN, TokenType.COLON_EQ, TokenType.STRING):
        return True
    if behind is TokenType.COLON and before in (TokenType.L_BRACE, TokenType.COMMA):
        return True
    return _is_unit(tokens, index, first, end) or _is_in_time_zone(tokens, index, first, end)


def _is_unit(tokens: Tokens, index: int, first: int, end: int) -> bool:
    """``EXTRACT(year FROM …)``, ``INTERVAL 1 day``, ``INTERVAL (n) day``."""
    if index - 2 < first:
        return False
    before = tokens.kind(index - 1)
    if before is TokenType.L_PAREN and tokens.uppers[index - 2] == "EXTRACT":
        return index + 1 < end and tokens.kind(index + 1) is TokenType.FROM
    opening = tokens.partner[index - 1] if before is TokenType.R_PAREN else index - 1
    return opening > first and tokens.uppers[opening - 1] == "INTERVAL"


def _is_in_time_zone(tokens: Tokens, index: int, first: int, end: int) -> bool:
    """The words of ``AT TIME ZONE`` and ``WITH TIME ZONE``, which are no reserved ones."""
    words = tokens.uppers[max(index - 2, first) : min(index + 3, end)]
    here = min(index - first, 2)
    return any(
        start >= 0 and words[start + 1 : start + 3] == ("TIME", "ZONE") and words[start] in ("AT", "WITH", "WITHOUT")
        for start in (here - 2, here - 1, here)
    )
