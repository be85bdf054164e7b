"""A query around a query whose only job is a filter, as one query.

    SELECT * FROM (SELECT …, LEAD(t) OVER … FROM smelt.s) WHERE NOT f   →   SELECT … FROM smelt.s QUALIFY NOT f
    SELECT …, LEAD(t) OVER … FROM (SELECT * FROM smelt.s WHERE p)       →   SELECT … FROM smelt.s WHERE p

Both give the same table, whatever the data are.
"""

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from smelt.diagnostics.model import FileEdit, Fix
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.fixes import newline
from smelt.sql.model import Query, Relation
from smelt.sql.names import written
from smelt.sql.parse import parse
from smelt.sql.scopes import columns_in, known_as, star_of
from smelt.text.edits import Edit
from smelt.text.identifiers import fold
from smelt.text.spans import Span


def flatten(c: Candidate) -> tuple[Fix, ...]:
    """The fix for a model whose ``FROM`` holds such a query; none if it does more than filter."""
    query = c.query
    if len(query.relations) != 1 or query.joins or query.set_operation is not None:
        return ()
    relation = query.relations[0]
    place = _subquery(query, relation) if relation.kind == "subquery" else _only_cte(query, relation)
    inner = parse(query.text, place) if place is not None else None
    if place is None or inner is None or inner.query is None or inner.errors:
        return ()
    edits = _outer_filter(query, relation, inner.query) or _inner_filter(query, relation, inner.query)
    if any("--" in (cut := edit.span.of(query.text)) or "/*" in cut for edit in edits):
        return ()  # a comment would go with it
    return (Fix("Flatten the query", True, tuple(FileEdit(c.model.file, edit) for edit in edits)),) if edits else ()


def _subquery(query: Query, relation: Relation) -> Span | None:
    """What stands between the parentheses of a subquery in ``FROM``."""
    tokens = query.tokens
    opening = tokens.at(relation.span.start) if tokens is not None else None
    if tokens is None or opening is None or tokens.kind(opening) is not TokenType.L_PAREN:
        return None
    close = tokens.partner[opening]
    plain = not relation.alias_columns and relation.sample_span is None and query.with_span is None
    return tokens.span(opening + 1, close) if plain and close > opening + 1 else None


def _only_cte(query: Query, relation: Relation) -> Span | None:
    """What stands between the parentheses of ``WITH name AS (…)``, if nothing else is in the ``WITH``."""
    tokens = query.tokens
    if tokens is None or query.with_span is None or relation.kind != "cte" or relation.alias_columns:
        return None
    first, end = tokens.within(query.with_span)
    named = end - first > 5 and fold(tokens[first + 1].text) == fold(relation.parts[0])
    if not named or tokens.kind(first + 2) is not TokenType.ALIAS or tokens.kind(first + 3) is not TokenType.L_PAREN:
        return None
    return tokens.span(first + 4, end - 1) if tokens.partner[first + 3] == end - 1 else None


def _outer_filter(query: Query, relation: Relation, inner: Query) -> tuple[Edit, ...]:
    """Keep the inner query, with the outer one's filter behind its windows."""
    where = query.where
    if where is None or where.span.end != query.span.end or not _is_star(query) or not inner.calls:
        return ()
    flag = _negated(query, where.body.node, known_as(relation))
    column = _source_column(inner, flag) if flag is not None else None
    ends_early = (inner.qualify, inner.order, inner.limit, inner.offset, inner.sample, inner.distinct, inner.group)
    if column is None or any(ends_early) or inner.set_operation is not None or inner.with_span is not None:
        return ()
    return (
        Edit(Span(query.span.start, inner.span.start), ""),
        Edit(Span(inner.span.end, where.span.end), f"{_break(inner)}QUALIFY NOT {column}"),
    )


def _inner_filter(query: Query, relation: Relation, inner: Query) -> tuple[Edit, ...]:
    """Keep the outer query, with the source of the inner one and its filter."""
    if query.with_span is not None or len(inner.relations) != 1 or not _is_star(inner):
        return ()
    source, where = inner.relations[0], inner.where
    if not source.is_address or source.alias_columns or source.sample_span is not None or (where and query.where):
        return ()
    end = where.span.end if where is not None else source.span.end
    qualified = where is not None and any(len(ref.parts) > 1 for ref in columns_in(inner, where.body.node))
    if end != inner.span.end or inner.joins or qualified or query.tokens is None:
        return ()
    opening = query.tokens.at(relation.span.start)
    close = query.tokens.span(query.tokens.partner[opening or 0], query.tokens.partner[opening or 0] + 1)
    edits = [
        Edit(Span(relation.span.start, source.name_span.start), ""),
        Edit(Span(source.name_span.end, close.end), ""),
    ]
    if where is None:
        return tuple(edits)
    filtered = f"{_break(query)}{where.span.of(query.text)}"
    if relation.span.end == close.end:
        edits[1] = Edit(edits[1].span, filtered)
    else:
        edits.append(Edit(Span(relation.span.end, relation.span.end), filtered))
    return tuple(edits)


def _is_star(query: Query) -> bool:
    """Whether a query is ``SELECT * FROM … [WHERE …]`` and nothing else."""
    star = star_of(query, query.items[0].expr) if len(query.items) == 1 else None
    rest = (query.distinct, query.group, query.having, query.qualify, query.order, query.limit, query.offset)
    plain = star is not None and not star.options and star.unsupported is None and query.items[0].alias is None
    return plain and not any(rest) and not query.windows and query.sample is None and query.set_operation is None


def _negated(query: Query, node: exp.Expression, name: str | None) -> str | None:
    """The column of a predicate that keeps the rows in which it is false: neither true nor NULL."""
    while isinstance(node, exp.Paren):
        node = node.this
    column: object = node.this if isinstance(node, exp.Not) else None
    if isinstance(node, exp.EQ | exp.Is) and isinstance(node.expression, exp.Boolean) and not node.expression.this:
        column = node.this
    while isinstance(column, exp.Paren):
        column = column.this
    refs = columns_in(query, column) if isinstance(column, exp.Column) else ()
    if len(refs) != 1 or len(refs[0].parts) > 2:
        return None
    here = len(refs[0].parts) == 1 or (name is not None and fold(refs[0].parts[0]) == fold(name))
    return refs[0].parts[-1] if here else None


def _source_column(inner: Query, name: str) -> str | None:
    """The column that an output shows as it is, as QUALIFY has to write it."""
    stars = [star_of(inner, item.expr) for item in inner.items]
    named = [item for item in inner.items if item.name is not None and fold(item.name) == fold(name)]
    if len(named) == 1 and isinstance(named[0].expr.node, exp.Column):
        return inner.text_of(named[0].expr)
    plain = [star for star in stars if star is not None and not star.options and star.unsupported is None]
    return written(name) if not named and plain else None


def _break(query: Query) -> str:
    """What goes before a further clause: a line end if the query has some."""
    return newline(query.text) if "\n" in query.span.of(query.text) else " "
