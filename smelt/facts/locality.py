"""Whether a value depends on one source row alone, and if not, where that is lost."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.facts.forms import unknown_forms
from smelt.facts.offsets import floating_offsets
from smelt.facts.stray import type_spans
from smelt.sql.functions import FunctionClass, classify
from smelt.sql.model import Expr, Query
from smelt.sql.scopes import ColumnRef, FunctionCall, columns_in, functions_in, subqueries_in
from smelt.text.identifiers import fold
from smelt.text.spans import Span

Proof = Literal["deterministic", "row-local"]
"""What has to be proven of a value: it is the same each time it is computed, and it reads one row alone."""

_REASONS: dict[FunctionClass, tuple[Proof, str]] = {
    FunctionClass.RUN_DEPENDENT: ("deterministic", "`{name}` depends on when or where it runs"),
    FunctionClass.VOLATILE: ("deterministic", "`{name}` gives another value on each call"),
    FunctionClass.AGGREGATE: ("row-local", "`{name}` folds several rows"),
    FunctionClass.WINDOW: ("row-local", "`{name}` needs a window"),
    FunctionClass.TABLE: ("row-local", "`{name}` makes rows"),
}


@dataclass(frozen=True, slots=True)
class Gap:
    """A proof that breaks: where, why in a few words, and which proof it is."""

    span: Span
    reason: str
    proof: Proof


class Names(Protocol):
    """What references mean where an expression stands."""

    def is_row(self, ref: ColumnRef) -> bool:
        """Whether it means the row itself: its place, or all of it."""
        ...

    def has_offset(self, ref: ColumnRef) -> bool:
        """Whether it is, or is made from, a time of day with an offset."""
        ...


def gaps(query: Query, expr: Expr, names: Names, ignore: Iterable[Span] = ()) -> tuple[Gap, ...]:
    """Everything in an expression that is not a deterministic function of one row, in text order.

    Args:
        query: the query it stands in.
        expr: the expression.
        names: what its references mean.
        ignore: parts that are judged elsewhere.
    """
    ignored = tuple(ignore)
    found: list[Gap] = []
    nested = subqueries_in(query, expr.span)
    found += [Gap(span, "a subquery reads other rows", "row-local") for span in nested]
    inside = (*ignored, *nested)
    windows = [call.span for call in query.calls if expr.span.covers(call.span)]
    windows = [span for span in windows if not any(part.covers(span) for part in inside)]
    found += [Gap(span, "a window function reads other rows", "row-local") for span in windows]
    inside = (*inside, *windows)
    types = type_spans(query, expr.span)
    for call in functions_in(query, expr.span):
        if not any(span.covers(call.span) for span in (*inside, *types)):
            found += _function_gaps(query, call)
    found += [
        Gap(ref.span, f"`{'.'.join(ref.parts)}` is the row itself, or its place", "row-local")
        for ref in columns_in(query, expr.node)
        if names.is_row(ref) and not any(span.covers(ref.span) for span in inside)
    ]
    found += [
        Gap(span, reason, "deterministic")
        for span, reason in floating_offsets(query, expr, names.has_offset)
        if not any(part.covers(span) for part in inside)
    ]
    forms = tuple(_forms(query, expr, inside))
    found += _form_gaps(query, expr, forms, inside)
    return _outermost(found) or _placeless_gaps(query, expr, forms, inside)


def _outermost(found: list[Gap]) -> tuple[Gap, ...]:
    """One gap for one cause: those inside another, or at the same range as an earlier one, are left out."""
    kept: list[Gap] = []
    for gap in sorted(found, key=lambda gap: (gap.span.start, -gap.span.end)):
        if not any(other.span.covers(gap.span) for other in kept):
            kept.append(gap)
    return tuple(kept)


def _function_gaps(query: Query, call: FunctionCall) -> list[Gap]:
    tokens = query.tokens
    index = tokens.at(call.span.start) if tokens is not None else None
    if tokens is None or index is None:
        return [Gap(call.span, f"`{call.name}` cannot be read here", "deterministic")]
    close = tokens.partner[index + 1] if call.has_parentheses else -1
    span = tokens.span(index, close + 1) if close > 0 else call.span
    arguments = len(tokens.split(index + 2, close)) if close > 0 else None
    if fold(call.name) in ("columns", "unpack"):
        return [Gap(span, f"`{call.name}` stands for columns that are not named", "row-local")]
    if tokens.kind(index - 1) is TokenType.DOT:
        reason = f"`{call.name}` is called on a name, and may be another function than the one known"
        return [Gap(span, reason, "deterministic")]
    kind = classify(call.name, arguments)
    if kind is FunctionClass.STABLE:
        return []
    if kind is None:
        reason = f"`{call.name}` is not a function whose result is known to be the same each time"
        return [Gap(span, reason, "deterministic")]
    proof, reason = _REASONS[kind]
    return [Gap(span, reason.format(name=call.name), proof)]


def _form_gaps(query: Query, expr: Expr, forms: Iterable[exp.Expression], inside: tuple[Span, ...]) -> list[Gap]:
    return [
        Gap(span, _form_reason(query, node, span), "row-local")
        for node in forms
        # What is wrong with EXISTS is its subquery, which is a gap already.
        if not (isinstance(node, exp.Exists) and inside)
        and expr.span.covers(span := query.span_of(node))
        and not any(part.covers(span) for part in inside)
    ]


def _placeless_gaps(
    query: Query, expr: Expr, forms: Iterable[exp.Expression], inside: tuple[Span, ...]
) -> tuple[Gap, ...]:
    """Unknown forms of which the tree keeps no place: the whole expression is at fault, unless a gap was found."""
    for node in forms:
        if not expr.span.covers(query.span_of(node)) and not (isinstance(node, exp.Query | exp.Exists) and inside):
            return (Gap(expr.span, _form_reason(query, node, expr.span), "row-local"),)
    return ()


def _forms(query: Query, expr: Expr, inside: tuple[Span, ...]) -> Iterator[exp.Expression]:
    if not inside:
        return unknown_forms(query, expr.node, frozenset())
    judged = frozenset(id(call.node) for call in query.calls if any(part.covers(call.span) for part in inside))
    return unknown_forms(query, expr.node, judged)


def _form_reason(query: Query, node: exp.Expression, span: Span) -> str:
    if isinstance(node, exp.Star):
        return "`*` stands for columns that are not named"
    if isinstance(node, exp.Comprehension):
        return "a list comprehension is not looked into; list_transform and list_filter are"
    return f"`{query.text_of(span)}` is a form that is not known to depend on its operands alone"
