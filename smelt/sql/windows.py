"""Window calls and named windows: found by tokens, joined to the tree by where the function's name stands."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.sql.model import Expr, Name, NamedWindow, OrderItem, WindowCall, WindowSpec
from smelt.sql.tokens import SqlError, Tokens
from smelt.text.identifiers import fold
from smelt.text.spans import Span

Extra = tuple[str, Span]
FRAMES = {"ROWS", "RANGE", "GROUPS"}
_NULLS = {"IGNORE": "ignore_nulls", "RESPECT": "respect_nulls"}


def named_windows(tokens: Tokens, first: int, end: int, nodes: Iterable[exp.Expression]) -> tuple[NamedWindow, ...]:
    """The definitions of a ``WINDOW`` clause whose body is the range; inheritance resolved."""
    windows: list[NamedWindow] = []
    known: dict[str, WindowSpec] = {}
    for (start, stop), node in zip(tokens.split(first, end), nodes, strict=False):
        if stop - start < 3 or tokens.kind(start + 2) is not TokenType.L_PAREN:
            continue
        name = name_of(tokens, start)
        spec = _spec(tokens, start + 2, node, known)
        if spec is not None:
            known[fold(name.text)] = spec
            windows.append(NamedWindow(name, tokens.span(start, stop), spec))
    return tuple(windows)


def name_of(tokens: Tokens, index: int) -> Name:
    """The identifier at an index."""
    token = tokens[index]
    return Name(token.text, token.span, token.kind is TokenType.IDENTIFIER)


def window_calls(
    tokens: Tokens, first: int, end: int, tree: exp.Expression, windows: tuple[NamedWindow, ...], shift: int
) -> tuple[WindowCall, ...] | SqlError:
    """Every function with an ``OVER`` in the range, outside of nested queries, in text order.

    An ``OVER`` that cannot be joined to the tree is an error: no call may go unjudged.
    """
    named = {fold(window.name.text): window.spec for window in windows}
    overs = [i for i in tokens.of_kind(TokenType.OVER, first=first, end=end) if not tokens.is_word(i)]
    nodes = _nodes(tokens, overs, tree, shift)
    if nodes is None:
        return SqlError(tokens[overs[0] if overs else first].span, "this window cannot be read")
    calls: list[WindowCall] = []
    for over in overs:
        if _is_in_query(tokens, first, over):
            continue
        call = _call(tokens, over, nodes[over], named)
        if call is None:
            return SqlError(tokens[over].span, "this window cannot be read")
        calls.append(call)
    calls.sort(key=lambda call: (call.span.start, -call.span.end))
    return tuple(_with_nesting(calls))


def _with_nesting(calls: Iterable[WindowCall]) -> Iterator[WindowCall]:
    """The calls, outer ones first, marked if they stand inside another."""
    covered = 0
    for call in calls:
        yield replace(call, nested=True) if call.span.end <= covered else call
        covered = max(covered, call.span.end)


def _is_in_query(tokens: Tokens, first: int, index: int) -> bool:
    """Whether brackets that open behind ``first`` hold an index, and a query."""
    opening = tokens.around[index]
    while opening >= first:
        holds_query = tokens.kind(opening + 1) in (TokenType.SELECT, TokenType.WITH, TokenType.FROM)
        if holds_query and tokens.partner[opening] > opening:
            return True
        opening = tokens.around[opening]
    return False


def _nodes(tokens: Tokens, overs: list[int], tree: exp.Expression, shift: int) -> Mapping[int, exp.Window] | None:
    """The tree's window for each ``OVER``: by where the function's name stands, and the rest by their order.

    sqlglot keeps no position for some functions (``MAX``, ``ARG_MAX``); depth first, trees and texts agree.
    """
    starts = {tokens[name].span.start: over for over in overs if (name := _name_index(tokens, over)) is not None}
    found: dict[int, exp.Window] = {}
    rest: list[exp.Window] = []
    # The query's own WITH stands before the range; those of queries nested in it are inside.
    for node in _windows(tree):
        if not node.args.get("over"):
            continue
        start = _function(node).meta.get("start") if isinstance(_function(node), exp.Expression) else None
        over = starts.get(start + shift) if start is not None else None
        if over is not None:
            found[over] = node
        else:
            rest.append(node)
    left = sorted((over for over in overs if over not in found), key=lambda over: _name_index(tokens, over) or over)
    if len(left) != len(rest):
        return None
    return {**found, **dict(zip(left, rest, strict=True))}


def _windows(tree: exp.Expression) -> Iterator[exp.Window]:
    """The windows of a query without its own WITH, depth first and in text order."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, exp.Window):
            yield node
        if not (isinstance(node, exp.With) and node.parent is tree):
            waiting.extend(node.iter_expressions(reverse=True))


