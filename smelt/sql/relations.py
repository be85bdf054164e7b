"""What a query reads: everything that stands where a table can stand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from sqlglot.tokenizer_core import TokenType

from smelt.sql.clauses import BEHIND_FROM, is_distinct_from
from smelt.sql.model import Name, Relation, RelationKind
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
_STOP = (
    BEHIND_FROM
    | _JOIN_WORDS
    | {
        TokenType.FROM,
        TokenType.ON,
        TokenType.USING,
        TokenType.JOIN,
        TokenType.COMMA,
        TokenType.R_PAREN,
        TokenType.SEMICOLON,
        TokenType.TABLE_SAMPLE,
    }
)
_LIST_END = (
    _STOP
    - _JOIN_WORDS
    - {
        TokenType.ON,
        TokenType.USING,
        TokenType.JOIN,
        TokenType.COMMA,
        TokenType.TABLE_SAMPLE,
    }
)
_QUERY_STARTS = (TokenType.SELECT, TokenType.FROM, TokenType.WITH)
_TABLE_STATEMENTS = {
    "PIVOT", "PIVOT_WIDER", "UNPIVOT", "PIVOT_LONGER", "DESCRIBE", "DESC", "SHOW", "SUMMARIZE", "TABLE",
}  # fmt: skip
_HALF_TYPED = {"FROM", "JOIN"}
_NO_ALIAS = {"PIVOT", "UNPIVOT", "AT", "WITH"}
_NOT_A_TABLE_BEFORE = {"EXTRACT", "TRIM", "SUBSTRING", "OVERLAY", "POSITION"}


class Cte(NamedTuple):
    """A common table expression: the tokens among which its name is known."""

    first: int
    end: int


def from_list(
    tokens: Tokens, first: int, end: int, ctes: Mapping[str, Sequence[Cte]] | None = None
) -> tuple[tuple[Relation, ...], tuple[Span, ...]]:
    """The relations of a FROM body at its own level, and the spans of its joins and comma joins.

    ``ctes`` is what :func:`known_ctes` says of the tokens; who asks for many lists asks for it once.
    """
    ctes = known_ctes(tokens) if ctes is None else ctes
    starts = [first]
    joins: list[int] = []
    for index in _separators(tokens, first, end):
        begin = index
        while tokens.kind(index) is TokenType.JOIN and begin > first and tokens[begin - 1].kind in _JOIN_WORDS:
            begin -= 1
        joins.append(begin)
        starts.append(index + 1)
    stops = [*joins, end]
    relations = tuple(
        _cte_or(relation, start, ctes)
        for start, stop in zip(starts, stops, strict=True)
        if start < stop and (relation := _relation(tokens, start, stop)) is not None
    )
    spans = tuple(
        tokens.span(begin + 1 if tokens[begin].kind is TokenType.COMMA else begin, stop)
        for begin, stop in pairwise((*joins, end))
        if stop > begin + 1
    )
    return relations, spans


def _cte_or(relation: Relation, index: int, ctes: Mapping[str, Sequence[Cte]]) -> Relation:
    """The relation that begins at an index, marked if its name means a common table expression there."""
    if relation.kind != "table" or len(relation.parts) != 1:
        return relation
    seen = any(cte.first < index < cte.end for cte in ctes.get(fold(relation.parts[0]), ()))
    return replace(relation, kind="cte") if seen else relation


def _separators(tokens: Tokens, first: int, end: int) -> Iterator[int]:
    """Every JOIN and comma at the level of a FROM list, up to its end or the first token of another clause."""
    index = first
    while index < end:
        kind = tokens.kind(index)
        if kind is TokenType.VALUES:
            index = _values_end(tokens, index + 1)
            continue
        if kind is TokenType.COMMA or (kind is TokenType.JOIN and not tokens.is_word(index)):
            yield index
        elif kind in _LIST_END and not tokens.is_word(index) and not is_distinct_from(tokens, index):
            return
        index = tokens.after(index)


def all_relations(tokens: Tokens) -> tuple[Relation, ...]:
    """Every relation at every depth, references to CTEs excluded."""
    ctes = known_ctes(tokens)
    found: list[Relation] = []
    for start in sorted(set(_table_positions(tokens))):
        relation = _relation(tokens, start, _relation_end(tokens, start))
        if relation is not None and relation.kind in ("table", "function"):
            found.append(_cte_or(relation, start, ctes))
    return tuple(relation for relation in found if relation.kind != "cte")


def known_ctes(tokens: Tokens) -> Mapping[str, Sequence[Cte]]:
    """The common table expressions at every depth, by folded name."""
    found: dict[str, list[Cte]] = {}
    if not tokens.of_kind(TokenType.WITH):
        return found
    closes: list[int] = []
    for index, token in enumerate(tokens.items):
        if token.kind is TokenType.L_PAREN:
            closes.append(tokens.partner[index] if tokens.partner[index] > 0 else len(tokens))
        elif token.kind is TokenType.R_PAREN and closes:
            closes.pop()
        elif token.kind is TokenType.WITH and not tokens.is_word(index):
            end = closes[-1] if closes else len(tokens)
            for name in _defined(tokens, index + 1):
                found.setdefault(name, []).append(Cte(index, end))
    return found


def _defined(tokens: Tokens, at: int) -> Iterator[str]:
    """The folded names of the list of CTEs that begins at an index."""
    if at < len(tokens) and tokens[at].upper == "RECURSIVE":
        at += 1
    while at < len(tokens):
        alias = tokens.after(at + 1) if tokens.kind(at + 1) is TokenType.L_PAREN else at + 1
        opening = alias + 1
        while opening < len(tokens) and tokens[opening].upper in ("NOT", "MATERIALIZED"):
            opening += 1
        if tokens.kind(alias) is not TokenType.ALIAS or tokens.kind(opening) is not TokenType.L_PAREN:
            return
        yield fold(tokens[at].text)
        at = tokens.after(opening)
        if tokens.kind(at) is not TokenType.COMMA:
            return
        at += 1


def _table_positions(tokens: Tokens) -> Iterator[int]:
    """Where a relation begins: behind FROM, JOIN and PIVOT, and behind commas of a FROM list."""
    for index in (*tokens.of_kind(TokenType.FROM, TokenType.JOIN), *_disguised(tokens)):
        kind = tokens.kind(index)
        if kind is TokenType.FROM:
            if not tokens.is_word(index) and not _is_function_from(tokens, index):
                yield from _inside_brackets(tokens, index + 1)
                for separator in _separators(tokens, index + 1, len(tokens)):
                    if tokens.kind(separator) is TokenType.COMMA:
                        yield from _inside_brackets(tokens, separator + 1)
        elif kind is TokenType.JOIN:
            if not tokens.is_word(index):
                yield from _inside_brackets(tokens, index + 1)
        elif _is_half_typed_from(tokens, index) or _is_table_statement(tokens, index):
            yield index + 1


def _disguised(tokens: Tokens) -> Iterator[int]:
    """Where a word that brings a relation can stand under another kind: behind ``AS``, a dot and a parenthesis."""
    words = tokens.uppers
    for before in tokens.of_kind(TokenType.ALIAS, TokenType.DOT, TokenType.L_PAREN, end=len(tokens) - 1):
        if words[before + 1] in _HALF_TYPED or words[before + 1] in _TABLE_STATEMENTS:
            yield before + 1


def _inside_brackets(tokens: Tokens, index: int) -> Iterator[int]:
    """The first relation at an index, also in ``FROM (a JOIN b …)``; a nested query has a FROM of its own."""
    while tokens.kind(index) in (TokenType.L_PAREN, TokenType.LATERAL):
        index += 1
    if tokens.kind(index) not in (*_QUERY_STARTS, TokenType.VALUES) and not _is_table_statement(tokens, index):
        yield index


def _is_half_typed_from(tokens: Tokens, index: int) -> bool:
    """``SELECT a AS FROM t`` and ``SELECT s. FROM smelt.t``: a name is still to come before the FROM."""
    before = tokens.kind(index - 1)
    if before not in (TokenType.ALIAS, TokenType.DOT) or index >= len(tokens):
        return False
    if tokens.uppers[index] not in _HALF_TYPED:
        return False
    named = tokens.kind(index + 1) in (TokenType.VAR, TokenType.IDENTIFIER)
    # `SELECT t.from x` is a column with an alias; `t.from x.y` is nothing.
    return named and (before is TokenType.ALIAS or tokens.kind(index + 2) is TokenType.DOT)


def _is_table_statement(tokens: Tokens, index: int) -> bool:
    """``(PIVOT t …)``, ``(SUMMARIZE t)``: a table where a query may stand."""
    if tokens.kind(index - 1) is not TokenType.L_PAREN or index >= len(tokens):
        return False
    if tokens.uppers[index] not in _TABLE_STATEMENTS:
        return False
    return tokens.kind(index + 1) in (TokenType.VAR, TokenType.IDENTIFIER)


def _is_function_from(tokens: Tokens, index: int) -> bool:
    if is_distinct_from(tokens, index):
        return True
    opening = tokens.around[index]
    return opening > 0 and tokens.partner[opening] > index and tokens[opening - 1].upper in _NOT_A_TABLE_BEFORE


def _relation_end(tokens: Tokens, start: int) -> int:
    index = start
    while index < len(tokens) and (tokens[index].kind not in _STOP or tokens.is_word(index)):
        index = tokens.after(index)
    return index


def _relation(tokens: Tokens, start: int, stop: int) -> Relation | None:
    """The relation that begins at ``start``; what lies behind its alias (``ON …``) is left out."""
    first = start
    if tokens.kind(start) is TokenType.LATERAL:
        start += 1
    prefix = None
    if tokens.kind(start + 1) is TokenType.COLON:
        prefix, start = name_of(tokens, start), start + 2
    if start >= len(tokens):
        return None
    end = min(stop, max(_relation_end(tokens, start), start + 1))
    sample = _sample(tokens, end, stop)
    kind: RelationKind
    parts: tuple[str, ...] = ()
    if tokens.kind(start) is TokenType.L_PAREN:
        kind = "values" if tokens.kind(start + 1) is TokenType.VALUES else "subquery"
        named = behind = min(tokens.after(start), end)
    elif tokens.kind(start) is TokenType.VALUES:
        kind, end = "values", stop
        named = behind = min(_values_end(tokens, start + 1), stop)
    elif tokens.kind(start) in _STOP or tokens.kind(start) is TokenType.NUMBER:
        return None
    else:
        parts, named = _dotted(tokens, start, end)
        called = named < end and tokens.kind(named) is TokenType.L_PAREN
        kind = "function" if called or tokens.kind(start) is TokenType.STRING else "table"
        behind = min(tokens.after(named), end) if called else named
    alias, columns, last = _alias(tokens, behind, end)
    return Relation(
        kind=kind,
        span=tokens.span(first, last),
        name_span=tokens.span(start, named),
        parts=parts,
        alias=alias or prefix,
        alias_columns=columns,
        sample_span=sample,
    )


def _dotted(tokens: Tokens, start: int, end: int) -> tuple[tuple[str, ...], int]:
    """The parts of the dotted name at ``start``, and the index behind it."""
    behind = start + 1
    parts = [tokens[start].text]
    while behind + 1 < end and tokens.kind(behind) is TokenType.DOT:
        parts.append(tokens[behind + 1].text)
        behind += 2
    return tuple(parts), behind


def _values_end(tokens: Tokens, index: int) -> int:
    """The index behind the rows of a bare ``VALUES (1), (2)``."""
    while tokens.kind(index) is TokenType.L_PAREN:
        index = tokens.after(index)
        row = tokens.kind(index + 1) is TokenType.L_PAREN and tokens.kind(index + 2) not in _QUERY_STARTS
        if tokens.kind(index) is not TokenType.COMMA or not row:
            break
        index += 1
    return index


def _alias(tokens: Tokens, at: int, end: int) -> tuple[Name | None, tuple[Name, ...], int]:
    """The alias that begins at ``at``, its column names, and the index behind both."""
    if at < end and tokens.kind(at) is TokenType.ALIAS:
        at += 1
        if at >= end:
            return None, (), at
    elif at >= end or tokens.kind(at) in _STOP or tokens.kind(at) is TokenType.L_PAREN:
        return None, (), at
    elif tokens[at].upper == "WITH" and at + 1 < end and tokens[at + 1].upper == "ORDINALITY":
        return _alias(tokens, at + 2, end)
    elif tokens[at].upper in _NO_ALIAS and tokens.kind(at) is not TokenType.IDENTIFIER:
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
