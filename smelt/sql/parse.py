"""Text to :class:`~smelt.sql.model.Query`: sqlglot's tree, with exact spans from the token list."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokenizer_core import TokenType

from smelt.sql.clauses import ClauseRange, Layout, layout
from smelt.sql.model import Clause, Expr, Parsed, Query, SelectItem, WindowCall
from smelt.sql.refusals import refused_by_duckdb
from smelt.sql.relations import all_relations, from_list
from smelt.sql.spans import node_spans
from smelt.sql.tokens import SqlError, Tokens, query_span, tokenize
from smelt.sql.windows import name_of, named_windows, window_calls
from smelt.text.spans import Span

MAX_DEPTH = 150
"""Deeper brackets are refused: the parser descends once per bracket."""


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
    tokens = tokenize(text, span)
    if isinstance(tokens, SqlError):
        return Parsed(None, (tokens,))
    if not tokens.items:
        return Parsed(None, (SqlError(span, "there is no query"),))
    relations = all_relations(tokens)
    shape_error = _bracket_error(tokens)
    if shape_error is not None:
        return Parsed(None, (shape_error,), relations)
    plan = layout(tokens)
    if plan.errors:
        return Parsed(None, plan.errors, relations)
    with _without_collector():
        tree = _tree(text, span, tokens)
        if isinstance(tree, SqlError):
            return Parsed(None, (tree,), relations)
        query = _query(text, span, tree, plan)
    if isinstance(query, SqlError):
        return Parsed(None, (query,), relations)
    return Parsed(query, refused_by_duckdb(query, plan), relations)


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


def _bracket_error(tokens: Tokens) -> SqlError | None:
    opening = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
    closing = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
    for index, token in enumerate(tokens.items):
        if token.kind in opening and tokens.partner[index] < 0:
            return SqlError(token.span, f"`{token.text}` is not closed")
        if token.kind in closing and tokens.partner[index] < 0:
            return SqlError(token.span, f"`{token.text}` closes nothing")
        if tokens.depth[index] > MAX_DEPTH:
            return SqlError(token.span, f"brackets are nested more than {MAX_DEPTH} deep")
    return None


def _tree(text: str, span: Span, tokens: Tokens) -> exp.Expression | SqlError:
    try:
        trees = sqlglot.parse(span.of(text), read="duckdb")
    except ParseError as error:
        return _parse_error(span, tokens, error)
    except (SqlglotError, TypeError, ValueError, AttributeError, IndexError):
        # The compiled parser raises these on broken text where the pure one raises a ParseError.
        return SqlError(tokens[len(tokens) - 1].span, "the query breaks off or cannot be read here")
    except RecursionError:
        return SqlError(tokens[0].span, "the query is nested too deeply")
    tree = trees[0] if trees else None
    if not isinstance(tree, exp.Expression):
        return SqlError(span, "there is no query")
    return tree


def _parse_error(span: Span, tokens: Tokens, error: ParseError) -> SqlError:
    detail = error.errors[0] if error.errors else {}
    before, mark = str(detail.get("start_context") or ""), str(detail.get("highlight") or "")
    last = tokens[len(tokens) - 1].span
    at = last
    if mark and detail.get("line") and detail.get("col"):
        found = _at_line_and_column(tokens, int(detail["line"]), mark, before)
        at = found if found is not None else last
    what = str(detail.get("description") or "cannot be read").strip().rstrip(".")
    word = what[:1].lower() + what[1:]
    shown = tokens_text(tokens, at)
    return SqlError(at, f"`{shown}`: {_plain(word)}" if shown else _plain(word))


def _at_line_and_column(tokens: Tokens, line: int, mark: str, before: str) -> Span | None:
    """sqlglot names the token it stopped at by its text and up to 100 characters before it."""
    candidates = [token for token in tokens.items if token.text == mark or mark.startswith(token.text)]
    length = sum(1 for character in before if character == "\n")
    for token in candidates:
        if token.span.start - tokens[0].span.start >= len(before) - length and len(before) < 100:
            return token.span
    return candidates[-1].span if candidates else None


def tokens_text(tokens: Tokens, span: Span) -> str:
    """The text of the token at a span, for a message."""
    index = tokens.at(span.start)
    return tokens[index].text if index is not None else ""


def _plain(message: str) -> str:
    if "expected table name" in message.lower():
        return "a relation is missing here"
    if "invalid expression" in message.lower():
        return "this cannot stand here"
    if message.lower().startswith(("required keyword", "expected", "expecting")):
        return "the query breaks off here"
    return message


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
        set_operation=tokens.span(plan.set_operator, plan.end) if plan.set_operator >= 0 else None,
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
        spans=node_spans(tree, tokens, shift),
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
        return SelectItem(whole, Expr(node, whole), None, _column_name(node, tokens, end))
    if tokens.kind(first + 1) is TokenType.COLON and end - first > 2:
        alias = name_of(tokens, first)
        return SelectItem(whole, Expr(node.this, tokens.span(first + 2, end)), alias, alias.text)
    alias = name_of(tokens, end - 1)
    stop = end - 2 if tokens.kind(end - 2) is TokenType.ALIAS else end - 1
    return SelectItem(whole, Expr(node.this, tokens.span(first, stop)), alias, alias.text)


def _column_name(node: exp.Expression, tokens: Tokens, end: int) -> str | None:
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
        return None
    return tokens[end - 1].text if isinstance(node, exp.Column | exp.Dot) else None


def _predicate(plan: Layout, name: str, node: exp.Expression | None) -> Clause | None:
    clause = plan.clause(name)
    if clause is None or node is None:
        return None
    return Clause(plan.span(clause), Expr(node.this, plan.tokens.span(clause.body, clause.end)))


def _optional(plan: Layout, name: str) -> Span | None:
    clause = plan.clause(name)
    return plan.span(clause) if clause is not None else None


def _with_item(call: WindowCall, items: tuple[SelectItem, ...]) -> WindowCall:
    index = next((i for i, item in enumerate(items) if item.span.covers(call.span)), None)
    return replace(call, item=index)
