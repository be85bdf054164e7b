"""A star as the columns it brings."""

from dataclasses import dataclass

from sqlglot import exp

from smelt.facts.scope import Scope
from smelt.sql.model import Expr, Query, SelectItem
from smelt.sql.scopes import star_of
from smelt.text.identifiers import fold


@dataclass(frozen=True, slots=True)
class Brought:
    """A column that a star brings; ``expr`` is its ``REPLACE`` expression, if it has one."""

    name: str
    column: str
    expr: Expr | None = None


def expand(scope: Scope, item: SelectItem) -> tuple[Brought, ...] | None:
    """The columns of a star, in declared order; None if the item is no star, or one that cannot be expanded."""
    star = star_of(scope.query, item.expr)
    if star is None or star.unsupported is not None or item.alias is not None:
        return None
    if star.qualifier is not None and (scope.known_as is None or fold(star.qualifier.text) != fold(scope.known_as)):
        return None
    declared = {fold(column.name) for column in scope.source.columns}
    excluded = {fold(option.name.text) for option in star.options if option.kind == "exclude"}
    replaced = {fold(option.name.text): option.expr for option in star.options if option.kind == "replace"}
    renamed = {fold(o.name.text): o.new.text for o in star.options if o.kind == "rename" and o.new is not None}
    named = len(excluded) + len(replaced) + len(renamed)
    if len(excluded | set(replaced) | set(renamed)) != named or len(star.options) != named:
        return None  # a column named twice: DuckDB refuses it
    if not (excluded | set(replaced) | set(renamed)) <= declared:
        return None
    return tuple(
        Brought(renamed.get(fold(column.name), column.name), column.name, replaced.get(fold(column.name)))
        for column in scope.source.columns
        if fold(column.name) not in excluded
    )


def is_star(query: Query, item: SelectItem) -> bool:
    """Whether an item stands for columns that it does not name, maybe in a way that is not understood."""
    if star_of(query, item.expr) is not None:
        return True
    tokens = query.tokens
    first, end = tokens.within(item.expr.span) if tokens is not None else (0, 0)
    if tokens is not None and "*" not in (words := tokens.uppers[first:end]) and "COLUMNS" not in words:
        return False
    return any(
        isinstance(node, exp.Columns) or (isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count))
        for node in item.expr.node.walk()
    )
