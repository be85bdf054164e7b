"""What an expression refers to: columns, functions, nested queries, stars."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.sql.model import Expr, Name, Query, Relation
from smelt.sql.tokens import Tokens
from smelt.sql.windows import name_of
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_NOT_FUNCTIONS = {
    "IN",
    "EXISTS",
    "ANY",
    "ALL",
    "SOME",
    "OVER",
    "FILTER",
    "VALUES",
    "EXCLUDE",
    "REPLACE",
    "RENAME",
    "AND",
}
_KEYWORD_FUNCTIONS = {
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "CURRENT_USER",
    "CURRENT_ROLE",
    "CURRENT_SCHEMA",
    "CURRENT_CATALOG",
    "SESSION_USER",
    "USER",
}


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column as written: ``parts`` without quotes, ``names`` with their spans."""

    names: tuple[Name, ...]
    span: Span

    @property
    def parts(self) -> tuple[str, ...]:
        """The dotted parts."""
        return tuple(name.text for name in self.names)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A reference that found its column: the declared name, and the span of everything but struct fields."""

    column: str
    span: Span


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function as written; ``span`` is the name's."""

    name: str
    span: Span
    has_parentheses: bool = True


@dataclass(frozen=True, slots=True)
class StarOption:
    """A name in ``EXCLUDE``, ``REPLACE`` or ``RENAME``; ``expr`` for REPLACE, ``new`` for RENAME."""

    kind: Literal["exclude", "replace", "rename"]
    name: Name
    expr: Expr | None = None
    new: Name | None = None


@dataclass(frozen=True, slots=True)
class Star:
    """``*`` or ``alias.*``; ``unsupported`` covers ``LIKE``, ``COLUMNS(…)`` and what is not understood."""

    qualifier: Name | None
    options: tuple[StarOption, ...]
    unsupported: Span | None = None


def columns_in(query: Query, node: exp.Expression) -> tuple[ColumnRef, ...]:
    """The column references in a node, in text order, without those of nested queries."""
    found = [reference_of(query, column) for column in _columns(node)]
    return tuple(sorted((ref for ref in found if ref is not None), key=lambda ref: ref.span))


def _columns(root: exp.Expression) -> Iterator[exp.Expression]:
    """Column nodes, in no order; iterative, because trees of long predicates are deep."""
    waiting: list[tuple[exp.Expression, frozenset[str]]] = [(root, frozenset())]
    while waiting:
        node, bound = waiting.pop()
        if isinstance(node, exp.Query) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
            continue
        if is_column(node):
            if not (isinstance(node, exp.Column) and not node.table and fold(node.name) in bound):
                yield node
            continue
        if isinstance(node, exp.Lambda):
            waiting.append((node.this, bound | {fold(parameter.name) for parameter in node.expressions}))
            continue
        waiting.extend((child, bound) for child in node.iter_expressions())


def _is_dotted_column(node: exp.Dot) -> bool:
    inner: object = node
    while isinstance(inner, exp.Dot):
        inner = inner.this
    return isinstance(inner, exp.Column)


def is_column(node: exp.Expression) -> bool:
    """Whether a node is a whole reference to a column, struct fields included; a star is none."""
    if isinstance(node, exp.Column):
        return not isinstance(node.this, exp.Star)
    return isinstance(node, exp.Dot) and _is_dotted_column(node)


def reference_of(query: Query, node: exp.Expression) -> ColumnRef | None:
    """The reference as written; None if the tree keeps no trace of its place."""
    tokens = query.tokens
    if tokens is None:
        return None
    starts = sorted(start for name in _identifiers(node) if (start := name.meta.get("start")) is not None)
    indexes = [index for start in starts if (index := tokens.at(start + query.shift)) is not None]
    if not indexes:
        return None
    names = tuple([name_of(tokens, index) for index in indexes])
    return ColumnRef(names, names[0].span if len(names) == 1 else names[0].span.join(names[-1].span))


def _identifiers(node: exp.Expression) -> Iterator[exp.Expression]:
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, exp.Identifier):
            yield part
        else:
            waiting.extend(part.iter_expressions())


