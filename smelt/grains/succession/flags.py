"""The spellings of a test of one boolean column."""

from dataclasses import dataclass

from sqlglot import exp

from smelt.grains.succession.candidate import Candidate
from smelt.project.model import SourceColumn
from smelt.sql.model import Expr
from smelt.sql.types import is_boolean
from smelt.text.identifiers import fold


@dataclass(frozen=True, slots=True)
class FlagSpelling:
    """A predicate over one boolean column; ``negates`` if it keeps the rows in which the column is false."""

    column: str
    negates: bool


def flag_spelling(c: Candidate, expr: Expr) -> FlagSpelling | None:
    """The boolean column that a predicate tests, whichever way it is written: ``f``, ``NOT f``, ``f = FALSE``,
    ``f IS FALSE``, ``f IS NOT TRUE``, ``f <> TRUE`` and their opposites. None for anything else.
    """
    found = _spelling(expr.node)
    if found is None:
        return None
    node, value = found
    column = column_of(c, node)
    return FlagSpelling(column.name, not value) if column is not None and is_boolean(column.type) else None


def column_of(c: Candidate, node: exp.Expression) -> SourceColumn | None:
    """The source column a node of ``WHERE`` or ``QUALIFY`` is, directly or through an alias."""
    if c.scope is None:
        return None
    name = c.scope.bare(c.query.expr(node), c.aliases or {})
    return c.scope.source.column(name) if name is not None else None


def negated_column(c: Candidate, body: Expr) -> SourceColumn | None:
    """The column of a predicate that is exactly ``NOT column``, in parentheses or not."""
    node = unwrapped(body.node)
    if not isinstance(node, exp.Not) or not _is_only_not(c, body):
        return None
    return column_of(c, node.this)


def _is_only_not(c: Candidate, body: Expr) -> bool:
    """Whether the negation is spelled ``NOT``: the tree has the same node for ``!``, which DuckDB does not know."""
    tokens = c.query.tokens
    if tokens is None:
        return False
    first, end = tokens.within(body.span)
    word = next((tokens[index].text for index in range(first, end) if tokens[index].text != "("), "")
    return fold(word) == "not"


def unwrapped(node: exp.Expression) -> exp.Expression:
    """The node without parentheses around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _spelling(node: exp.Expression) -> tuple[exp.Expression, bool] | None:
    """The column's node, and the value of the column that passes."""
    if isinstance(node, exp.Paren):
        return _spelling(node.this)
    if isinstance(node, exp.Not):
        inner = _spelling(node.this)
        return (inner[0], not inner[1]) if inner is not None else None
    if isinstance(node, exp.EQ | exp.NEQ | exp.Is):
        same = not isinstance(node, exp.NEQ)
        for one, other in ((node.this, node.expression), (node.expression, node.this)):
            if isinstance(other, exp.Boolean):
                inner = _spelling(one)
                return (inner[0], inner[1] is (bool(other.this) is same)) if inner is not None else None
        return None
    return (node, True) if isinstance(node, exp.Column | exp.Dot) else None
