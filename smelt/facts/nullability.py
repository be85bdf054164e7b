"""Which source columns cannot be NULL: because the source declares it, or because the filter drops NULLs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from smelt.facts.formula import Formula
from smelt.facts.scope import Scope
from smelt.sql.model import Expr
from smelt.sql.scopes import columns_in, conjuncts
from smelt.sql.types import normal
from smelt.text.spans import Span

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike)


@dataclass(frozen=True, slots=True)
class NotNull:
    """A proof. ``span`` is the conjunct that gives it; None if the declaration does."""

    column: str
    by: Literal["declaration", "filter"]
    span: Span | None = None


def proofs(scope: Scope, where: Expr | None, aliases: Mapping[str, Formula]) -> dict[str, NotNull]:
    """The columns proven NOT NULL, by declared name."""
    proven = {
        column.name: NotNull(column.name, "declaration") for column in scope.source.columns if not column.nullable
    }
    if where is not None:
        for part in conjuncts(scope.query, where):
            for column in _Proof(scope, aliases).rejected(part.node):
                proven.setdefault(column, NotNull(column, "filter", part.span))
    return proven


@dataclass(frozen=True, slots=True)
class _Proof:
    """What a predicate that is true says of the columns in it."""

    scope: Scope
    aliases: Mapping[str, Formula]

    def rejected(self, node: exp.Expression) -> set[str]:
        """The columns that cannot be NULL where the predicate is true."""
        if isinstance(node, exp.Paren):
            return self.rejected(node.this)
        if isinstance(node, _COMPARISONS):
            return self.strict(node.this, node.expression)
        if isinstance(node, exp.Between):
            return self.strict(node.this, node.args.get("low"), node.args.get("high"))
        if isinstance(node, exp.In):
            listed = bool(node.expressions) and not node.args.get("query")
            return self.strict(node.this) if listed and all(_is_operand(item) for item in node.expressions) else set()
        if isinstance(node, exp.Not):
            return self.rejected_by_not(_unwrapped(node.this))
        return set()

    def rejected_by_not(self, inner: exp.Expression) -> set[str]:
        """The same for ``NOT inner``: ``IS NOT NULL``, and a negated column."""
        if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
            return self.strict(inner.this)
        return self.strict(inner) if isinstance(inner, exp.Column) else set()

    def strict(self, *operands: object) -> set[str]:
        """The columns whose NULL makes one of the operands NULL.

        Nothing is said if an operand is itself a predicate outside of parentheses: DuckDB reads
        ``k = 1 IS NULL`` as ``(k = 1) IS NULL``, the tree as ``k = (1 IS NULL)``.
        """
        if not all(_is_operand(operand) for operand in operands):
            return set()
        found: set[str] = set()
        for operand in operands:
            found |= self._strict(operand)
        return found

    def _strict(self, node: object) -> set[str]:
        if isinstance(node, exp.Column | exp.Dot):
            return self._column(node)
        if isinstance(node, exp.Paren) or (isinstance(node, exp.Cast) and _is_strict_cast(node)):
            return self._strict(node.this)
        if isinstance(node, exp.Add | exp.Sub | exp.Mul):
            return self._strict(node.this) | self._strict(node.expression)
        return set()

    def _column(self, node: exp.Expression) -> set[str]:
        refs = columns_in(self.scope.query, node)
        found = self.scope.find(refs[0]) if len(refs) == 1 else None
        if found is not None:
            name: str | None = found.column
        else:
            name = self.scope.bare(self.scope.query.expr(node), self.aliases)
        column = self.scope.source.column(name) if name is not None else None
        return {column.name} if column is not None and not _joins_with_null(column.type) else set()


def _unwrapped(node: exp.Expression) -> exp.Expression:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _is_operand(node: object) -> bool:
    """Whether every parser reads it as one operand: no predicate, connector or arrow outside of brackets."""
    if isinstance(node, exp.Column | exp.Dot | exp.Literal | exp.Boolean | exp.Null | exp.Paren | exp.Interval):
        return True
    if isinstance(node, exp.Cast | exp.Neg):
        return _is_operand(node.this)
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div | exp.IntDiv | exp.Mod):
        return _is_operand(node.this) and _is_operand(node.expression)
    if isinstance(node, exp.Anonymous) and node.name.upper() in ("ALL", "ANY", "SOME"):
        return False  # NULL = ALL([]) is true
    return isinstance(node, exp.Func) and not isinstance(node, exp.Connector | exp.Binary) and "start" in node.meta


def _is_strict_cast(node: exp.Cast) -> bool:
    """A cast to a nested type may make a value of NULL: ``NULL::UNION(a INTEGER)`` is one."""
    plain = all(isinstance(part, exp.DataTypeParam) for part in node.to.expressions)
    return plain and not isinstance(node, exp.TryCast) and not node.to.args.get("nested")


def _joins_with_null(type_text: str) -> bool:
    """Whether an operator may make a value of a NULL of the type, as ``+`` does for lists; unknown types count."""
    known = normal(type_text)
    return known is None or known.endswith("]") or known.startswith("UNION")
