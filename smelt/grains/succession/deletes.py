"""Filters that drop the deletes although they do not name the delete flag: they test what the flag is computed from."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.flags import column_of, negated_column, unwrapped
from smelt.project.model import SourceColumn
from smelt.sql.model import Expr
from smelt.sql.parse import parse_expression
from smelt.sql.types import is_boolean
from smelt.text.identifiers import fold
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class DroppedFlag:
    """A computed flag that is false in every row that a filter keeps; ``alone`` if it drops no other rows by value."""

    column: str
    alone: bool


@dataclass(frozen=True, slots=True)
class _Test:
    """A comparison of one column with literals; ``holds`` if it is true of these values, else of all others."""

    column: exp.Expression
    values: frozenset[exp.Expression]
    holds: bool


def dropped_flag(c: Candidate, part: Expr) -> DroppedFlag | None:
    """The flag of the source, made by ``expression:``, whose rows a conjunct of ``WHERE`` drops; None if none is."""
    test = _test(part.node)
    column = column_of(c, test.column) if test is not None else None
    if test is None or column is None or c.source is None:
        return None
    known = negated_column(c, c.query.qualify.body) if c.query.qualify is not None else None
    for flag, made in _flags(c.source.columns):
        if known is not None and flag != known:
            continue  # another one is the delete flag
        if not made.holds or fold(made.column.name) != fold(column.name):
            continue
        if made.values.isdisjoint(test.values) if test.holds else made.values <= test.values:
            return DroppedFlag(flag.name, not test.holds and made.values == test.values)
    return None


def _flags(columns: tuple[SourceColumn, ...]) -> Iterator[tuple[SourceColumn, _Test]]:
    for column in columns:
        if column.expression is not None and is_boolean(column.type):
            query = parse_expression(column.expression, Span(0, len(column.expression))).query
            test = _test(query.items[0].expr.node) if query is not None else None
            if test is not None and isinstance(test.column, exp.Column) and not test.column.table:
                yield column, test


def _test(node: exp.Expression) -> _Test | None:
    node = unwrapped(node)
    if isinstance(node, exp.Not):
        inner = _test(node.this)
        return _Test(inner.column, inner.values, not inner.holds) if inner is not None else None
    if isinstance(node, exp.EQ | exp.NullSafeEQ | exp.NEQ | exp.NullSafeNEQ):
        holds = isinstance(node, exp.EQ | exp.NullSafeEQ)
        for one, other in ((node.this, node.expression), (node.expression, node.this)):
            if isinstance(other, exp.Literal):
                return _Test(unwrapped(one), frozenset((other,)), holds)
        return None
    listed = node.expressions if isinstance(node, exp.In) else []
    if listed and all(isinstance(one, exp.Literal) for one in listed):
        return _Test(unwrapped(node.this), frozenset(listed), True)
    return None