def _name_index(tokens: Tokens, over: int) -> int | None:
    close, _ = _back_to_call(tokens, over)
    opening = tokens.partner[close] if close >= 0 else -1
    return opening - 1 if opening >= 1 else None


def _function(node: exp.Expression) -> exp.Expression:
    function: exp.Expression = node.this
    while isinstance(function, exp.IgnoreNulls | exp.RespectNulls | exp.Filter | exp.WithinGroup):
        function = function.this
    return function


def _call(tokens: Tokens, over: int, node: exp.Window, named: Mapping[str, WindowSpec]) -> WindowCall | None:
    close, extras = _back_to_call(tokens, over)
    opening = tokens.partner[close] if close >= 0 else -1
    if opening < 1 or over + 1 >= len(tokens):
        return None
    name = first = opening - 1
    while first > 1 and tokens.kind(first - 1) is TokenType.DOT:
        first -= 2
    behind = tokens.after(over + 1)
    inside, arguments = _arguments(tokens, opening, close, node)
    if tokens.kind(over + 1) is TokenType.L_PAREN:
        over_name, window = None, _spec(tokens, over + 1, node, named)
    else:
        over_name = name_of(tokens, over + 1)
        window = named.get(fold(over_name.text))
    return WindowCall(
        span=tokens.span(first, behind),
        call_span=tokens.span(first, close + 1),
        node=node,
        function=".".join(tokens[index].upper for index in range(first, name + 1, 2)),
        arguments=arguments,
        extras=(*inside, *extras),  # type: ignore[arg-type]
        over_name=over_name,
        window=window,
        item=None,
    )


def _back_to_call(tokens: Tokens, over: int) -> tuple[int, tuple[Extra, ...]]:
    """The closing parenthesis of the call before ``OVER``, stepping over what may stand between."""
    extras: list[Extra] = []
    at = over - 1
    while at > 1:
        if tokens[at].upper == "NULLS" and tokens[at - 1].upper in _NULLS:
            extras.append(("misplaced_nulls", tokens.span(at - 1, at + 1)))
            at -= 2
            continue
        opening = tokens.partner[at]
        if tokens.kind(at) is TokenType.R_PAREN and opening > 0 and tokens[opening - 1].upper == "FILTER":
            extras.append(("filter", tokens.span(opening - 1, at + 1)))
            at = opening - 2
            continue
        return (at if tokens.kind(at) is TokenType.R_PAREN else -1), tuple(reversed(extras))
    return -1, ()


def _arguments(
    tokens: Tokens, opening: int, close: int, node: exp.Expression
) -> tuple[tuple[Extra, ...], tuple[Expr, ...]]:
    extras: list[Extra] = []
    first, end = opening + 1, close
    if first < end and tokens[first].upper == "DISTINCT":
        extras.append(("distinct", tokens[first].span))
        first += 1
    for index in tokens.level(first, end):
        if tokens[index].kind is TokenType.ORDER_BY:
            extras.append(("argument_order", tokens.span(index, end)))
            end = index
            break
        if tokens[index].upper in _NULLS and index + 1 < end and tokens[index + 1].upper == "NULLS":
            extras.append((_NULLS[tokens[index].upper], tokens.span(index, index + 2)))
            end = index
            break
    parts = tokens.split(first, end)
    nodes = _argument_nodes(node)
    return tuple(extras), tuple(
        Expr(nodes[i] if i < len(nodes) else exp.Null(), tokens.span(start, stop))
        for i, (start, stop) in enumerate(parts)
    )


