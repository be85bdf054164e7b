"""Text to :class:`~smelt.sql.model.Query`: sqlglot's tree, with exact spans from the token list."""

import gc
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.sql.clauses import ClauseRange, Layout, layout
from smelt.sql.limits import unreadable
from smelt.sql.model import Clause, Expr, Parsed, Query, SelectItem, WindowCall
from smelt.sql.reader import tree_of
from smelt.sql.refusals import refused_by_duckdb
from smelt.sql.relations import all_relations, from_list
from smelt.sql.templates import templates
from smelt.sql.tokens import SqlError, Tokens, query_span, raw_tokens, tokens_of
from smelt.sql.windows import name_of, named_windows, window_calls
from smelt.text.spans import Span

MAX_ERRORS = 100
"""So many errors are told of one text; who has mended them sees the rest."""


@dataclass(frozen=True, slots=True)
class ParsedExpression:
    """What became of a lone expression; ``query`` wraps it as its only select item."""

    query: Query | None
    errors: tuple[SqlError, ...] = ()


@contextmanager
def _without_collector() -> Iterator[None]:
    """Trees are many small objects that stay alive: collecting while they grow costs half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def parse(text: str, span: Span) -> Parsed:
    """The query in ``span`` of the document ``text``.

    Never raises for any text: what cannot be read becomes an error with a position.
    """
    span = query_span(text, span)
    raw = raw_tokens(text, span)
    if isinstance(raw, SqlError):
        return Parsed(None, (raw,))
    tokens = tokens_of(raw, span.start)
    if not tokens.items:
        return Parsed(None, (SqlError(span, "there is no query"),))
    relations = all_relations(tokens)
    plan = layout(tokens)
    foreign = tuple(templates(tokens))
    if foreign:
        real = (one for one in relations if not any(error.span.contains(one.name_span.start) for error in foreign))
        return Parsed(None, foreign[:MAX_ERRORS], tuple(real))
    errors = unreadable(tokens, plan)
    if errors:
        return Parsed(None, errors[:MAX_ERRORS], relations)
    with _without_collector():
        tree = tree_of(text, span, raw, tokens)
        query = tree if isinstance(tree, SqlError) else _query(text, span, tree, plan)
    if isinstance(query, SqlError):
        return Parsed(None, (query,), relations)
    return Parsed(query, refused_by_duckdb(query, plan)[:MAX_ERRORS], relations)


def parse_expression(text: str, span: Span) -> ParsedExpression:
    """A lone expression, as a source's ``expression:`` has it."""
    prefix = "SELECT "
    parsed = parse(prefix + span.of(text), Span(0, len(prefix) + len(span)))
    by = span.start - len(prefix)
    errors = tuple(replace(error, span=_clamped(error.span.shift(by), span)) for error in parsed.errors)
    query = parsed.query
    if query is not None and not errors and (len(query.items) != 1 or query.from_span or query.items[0].alias):
        errors = (SqlError(span, "this is more than one expression"),)
    return ParsedExpression(None if errors else query, errors)


def _clamped(span: Span, to: Span) -> Span:
    start = min(max(span.start, to.start), to.end)
    return Span(start, max(min(span.end, to.end), start))


def _query(text: str, span: Span, tree: exp.Expression, plan: Layout) -> Query | SqlError:
    tokens = plan.tokens
    shift = span.start
    whole = tokens.span(plan.first, plan.end)
    select_tree = _first_select(tree)
    if select_tree is None:
        return SqlError(whole, "a model is one SELECT")
    select = plan.clause("SELECT")
    source = plan.clause("FROM")
    if select is None and source is None:
        return SqlError(whole, "a model is one SELECT")
    listed = _items(tokens, select, select_tree) if select is not None else _bare_from(tokens, source, select_tree)
    if isinstance(listed, SqlError):
        return listed
    items, distinct = listed
    window = plan.clause("WINDOW")
    nodes = list(select_tree.args.get("windows") or [])
    windows = named_windows(tokens, window.body, window.end, nodes) if window else ()
    last = max((clause.end for clause in plan.clauses), default=plan.end)
    first = min((clause.first for clause in plan.clauses), default=plan.first)
    calls = window_calls(tokens, first, last, select_tree, windows, shift)
    if isinstance(calls, SqlError):
        return calls
    relations, joins = from_list(tokens, source.body, source.end) if source else ((), ())
    head = select if select is not None else source
    assert head is not None
    return Query(
        text=text,
        span=whole,
        tree=tree,
        select=tokens.span(head.first, head.end),
        list_span=tokens.span(head.body, head.end) if not items else items[0].span.join(items[-1].span),
        items=items,
        relations=relations,
        joins=joins,
        from_span=plan.span(source) if source else None,
        with_span=tokens.span(*plan.with_range) if plan.with_range else None,
        set_operation=tokens.span(*plan.set_range) if plan.set_range else None,
        distinct=distinct,
        where=_predicate(plan, "WHERE", select_tree.args.get("where")),
        group=_optional(plan, "GROUP BY"),
        having=_predicate(plan, "HAVING", select_tree.args.get("having")),
        windows=windows,
        qualify=_predicate(plan, "QUALIFY", select_tree.args.get("qualify")),
        order=_optional(plan, "ORDER BY"),
        limit=_optional(plan, "LIMIT"),
        offset=_optional(plan, "OFFSET"),
        sample=_optional(plan, "SAMPLE") or next((r.sample_span for r in relations if r.sample_span), None),
        calls=tuple(_with_item(call, items) for call in calls),
        shift=shift,
        tokens=tokens,
    )


