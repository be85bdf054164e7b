"""Whether a value depends on one source row alone, and if not, where that is lost."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlglot import exp

from smelt.sql.functions import FunctionClass, classify
from smelt.sql.model import Expr, Query
from smelt.sql.scopes import ColumnRef, FunctionCall, columns_in, functions_in, subqueries_in
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_REASONS = {
    FunctionClass.RUN_DEPENDENT: "`{name}` depends on when or where it runs",
    FunctionClass.VOLATILE: "`{name}` gives another value on each call",
    FunctionClass.AGGREGATE: "`{name}` folds several rows",
    FunctionClass.WINDOW: "`{name}` needs a window",
    FunctionClass.TABLE: "`{name}` makes rows",
}


@dataclass(frozen=True, slots=True)
class Gap:
    """A proof that breaks: where, and why in a few words."""

    span: Span
    reason: str


def gaps(query: Query, expr: Expr, is_row: Callable[[ColumnRef], bool], ignore: Iterable[Span] = ()) -> tuple[Gap, ...]:
    """Everything in an expression that is not a deterministic function of one row.

    Args:
        query: the query it stands in.
        expr: the expression.
        is_row: whether a reference means the row itself: its place, or all of it.
        ignore: parts that are judged elsewhere.
    """
    ignored = tuple(ignore)
    found: list[Gap] = []
    nested = subqueries_in(query, expr.span)
    found += [Gap(span, "a subquery reads other rows") for span in nested]
    inside = (*ignored, *nested)
    for call in functions_in(query, expr.span):
        if not any(span.covers(call.span) for span in inside):
            found += _function_gaps(query, call)
    for window in query.calls:
        if expr.span.covers(window.span) and not any(span.covers(window.span) for span in inside):
            found.append(Gap(window.span, "a window function reads other rows"))
    found += _node_gaps(query, expr, is_row, inside)
    return tuple(sorted({gap.span: gap for gap in found}.values(), key=lambda gap: gap.span))


def _function_gaps(query: Query, call: FunctionCall) -> list[Gap]:
    span, arguments = _call_extent(query, call)
    if fold(call.name) in ("columns", "unpack"):
        return [Gap(span, f"`{call.name}` stands for columns that are not named")]
    kind = classify(call.name, arguments)
    if kind is FunctionClass.STABLE:
        return []
    if kind is None:
        return [Gap(span, f"`{call.name}` is not a function whose result is known to be the same each time")]
    return [Gap(span, _REASONS[kind].format(name=call.name))]


def _call_extent(query: Query, call: FunctionCall) -> tuple[Span, int | None]:
    tokens = query.tokens
    index = tokens.at(call.span.start) if tokens is not None else None
    if tokens is None or index is None or not call.has_parentheses or tokens.partner[index + 1] < 0:
        return call.span, None
    close = tokens.partner[index + 1]
    return tokens.span(index, close + 1), len(tokens.split(index + 2, close))


def _node_gaps(query: Query, expr: Expr, is_row: Callable[[ColumnRef], bool], inside: tuple[Span, ...]) -> list[Gap]:
    found: list[Gap] = []
    for ref in columns_in(query, expr.node):
        if any(span.covers(ref.span) for span in inside):
            continue
        if is_row(ref):
            found.append(Gap(ref.span, f"`{'.'.join(ref.parts)}` is the row itself, or its place"))
    for node in expr.node.walk():
        if isinstance(node, exp.Columns | exp.Parameter | exp.Placeholder | exp.SessionParameter):
            span = query.span_of(node)
            span = span if expr.span.covers(span) else expr.span
            found.append(Gap(span, "this is not a value of the row"))
        elif isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
            span = query.span_of(node)
            if expr.span.covers(span) and not any(part.covers(span) for part in inside):
                found.append(Gap(span, "`*` inside an expression stands for columns that are not named"))
    return found
