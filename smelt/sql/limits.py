"""What is refused before a parser sees it: no query at all, brackets that do not match, nesting without bound."""

from collections.abc import Iterator

from sqlglot.tokenizer_core import TokenType

from smelt.sql.clauses import CONDITION_CLAUSES, Layout
from smelt.sql.tokens import SqlError, Tokens
from smelt.text.identifiers import fold

MAX_BRACKETS = 150
MAX_NESTING = 500
"""Operators and brackets around one operand. The parser and every walk over its tree descend once per each, and the
compiled parser does not notice when its stack is used up."""

MAX_OPEN_JOINS = 10
_NEED_NO_CONDITION = {"cross", "natural", "positional"}

_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
_OPERANDS = {
    TokenType.VAR,
    TokenType.IDENTIFIER,
    TokenType.NUMBER,
    TokenType.STRING,
    TokenType.HEREDOC_STRING,
    TokenType.BYTE_STRING,
    TokenType.NATIONAL_STRING,
    TokenType.NULL,
    TokenType.TRUE,
    TokenType.FALSE,
}
_FRESH = CONDITION_CLAUSES | {
    TokenType.COMMA,
    TokenType.SELECT,
    TokenType.FROM,
    TokenType.ON,
    TokenType.WHEN,
    TokenType.THEN,
    TokenType.ELSE,
    TokenType.SEMICOLON,
}
"""Behind these an expression begins that is no part of the one before."""
_QUERY_STARTS = {TokenType.SELECT, TokenType.FROM, TokenType.WITH}
_INVISIBLE = frozenset("\u200b\ufeff\x00")


def unreadable(tokens: Tokens, plan: Layout) -> tuple[SqlError, ...]:
    """Why no parser is asked; empty if one can be. The token list must not be empty."""
    shape = next(_shape_errors(tokens), None)
    if shape is not None:
        return (shape,)
    start = _not_a_query(tokens, plan)
    return (start,) if start is not None else plan.errors


def _shape_errors(tokens: Tokens) -> Iterator[SqlError]:
    brackets = [index for index in tokens.of_kind(*_OPENING, *_CLOSING) if tokens.partner[index] < 0]
    names = [i for i in tokens.of_kind(TokenType.VAR, TokenType.IDENTIFIER) if not _is_plain(tokens[i].text)]
    deep = [] if max(tokens.depth) <= MAX_BRACKETS else range(len(tokens))
    for index in sorted({*brackets, *names, *deep}):
        token = tokens[index]
        kind = token.kind
        if tokens.partner[index] < 0 and (kind in _OPENING or kind in _CLOSING):
            what = "is not closed" if kind in _OPENING else "closes nothing"
            yield SqlError(token.span, f"`{token.text}` {what}")
        elif kind is TokenType.VAR and not token.text.isprintable() and _INVISIBLE.intersection(token.text):
            yield SqlError(token.span, "an invisible character stands here")
        elif kind is TokenType.IDENTIFIER and not token.text:
            yield SqlError(token.span, "a quoted name is empty")
        elif tokens.depth[index] > MAX_BRACKETS:
            yield SqlError(token.span, f"brackets are nested more than {MAX_BRACKETS} deep")
    unconditioned = _join_too_many(tokens)
    if unconditioned is not None:
        what = f"more than {MAX_OPEN_JOINS} joins in a row have neither ON nor USING"
        yield SqlError(tokens[unconditioned].span, what)
    too_deep = _first_too_deep(tokens)
    if too_deep is not None:
        yield SqlError(tokens[too_deep].span, f"the expression is nested more than {MAX_NESTING} deep")


def _is_plain(name: str) -> bool:
    return name != "" and name.isprintable()


def _join_too_many(tokens: Tokens) -> int | None:
    """The JOIN at which too many in a row lack a condition; for each the parser tries twice as many readings."""
    pending = 0
    for index in tokens.of_kind(TokenType.JOIN, TokenType.ON, TokenType.USING):
        if tokens.kind(index) is not TokenType.JOIN:
            pending = 0
        else:
            before = {fold(tokens[at].text) for at in range(max(0, index - 3), index)}
            pending += not before & _NEED_NO_CONDITION
            if pending > MAX_OPEN_JOINS:
                return index
    return None


def _first_too_deep(tokens: Tokens) -> int | None:
    """The token at which more than the allowed number of operators and brackets are open, counted from above."""
    levels = [0]
    total = 0
    for index, kind in enumerate(tokens.kinds):
        if kind in _OPERANDS:
            continue
        if kind in _CLOSING or kind is TokenType.END:
            if len(levels) > 1:
                total -= levels.pop()
            continue
        if kind in _FRESH:
            total -= levels[-1]
            levels[-1] = 0
            continue
        levels[-1] += 1
        total += 1
        if total > MAX_NESTING:
            return index
        if kind in _OPENING or kind is TokenType.CASE:
            levels.append(0)
    return None


def _not_a_query(tokens: Tokens, plan: Layout) -> SqlError | None:
    if plan.first >= plan.end:
        return SqlError(tokens.span(0, len(tokens)), "there is no query")
    first = plan.first
    while first < plan.end - 1 and tokens.kind(first) is TokenType.L_PAREN:
        first += 1
    if tokens.kind(first) in _QUERY_STARTS:
        return None
    return SqlError(tokens[first].span, f"a model is one SELECT, and this begins with `{tokens[first].text}`")
