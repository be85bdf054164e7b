"""Which source columns cannot be NULL: because the source declares it, or because the filter drops NULLs."""

from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from smelt.facts.scope import Scope
from smelt.sql.model import Expr
from smelt.sql.scopes import columns_in, conjuncts
from smelt.text.spans import Span

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike)


@dataclass(frozen=True, slots=True)
class NotNull:
    """A proof. ``span`` is the conjunct that gives it; None if the declaration does."""

    column: str
    by: Literal["declaration", "filter"]
    span: Span | None = None


def proofs(scope: Scope, where: Expr | None) -> dict[str, NotNull]:
    """The columns proven NOT NULL, by declared name."""
    proven = {
        column.name: NotNull(column.name, "declaration") for column in scope.source.columns if not column.nullable
    }
    if where is not None:
        for part in conjuncts(scope.query, where):
            for column in _rejected(scope, part.node):
                proven.setdefault(column, NotNull(column, "filter", part.span))
    return proven


def _rejected(scope: Scope, node: exp.Expression) -> set[str]:
    """The columns that cannot be NULL where the predicate is true."""
    if isinstance(node, exp.Paren):
        return _rejected(scope, node.this)
    if isinstance(node, _COMPARISONS):
        return _strict(scope, node.this) | _strict(scope, node.expression)
    if isinstance(node, exp.Between):
        return _strict(scope, node.this) | _strict(scope, node.args["low"]) | _strict(scope, node.args["high"])
    if isinstance(node, exp.In):
        listed = bool(node.expressions) and not node.args.get("query")
        return _strict(scope, node.this) if listed else set()
    if isinstance(node, exp.Not):
        inner = node.this
        while isinstance(inner, exp.Paren):
            inner = inner.this
        if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
            return _strict(scope, inner.this)
        return _strict(scope, inner) if isinstance(inner, exp.Column) else set()
    return set()


def _strict(scope: Scope, node: object) -> set[str]:
    """The columns whose NULL makes the whole expression NULL, through ``+ - *`` and ``CAST``."""
    if isinstance(node, exp.Column | exp.Dot):
        refs = columns_in(scope.query, node)
        found = scope.find(refs[0]) if len(refs) == 1 else None
        column = scope.source.column(found.column) if found is not None else None
        # `+` joins lists and takes a NULL list for an empty one, so it proves nothing of them.
        return {column.name} if column is not None and not column.type.rstrip().endswith("]") else set()
    if isinstance(node, exp.Paren) or (isinstance(node, exp.Cast) and not isinstance(node, exp.TryCast)):
        return _strict(scope, node.this)
    if isinstance(node, exp.Add | exp.Sub | exp.Mul):
        return _strict(scope, node.this) | _strict(scope, node.expression)
    return set()