def resolve(ref: ColumnRef, relation: str | None, columns: Mapping[str, str]) -> Resolved | None:
    """The column a reference means, where one relation is in scope.

    ``alias.column`` wins over ``column.field``, as in DuckDB.

    Args:
        ref: the reference.
        relation: the relation's alias, or the name it is known by.
        columns: its columns' declared names, by folded name.
    """
    parts = [fold(part) for part in ref.parts]
    if relation is not None and len(parts) > 1 and parts[0] == fold(relation) and parts[1] in columns:
        return Resolved(columns[parts[1]], ref.names[0].span.join(ref.names[1].span))
    if parts[0] in columns:
        return Resolved(columns[parts[0]], ref.names[0].span)
    return None


def known_as(relation: Relation) -> str | None:
    """The name by which columns of a relation are qualified: its alias, else its last segment."""
    if relation.alias is not None:
        return relation.alias.text
    return relation.parts[-1] if relation.parts else None


_MORE_THAN_NAMES = (exp.Star, exp.Columns, exp.Query, exp.Parameter, exp.Placeholder, exp.SessionParameter)


def holds_more_than_names(expr: Expr) -> bool:
    """Whether an expression holds a star, a nested query or a parameter: what it is depends on more than its names."""
    return any(isinstance(node, _MORE_THAN_NAMES) for node in expr.node.walk())


def functions_in(query: Query, span: Span) -> tuple[FunctionCall, ...]:
    """The functions called in a span, under the names that are written, those of nested queries included."""
    tokens = query.tokens
    if tokens is None:
        return ()
    first, end = tokens.within(span)
    uppers = tokens.uppers[first:end]
    keywords = () if _KEYWORD_FUNCTIONS.isdisjoint(uppers) else range(first, end)
    called = [opening - 1 for opening in tokens.of_kind(TokenType.L_PAREN, first=first + 1, end=end)]
    found: list[FunctionCall] = []
    for index in sorted({*keywords, *called}):
        token, is_called = tokens[index], tokens.kind(index + 1) is TokenType.L_PAREN
        keyword = tokens.uppers[index] in _KEYWORD_FUNCTIONS and token.kind is not TokenType.IDENTIFIER
        if keyword and not _is_named(query, index):
            found.append(FunctionCall(token.text, token.span, is_called))
        elif is_called and index + 1 < end and _can_be_called(query, index):
            found.append(FunctionCall(token.text, token.span))
    return tuple(found)


def _is_named(query: Query, index: int) -> bool:
    tokens = query.tokens
    return tokens is not None and TokenType.DOT in (tokens.kind(index - 1), tokens.kind(index + 1))


def _can_be_called(query: Query, index: int) -> bool:
    tokens = query.tokens
    if tokens is None:
        return False
    token = tokens[index]
    word = token.text[:1].isalpha() or token.text[:1] == "_"
    if not word or token.kind in (TokenType.STRING, TokenType.ALIAS) or token.upper in _NOT_FUNCTIONS:
        return False
    if token.kind is TokenType.IDENTIFIER:
        return True
    return token.upper not in _CLAUSE_WORDS


_CLAUSE_WORDS = {
    "SELECT", "DISTINCT", "FROM", "WHERE", "ON", "USING", "WHEN", "THEN", "ELSE", "CASE", "NOT", "OR", "IS", "LIKE",
    "ILIKE", "BETWEEN", "BY", "GROUP BY", "ORDER BY", "PARTITION BY", "HAVING", "QUALIFY", "LIMIT", "OFFSET", "JOIN",
    "UNION", "EXCEPT", "INTERSECT", "WITH", "RANGE", "ROWS", "GROUPS", "INTERVAL", "SIMILAR TO", "GLOB", "ESCAPE",
    "DECIMAL", "NUMERIC", "DEC", "VARCHAR", "CHAR", "BPCHAR", "TEXT", "STRING", "UNION ALL", "TIMESTAMP", "TIME", "BIT",
}  # fmt: skip


def subqueries_in(query: Query, span: Span) -> tuple[Span, ...]:
    """The outermost nested queries in a span, with their parentheses."""
    tokens = query.tokens
    if tokens is None:
        return ()
    first, end = tokens.within(span)
    found: list[Span] = []
    behind = first
    for index in tokens.of_kind(TokenType.L_PAREN, first=first, end=end):
        opens = index >= behind and tokens.partner[index] > 0
        if opens and tokens.kind(index + 1) in (TokenType.SELECT, TokenType.WITH, TokenType.FROM, TokenType.VALUES):
            behind = tokens.after(index)
            found.append(tokens.span(index, behind))
    return tuple(found)