def _argument_nodes(node: exp.Expression) -> list[exp.Expression]:
    function = _function(node)
    if isinstance(function, exp.Anonymous | exp.AnonymousAggFunc):
        return list(function.expressions)
    first = function.this
    while isinstance(first, exp.Order | exp.Distinct | exp.IgnoreNulls | exp.RespectNulls):
        first = first.expressions[0] if isinstance(first, exp.Distinct) and first.expressions else first.this
    rest = [function.args.get(key) for key in ("offset", "default")]
    return [argument for argument in (first, *rest, *function.expressions) if isinstance(argument, exp.Expression)]


def _spec(tokens: Tokens, opening: int, node: exp.Expression, named: Mapping[str, WindowSpec]) -> WindowSpec | None:
    """The window in the parentheses at ``opening``; None if it builds on a window that is not defined."""
    close = tokens.partner[opening]
    if close < 0:
        return None
    spec = WindowSpec(tokens.span(opening, close + 1))
    at = opening + 1
    if at < close and not starts_part(tokens, at):
        base = named.get(fold(tokens[at].text))
        if base is None:
            return None
        spec = replace(base, span=spec.span)
        at += 1
    starts = [index for index in tokens.level(at, close) if starts_part(tokens, index)]
    for start, stop in pairwise((*starts, close)):
        spec = _with_part(tokens, start, stop, node, spec)
    return spec


def starts_part(tokens: Tokens, index: int) -> bool:
    """Whether PARTITION BY, ORDER BY or a frame begins at an index inside a window's parentheses."""
    return tokens[index].kind in (TokenType.PARTITION_BY, TokenType.ORDER_BY) or (
        tokens[index].upper in FRAMES and tokens[index].kind is not TokenType.IDENTIFIER
    )


def _with_part(tokens: Tokens, start: int, stop: int, node: exp.Expression, spec: WindowSpec) -> WindowSpec:
    span = tokens.span(start, stop)
    if tokens[start].kind is TokenType.PARTITION_BY:
        parts = tokens.split(start + 1, stop)
        keys = node.args.get("partition_by") or []
        exprs = tuple(Expr(key, tokens.span(*part)) for key, part in zip(keys, parts, strict=False))
        return replace(spec, partition_by=exprs, partition_span=span)
    if tokens[start].kind is TokenType.ORDER_BY:
        order = node.args.get("order")
        ordered = order.expressions if isinstance(order, exp.Expression) else []
        parts = tokens.split(start + 1, stop)
        items = tuple(order_item(tokens, part, item) for part, item in zip(parts, ordered, strict=False))
        return replace(spec, order_by=items, order_span=span)
    return replace(spec, frame_span=span)


def order_item(tokens: Tokens, part: tuple[int, int], node: exp.Expression) -> OrderItem:
    """One ``ORDER BY`` item, its direction and null order told apart."""
    first, end = part
    whole = tokens.span(first, end)
    nulls = descending = None
    if end - first > 2 and tokens[end - 2].upper == "NULLS":
        nulls = tokens.span(end - 2, end)
        end -= 2
    if end - first > 1 and tokens[end - 1].kind in (TokenType.DESC, TokenType.ASC):
        descending = tokens[end - 1].span if tokens[end - 1].kind is TokenType.DESC else None
        end -= 1
    inner = node.this if isinstance(node, exp.Ordered) else node
    return OrderItem(whole, Expr(inner, tokens.span(first, end)), descending, nulls)
