"""What a query reads: everything that stands where a table can stand."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from sqlglot.tokenizer_core import TokenType

from smelt.sql.model import Name, Relation
from smelt.sql.tokens import Tokens
from smelt.sql.windows import name_of
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_JOIN_WORDS = {
    TokenType.LEFT,
    TokenType.RIGHT,
    TokenType.FULL,
    TokenType.INNER,
    TokenType.OUTER,
    TokenType.CROSS,
    TokenType.SEMI,
    TokenType.ANTI,
    TokenType.ASOF,
    TokenType.NATURAL,
}
_STOP = {
    TokenType.ON,
    TokenType.USING,
    TokenType.JOIN,
    TokenType.WHERE,
    TokenType.GROUP_BY,
    TokenType.HAVING,
    TokenType.WINDOW,
    TokenType.QUALIFY,
    TokenType.ORDER_BY,
    TokenType.LIMIT,
    TokenType.OFFSET,
    TokenType.UNION,
    TokenType.EXCEPT,
    TokenType.INTERSECT,
    TokenType.SELECT,
    TokenType.COMMA,
    TokenType.R_PAREN,
    TokenType.SEMICOLON,
    TokenType.TABLE_SAMPLE,
    *_JOIN_WORDS,
}
_NOT_A_TABLE_BEFORE = {"EXTRACT", "TRIM", "SUBSTRING", "OVERLAY", "POSITION"}


def from_list(tokens: Tokens, first: int, end: int) -> tuple[tuple[Relation, ...], tuple[Span, ...]]:
    """The relations of a FROM body at its own level, and the spans of its joins and comma joins."""
    starts = [first]
    joins: list[int] = []
    for index in tokens.level(first, end):
        kind = tokens[index].kind
        if kind is TokenType.JOIN and not tokens.is_word(index):
            begin = index
            while begin > first and tokens[begin - 1].kind in _JOIN_WORDS:
                begin -= 1
            joins.append(begin)
            starts.append(index + 1)
        elif kind is TokenType.COMMA:
            joins.append(index)
            starts.append(index + 1)
    stops = [*joins, end]
    relations = tuple(
        relation
        for start, stop in zip(starts, stops, strict=True)
        if start < stop and (relation := _relation(tokens, start, stop)) is not None
    )
    spans = tuple(
        tokens.span(begin + 1 if tokens[begin].kind is TokenType.COMMA else begin, stop)
        for begin, stop in pairwise((*joins, end))
        if stop > begin + 1
    )
    return relations, spans


def all_relations(tokens: Tokens) -> tuple[Relation, ...]:
    """Every relation at every depth, references to CTEs excluded."""
    ctes = {fold(name.text) for name in _cte_names(tokens)}
    found: list[Relation] = []
    for start in _table_positions(tokens):
        relation = _relation(tokens, start, _relation_end(tokens, start))
        if relation is None or relation.kind != "table":
            if relation is not None and relation.kind == "function":
                found.append(relation)
            continue
        if len(relation.parts) == 1 and fold(relation.parts[0]) in ctes:
            continue
        found.append(relation)
    return tuple(found)


def _cte_names(tokens: Tokens) -> Iterator[Name]:
    for index in range(1, len(tokens)):
        if tokens.kind(index) is TokenType.ALIAS and tokens.kind(index + 1) is TokenType.L_PAREN:
            before = index - 1
            if tokens.kind(before) is TokenType.R_PAREN:
                before = tokens.partner[before] - 1
            if before > 0 and (
                tokens.kind(before - 1) in (TokenType.WITH, TokenType.COMMA) or tokens[before - 1].upper == "RECURSIVE"
            ):
                yield name_of(tokens, before)


def _table_positions(tokens: Tokens) -> Iterable[int]:
    """Where a relation begins: behind FROM, JOIN, and commas of a FROM list."""
    for index, token in enumerate(tokens.items):
        if tokens.is_word(index):
            continue
        if token.kind is TokenType.JOIN:
            yield index + 1
        elif token.kind is TokenType.FROM and not _is_function_from(tokens, index):
            yield index + 1
            yield from _comma_positions(tokens, index + 1)


def _is_function_from(tokens: Tokens, index: int) -> bool:
    if tokens.kind(index - 1) is TokenType.DISTINCT:
        return True
    opening = next((at for at in range(index - 1, -1, -1) if tokens.partner[at] > index), -1)
    return opening > 0 and tokens[opening - 1].upper in _NOT_A_TABLE_BEFORE


def _comma_positions(tokens: Tokens, first: int) -> Iterator[int]:
    index = first
    while index < len(tokens):
        kind = tokens[index].kind
        if kind is TokenType.COMMA:
            yield index + 1
        elif (kind in _STOP and kind not in _JOIN_WORDS | {TokenType.ON, TokenType.USING, TokenType.JOIN}) and (
            kind is not TokenType.TABLE_SAMPLE
        ):
            return
        index = tokens.after(index)


def _relation_end(tokens: Tokens, start: int) -> int:
    index = start
    while index < len(tokens) and (tokens[index].kind not in _STOP or tokens.is_word(index)):
        index = tokens.after(index)
    return index


def _relation(tokens: Tokens, start: int, stop: int) -> Relation | None:
    """The relation that begins at ``start``; what lies behind its alias (``ON …``) is left out."""
    end = min(stop, max(_relation_end(tokens, start), start + 1))
    if start >= len(tokens):
        return None
    sample = _sample(tokens, end, stop)
    if tokens.kind(start) is TokenType.L_PAREN:
        behind = min(tokens.after(start), end)
        kind = "values" if tokens.kind(start + 1) is TokenType.VALUES else "subquery"
        alias, columns, last = _alias(tokens, behind, end)
        name_span = tokens.span(start, behind)
        return Relation(kind, tokens.span(start, last), name_span, (), alias, columns, sample)  # type: ignore[arg-type]
    if tokens.kind(start) is TokenType.VALUES:
        alias, columns, last = _alias(tokens, end, end)
        return Relation("values", tokens.span(start, last), tokens.span(start, end), (), alias, columns, sample)
    if tokens.kind(start) in _STOP:
        return None
    behind = start + 1
    parts = [_part(tokens, start)]
    while behind + 1 < end and tokens.kind(behind) is TokenType.DOT:
        parts.append(_part(tokens, behind + 1))
        behind += 2
    kind = "table"
    name_span = tokens.span(start, behind)
    if behind < end and tokens.kind(behind) is TokenType.L_PAREN:
        kind, behind = "function", min(tokens.after(behind), end)
    elif tokens.kind(start) is TokenType.STRING:
        kind = "function"
    alias, columns, last = _alias(tokens, behind, end)
    return Relation(kind, tokens.span(start, last), name_span, tuple(parts), alias, columns, sample)  # type: ignore[arg-type]


def _part(tokens: Tokens, index: int) -> str:
    return tokens[index].text


def _alias(tokens: Tokens, at: int, end: int) -> tuple[Name | None, tuple[Name, ...], int]:
    """The alias that begins at ``at``, its column names, and the index behind both."""
    if at < end and tokens.kind(at) is TokenType.ALIAS:
        at += 1
        if at >= end:
            return None, (), at
    elif at >= end or tokens.kind(at) in _STOP or tokens.kind(at) is TokenType.L_PAREN:
        return None, (), at
    name = name_of(tokens, at)
    at += 1
    if at < end and tokens.kind(at) is TokenType.L_PAREN and tokens.partner[at] > 0:
        columns = tuple(name_of(tokens, first) for first, _ in tokens.split(at + 1, tokens.partner[at]))
        return name, columns, tokens.after(at)
    return name, (), at


def _sample(tokens: Tokens, end: int, stop: int) -> Span | None:
    for index in range(end, min(stop, len(tokens))):
        if tokens.kind(index) is TokenType.TABLE_SAMPLE:
            return tokens.span(index, stop)
    return None
