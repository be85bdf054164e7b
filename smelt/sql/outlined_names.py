"""The names by which queries go: what may be a column in an outline, and what is one in a tree."""

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.sql.model import Name, Query
from smelt.sql.outline import NAME_KINDS, Outline
from smelt.sql.scopes import is_column, reference_of
from smelt.sql.tokens import Tokens
from smelt.sql.windows import name_of
from smelt.text.identifiers import fold


def names_by_tokens(queries: Outline) -> tuple[tuple[Name, ...], ...]:
    """What may be a column, as dotted names, outside of FROM lists and aliases: for text that has no tree."""
    tokens, taken = queries.tokens, _defining(queries)
    found: list[tuple[Name, ...]] = []
    index = 0
    while index < len(tokens):
        end = index + 1
        while end + 1 < len(tokens) and tokens.kind(end) is TokenType.DOT and _can_be_named(tokens, end + 1):
            end += 2
        if _can_be_named(tokens, index) and tokens[index].start not in taken and not _is_no_column(tokens, index, end):
            found.append(tuple(name_of(tokens, at) for at in range(index, end, 2)))
        index = end
    return tuple(found)


def names_by_tree(query: Query) -> tuple[tuple[Name, ...], ...]:
    """Every column reference at every depth, as dotted names in text order; parameters of lambdas are none."""
    found: list[tuple[Name, ...]] = []
    waiting: list[tuple[exp.Expression, frozenset[str]]] = [(query.tree, frozenset())]
    while waiting:
        node, bound = waiting.pop()
        if is_column(node):
            if not (isinstance(node, exp.Column) and not node.table and fold(node.name) in bound):
                reference = reference_of(query, node)
                found += [reference.names] if reference is not None else []
            continue
        if isinstance(node, exp.Lambda):
            bound |= {fold(parameter.name) for parameter in node.expressions}
        waiting.extend((child, bound) for child in node.iter_expressions())
    return tuple(sorted(found, key=lambda names: names[0].span))


def joined_by(queries: Outline) -> tuple[Name, ...]:
    """The columns in ``USING (…)`` of joins: names that no tree keeps a place of."""
    tokens = queries.tokens
    return tuple(
        name_of(tokens, first)
        for index, token in enumerate(tokens.items)
        if token.kind is TokenType.USING and tokens.kind(index + 1) is TokenType.L_PAREN
        for first, end in tokens.split(index + 2, max(tokens.partner[index + 1], index + 2))
        if first < end
    )


def _defining(queries: Outline) -> frozenset[int]:
    """Where names stand that are defined, or that name a relation: each offset of a first letter."""
    spans = [cte.name.span for cte in queries.ctes]
    for select in queries.selects:
        spans += [item.name.span for item in select.items if item.name is not None and item.aliased]
        for relation in select.relations:
            spans += [relation.name_span] if relation.kind != "subquery" else []
            spans += [relation.alias.span] if relation.alias is not None else []
            spans += [name.span for name in relation.alias_columns]
    return frozenset(span.start for span in spans)


def _can_be_named(tokens: Tokens, index: int) -> bool:
    return tokens.kind(index) in NAME_KINDS or (tokens.is_word(index) and tokens[index].text[:1].isalpha())


def _is_no_column(tokens: Tokens, first: int, end: int) -> bool:
    """A function, a type, or a window's name."""
    before = tokens.kind(first - 1)
    called = tokens.kind(end) is TokenType.L_PAREN
    return called or before in (TokenType.DCOLON, TokenType.ALIAS, TokenType.OVER, TokenType.WINDOW)
