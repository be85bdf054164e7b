"""Where a time of day takes the offset that its zone has on the day of the run.

DuckDB's ``TIME WITH TIME ZONE`` has an offset but no date. Giving it a zone's name, or making one of a time without
an offset, asks what the zone's offset is *now*, which changes with daylight saving time.
"""

import re
from collections.abc import Callable, Iterator

from sqlglot import exp

from smelt.sql.model import Expr, Query
from smelt.sql.scopes import ColumnRef, columns_in
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_OFFSET = re.compile(r"\d\s*[+-]\d\d(:?\d\d)*$")
_ZONED = re.compile("ZONE|TIMETZ")
"""A word that every such cast or conversion has in it."""
_REASON = "a time of day takes the offset that its zone has on the day of the run"


def floating_offsets(query: Query, expr: Expr, has_offset: Callable[[ColumnRef], bool]) -> Iterator[tuple[Span, str]]:
    """The casts and conversions of an expression that ask for today's offset, and why that is one.

    Args:
        query: the query it stands in.
        expr: the expression.
        has_offset: whether a reference is, or is made from, a time with an offset.
    """
    first, end = query.tokens.within(expr.span) if query.tokens is not None else (0, 0)
    if query.tokens is not None and not any(_ZONED.search(word) for word in query.tokens.uppers[first:end]):
        return
    for node in expr.node.find_all(exp.Expression):
        made = isinstance(node, exp.Cast) and _is_time_with_offset(node.to) and not _has_offset(node.this)
        if made or (_names_zone(node) and _reads_time_with_offset(query, node, has_offset)):
            span = query.span_of(node)
            yield (span if expr.span.covers(span) else expr.span), _REASON


def _is_time_with_offset(type_: object) -> bool:
    return isinstance(type_, exp.DataType) and type_.is_type(exp.DataType.Type.TIMETZ)


def _has_offset(node: object) -> bool:
    return isinstance(node, exp.Literal) and node.is_string and _OFFSET.search(node.name.strip()) is not None


def _names_zone(node: exp.Expression) -> bool:
    return isinstance(node, exp.AtTimeZone) or (isinstance(node, exp.Anonymous) and fold(node.name) == "timezone")


def _reads_time_with_offset(query: Query, node: exp.Expression, has_offset: Callable[[ColumnRef], bool]) -> bool:
    casts = any(_is_time_with_offset(cast.to) for cast in node.find_all(exp.Cast))
    return casts or any(has_offset(ref) for ref in columns_in(query, node))