def conjuncts(query: Query, expr: Expr) -> tuple[Expr, ...]:
    """The parts of a predicate that its top-level ``AND`` joins; redundant parentheses are entered."""
    parts: list[Expr] = []
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if isinstance(part.node, exp.Paren) and isinstance(part.node.this, exp.And | exp.Paren):
            waiting.append(Expr(part.node.this, _inside(query, part.span)))
        elif isinstance(part.node, exp.And) and (joined := _joined(query, part)):
            waiting.extend(reversed(joined))
        else:
            parts.append(part)
    return tuple(parts)


def _inside(query: Query, span: Span) -> Span:
    tokens = query.tokens
    assert tokens is not None
    first, end = tokens.within(span)
    return tokens.span(first + 1, end - 1) if end - first > 2 else span


def _joined(query: Query, expr: Expr) -> list[Expr]:
    """The operands of a chain of ``AND``; empty if text and tree disagree on how many there are."""
    tokens = query.tokens
    assert tokens is not None
    nodes: list[exp.Expression] = []
    node = expr.node
    while isinstance(node, exp.And):
        nodes.append(node.expression)
        node = node.this
    nodes.append(node)
    first, end = tokens.within(expr.span)
    edges = [first - 1, *_ands(tokens, first, end), end]
    ranges = [(left + 1, right) for left, right in pairwise(edges)]
    if len(ranges) != len(nodes) or any(left >= right for left, right in ranges):
        return []
    return [Expr(node, tokens.span(*place)) for node, place in zip(reversed(nodes), ranges, strict=True)]


def _ands(tokens: Tokens, first: int, end: int) -> Iterator[int]:
    """The ``AND`` at the top level of a range: not those of ``BETWEEN``, of ``CASE`` or in brackets."""
    between = case = 0
    for index in tokens.level(first, end):
        kind = tokens.kind(index)
        if kind is TokenType.CASE:
            case += 1
        elif kind is TokenType.END and case:
            case -= 1
        elif kind is TokenType.BETWEEN and not case:
            between += 1
        elif kind is TokenType.AND and not case:
            if between:
                between -= 1
            else:
                yield index


def star_of(query: Query, expr: Expr) -> Star | None:
    """The star an item is, or None if it is none."""
    node, tokens = expr.node, query.tokens
    star = node.this if isinstance(node, exp.Column) else node
    if not isinstance(star, exp.Star) or tokens is None:
        return None
    first, end = tokens.within(expr.span)
    if tokens.kind(first) is TokenType.FROM:
        return Star(None, ())
    qualifier = name_of(tokens, first) if tokens.kind(first + 1) is TokenType.DOT else None
    at = first + 3 if qualifier is not None else first + 1
    options: list[StarOption] = []
    replacements = [item for item in star.args.get("replace") or [] if isinstance(item, exp.Expression)]
    while at < end:
        kind = tokens[at].upper
        if kind not in ("EXCLUDE", "REPLACE", "RENAME") or at + 1 >= end:
            return Star(qualifier, tuple(options), tokens.span(at, end))
        behind = tokens.after(at + 1)
        grouped = tokens.kind(at + 1) is TokenType.L_PAREN
        parts = tokens.split(at + 2, behind - 1) if grouped else ((at + 1, end),)
        behind = behind if grouped else end
        for number, (start, stop) in enumerate(parts):
            option = _star_option(query, kind, start, stop, replacements, number)
            if option is None:
                return Star(qualifier, tuple(options), tokens.span(start, stop))
            options.append(option)
        at = behind
    return Star(qualifier, tuple(options))


def _star_option(
    query: Query, kind: str, start: int, stop: int, replacements: list[exp.Expression], number: int
) -> StarOption | None:
    tokens = query.tokens
    assert tokens is not None
    if kind == "EXCLUDE":
        return StarOption("exclude", name_of(tokens, start)) if stop - start == 1 else None
    if stop - start < 3 or tokens.kind(stop - 2) is not TokenType.ALIAS:
        return None
    last = name_of(tokens, stop - 1)
    if kind == "RENAME":
        return StarOption("rename", name_of(tokens, start), new=last) if stop - start == 3 else None
    if number >= len(replacements):
        return None
    node = replacements[number]
    inner = node.this if isinstance(node, exp.Alias) else node
    return StarOption("replace", last, Expr(inner, tokens.span(start, stop - 2)))
