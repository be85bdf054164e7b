"""The spellings of a test of one boolean column."""

from dataclasses import dataclass

from sqlglot import exp

from smelt.grains.succession.candidate import Candidate
from smelt.sql.model import Expr
from smelt.sql.types import is_boolean
from smelt.text.identifiers import quote


@dataclass(frozen=True, slots=True)
class FlagSpelling:
    """A predicate over one boolean column; ``negates`` if it keeps the rows in which the column is false."""

    column: str
    negates: bool


def flag_spelling(c: Candidate, expr: Expr) -> FlagSpelling | None:
    """The boolean column that a predicate tests, whichever way it is written: ``f``, ``NOT f``, ``f = FALSE``,
    ``f IS FALSE``, ``f IS NOT TRUE``, ``f <> TRUE`` and their opposites. None for anything else.
    """
    found = _spelling(c, expr.node)
    if found is None:
        return None
    node, value = found
    name = c.scope.bare(c.query.expr(node), c.aliases) if c.scope is not None else None
    column = c.scope.source.column(name) if c.scope is not None and name is not None else None
    return FlagSpelling(column.name, not value) if column is not None and is_boolean(column.type) else None


def _spelling(c: Candidate, node: exp.Expression) -> tuple[exp.Expression, bool] | None:
    """The column's node, and the value of the column that passes."""
    if isinstance(node, exp.Paren):
        return _spelling(c, node.this)
    if isinstance(node, exp.Not):
        inner = _spelling(c, node.this)
        return (inner[0], not inner[1]) if inner is not None else None
    if isinstance(node, exp.EQ | exp.NEQ | exp.Is):
        same = not isinstance(node, exp.NEQ)
        for one, other in ((node.this, node.expression), (node.expression, node.this)):
            if isinstance(other, exp.Boolean):
                inner = _spelling(c, one)
                return (inner[0], inner[1] is (bool(other.this) is same)) if inner is not None else None
        return None
    return (node, True) if isinstance(node, exp.Column) else None


def quote_if_needed(name: str) -> str:
    """The name as it must be written in a query."""
    return name if name.isidentifier() and name.isascii() else quote(name)