def _first_select(tree: exp.Expression) -> exp.Expression | None:
    node: object = tree
    while isinstance(node, exp.SetOperation | exp.Subquery):
        node = node.this
    return node if isinstance(node, exp.Select) else None


def _items(
    tokens: Tokens, select: ClauseRange, tree: exp.Expression
) -> tuple[tuple[SelectItem, ...], Span | None] | SqlError:
    first, end = select.body, select.end
    distinct: Span | None = None
    if first < end and tokens[first].kind is TokenType.DISTINCT:
        distinct = tokens[first].span
        first += 1
        if first < end and tokens[first].kind is TokenType.ON and first + 1 < end:
            behind = tokens.after(first + 1)
            distinct = tokens.span(first - 1, behind)
            first = behind
    elif first < end and tokens[first].kind is TokenType.ALL:
        first += 1
    parts = tokens.split(first, end)
    nodes = tree.expressions
    if not parts:
        return SqlError(tokens.span(select.first, max(select.body, select.first + 1)), "SELECT is followed by nothing")
    missing = next((stop for start, stop in parts if start == stop), None)
    if missing is not None:
        return SqlError(tokens[missing].span, "nothing stands before this comma")
    if len(parts) != len(nodes):
        return SqlError(tokens.span(first, end), "this select list cannot be read")
    return tuple(_item(tokens, part, node) for part, node in zip(parts, nodes, strict=True)), distinct


def _bare_from(
    tokens: Tokens, source: ClauseRange | None, tree: exp.Expression
) -> tuple[tuple[SelectItem, ...], Span | None]:
    """``FROM t`` alone selects everything: the star stands nowhere, so it gets the FROM's place."""
    assert source is not None
    span = tokens.span(source.first, source.end)
    return (SelectItem(span, Expr(tree.expressions[0], span), None, None),), None


def _item(tokens: Tokens, part: tuple[int, int], node: exp.Expression) -> SelectItem:
    first, end = part
    whole = tokens.span(first, end)
    if not isinstance(node, exp.Alias):
        named = isinstance(node.unnest(), exp.Column | exp.Dot) and not isinstance(node.this, exp.Star)
        return SelectItem(whole, Expr(node, whole), None, _column_name(tokens, first, end) if named else None)
    if tokens.kind(first + 1) is TokenType.COLON and end - first > 2:
        alias = name_of(tokens, first)
        return SelectItem(whole, Expr(node.this, tokens.span(first + 2, end)), alias, alias.text)
    alias = name_of(tokens, end - 1)
    stop = end - 2 if tokens.kind(end - 2) is TokenType.ALIAS else end - 1
    return SelectItem(whole, Expr(node.this, tokens.span(first, stop)), alias, alias.text)


def _column_name(tokens: Tokens, first: int, end: int) -> str | None:
    """The last part of a dotted name, which may stand in parentheses; None for any other expression."""
    while tokens.kind(first) is TokenType.L_PAREN and tokens.partner[first] == end - 1:
        first, end = first + 1, end - 1
    dotted = (end - first) % 2 == 1 and all(tokens.kind(at) is TokenType.DOT for at in range(first + 1, end, 2))
    return tokens[end - 1].text if dotted else None


def _predicate(plan: Layout, name: str, node: exp.Expression | None) -> Clause | None:
    clause = plan.clause(name)
    if clause is None or node is None:
        return None
    return Clause(plan.span(clause), Expr(node.this, plan.tokens.span(clause.body, clause.end)))


def _optional(plan: Layout, name: str) -> Span | None:
    clause = plan.clause(name)
    return plan.span(clause) if clause is not None else None


def _with_item(call: WindowCall, items: tuple[SelectItem, ...]) -> WindowCall:
    index = bisect_right(items, call.span.start, key=lambda item: item.span.start) - 1
    return replace(call, item=index if index >= 0 and items[index].span.covers(call.span) else None)
