"""A span for every node of a tree.

sqlglot keeps positions on identifiers, numbers, stars and function names only. A node's span is that of what
it holds, widened by tokens: to the end of its call, to parentheses it owns, to the literals beside it.
"""

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.sql.tokens import Tokens
from smelt.text.spans import Span

_LITERALS = {
    TokenType.STRING,
    TokenType.NUMBER,
    TokenType.TRUE,
    TokenType.FALSE,
    TokenType.NULL,
    TokenType.HEREDOC_STRING,
    TokenType.BYTE_STRING,
}


def node_span(node: exp.Expression, tokens: Tokens, shift: int) -> Span | None:
    """Where a node stands, or None if neither it nor what it holds has a position."""
    own = _own(node, shift)
    parts = [span for child in node.iter_expressions() if (span := node_span(child, tokens, shift)) is not None]
    if own is not None:
        parts.append(own)
    if not parts:
        return None
    span = parts[0]
    for part in parts[1:]:
        span = span.join(part)
    return _widened(node, span, own, tokens)


def _own(node: exp.Expression, shift: int) -> Span | None:
    start, end = node.meta.get("start"), node.meta.get("end")
    return Span(start + shift, end + 1 + shift) if start is not None and end is not None else None


def _widened(node: exp.Expression, span: Span, own: Span | None, tokens: Tokens) -> Span:
    first = tokens.at(span.start)
    if first is None:
        return span
    if own is not None and isinstance(node, exp.Func):
        name = tokens.at(own.start)
        if name is not None and tokens.kind(name + 1) is TokenType.L_PAREN and tokens.partner[name + 1] > 0:
            return span.join(tokens[tokens.partner[name + 1]].span)
    if isinstance(node, exp.Paren | exp.Subquery | exp.Tuple):
        return _with_parentheses(span, first, tokens)
    if isinstance(node, exp.Not | exp.Neg) and first > 0:
        return span.join(tokens[first - 1].span)
    if isinstance(node, exp.Predicate | exp.Binary):
        return _with_literals(span, tokens)
    return span


def _with_parentheses(span: Span, first: int, tokens: Tokens) -> Span:
    at = first - 1
    while at >= 0:
        close = tokens.partner[at]
        if close > first and tokens[close].span.start >= span.end:
            return Span(tokens[at].span.start, tokens[close].span.end)
        at -= 1
    return span


def _with_literals(span: Span, tokens: Tokens) -> Span:
    """A literal operand at the end has no position of its own: ``f = FALSE``, ``tier = 'gold'``."""
    end = span.end
    behind = next((i for i, token in enumerate(tokens.items) if token.span.start >= end), None)
    if behind is None:
        return span
    at = behind
    while at < len(tokens) and tokens[at].kind not in _LITERALS:
        if tokens.depth[at] != tokens.depth[behind] or tokens[at].kind in (TokenType.COMMA, TokenType.ALIAS):
            return span
        if at - behind > 3:
            return span
        at += 1
    return span.join(tokens[at].span) if at < len(tokens) else span
