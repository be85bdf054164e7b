"""A query with a span for every clause and expression.

All spans are offsets into the whole document (frontmatter included). Trees are sqlglot's; texts never come
from sqlglot's generator but from the document, by span, so that DuckDB runs what the author wrote.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from smelt.sql.spans import node_span
from smelt.sql.tokens import SqlError, Token, Tokens
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier as written: ``text`` without quotes, ``span`` with them."""

    text: str
    span: Span
    quoted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """An expression: its tree and where it stands."""

    node: exp.Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SelectItem:
    """One item of the select list.

    Attributes:
        span: the item with its alias.
        expr: the expression without the alias; a star is one too (``exp.Star``, or ``exp.Column`` over one).
        alias: the alias, if written.
        name: the output name DuckDB gives; None for a star or where only DuckDB could tell.
    """

    span: Span
    expr: Expr
    alias: Name | None
    name: str | None


@dataclass(frozen=True, slots=True, eq=False)
class OrderItem:
    """One item of an ``ORDER BY``: ``span`` takes in ``DESC`` and ``NULLS …``."""

    span: Span
    expr: Expr
    descending: Span | None = None
    nulls: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WindowSpec:
    """A window after named windows were resolved; each part's span is where it is really written.

    ``partition_span``/``order_span`` run from the keyword to the end of the list; None if the part is missing.
    """

    span: Span
    partition_by: tuple[Expr, ...] = ()
    partition_span: Span | None = None
    order_by: tuple[OrderItem, ...] = ()
    order_span: Span | None = None
    frame_span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WindowCall:
    """A function with an ``OVER``.

    Attributes:
        span: from the function's name to the end of ``OVER (…)`` or ``OVER w``.
        call_span: from the name to the closing parenthesis.
        function: the name as written, in upper case.
        arguments: in order.
        extras: what DuckDB or smelt may refuse inside or after the call, by kind.
        over_name: the window's name in ``OVER w``.
        window: the resolved window; None if ``over_name`` is not defined.
        item: index of the select item that holds it; None if it stands elsewhere.
        nested: whether it stands inside another window call.
    """

    span: Span
    call_span: Span
    node: exp.Expression
    function: str
    arguments: tuple[Expr, ...]
    extras: tuple[
        tuple[
            Literal["ignore_nulls", "respect_nulls", "filter", "distinct", "argument_order", "misplaced_nulls"],
            Span,
        ],
        ...,
    ]
    over_name: Name | None
    window: WindowSpec | None
    item: int | None
    nested: bool = False


RelationKind = Literal["table", "subquery", "values", "function", "cte"]


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """Something in ``FROM``. ``parts`` are the dotted name's, without quotes; empty for a subquery.

    ``name_span`` is the dotted name alone, ``span`` takes in the alias.
    """

    kind: RelationKind
    span: Span
    name_span: Span
    parts: tuple[str, ...]
    alias: Name | None
    alias_columns: tuple[Name, ...] = ()
    sample_span: Span | None = None

    @property
    def is_address(self) -> bool:
        """Whether it is written as ``smelt.<address>``."""
        return self.kind == "table" and len(self.parts) > 1 and self.parts[0].lower() == "smelt"


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """``WHERE``, ``QUALIFY``, ``HAVING``: ``span`` from the keyword on, ``body`` the predicate."""

    span: Span
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class NamedWindow:
    """``name AS (…)`` in a ``WINDOW`` clause."""

    name: Name
    span: Span
    spec: WindowSpec


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """The outermost query of a model.

    For a set operation the fields describe its first ``SELECT`` and ``set_operation`` is the span from the
    operator to the end of the second query. Spans of absent clauses are None.
    """

    text: str
    span: Span
    tree: exp.Expression
    select: Span
    list_span: Span
    items: tuple[SelectItem, ...]
    relations: tuple[Relation, ...] = ()
    joins: tuple[Span, ...] = ()
    from_span: Span | None = None
    with_span: Span | None = None
    set_operation: Span | None = None
    distinct: Span | None = None
    where: Clause | None = None
    group: Span | None = None
    having: Clause | None = None
    windows: tuple[NamedWindow, ...] = ()
    qualify: Clause | None = None
    order: Span | None = None
    limit: Span | None = None
    offset: Span | None = None
    sample: Span | None = None
    calls: tuple[WindowCall, ...] = ()
    shift: int = 0
    """What to add to sqlglot's positions to get offsets of the document."""
    tokens: Tokens | None = None

    def span_of(self, node: exp.Expression) -> Span:
        """Where a node of the tree stands: from its first token to its last, parentheses balanced.

        The query's own span if the tree keeps no trace of the place.
        """
        found = node_span(node, self.tokens, self.shift) if self.tokens is not None else None
        return found if found is not None else self.span

    def tokens_in(self, span: Span) -> tuple[Token, ...]:
        """The tokens that lie in a span: the author's spelling, which the tree may have lost."""
        if self.tokens is None:
            return ()
        first, end = self.tokens.within(span)
        return self.tokens.items[first:end]

    def expr(self, node: exp.Expression) -> Expr:
        """The node with its span."""
        return Expr(node, self.span_of(node))

    def text_of(self, part: "Expr | Span") -> str:
        """The document's text of a part."""
        return (part.span if isinstance(part, Expr) else part).of(self.text)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What became of a text: a query, or errors; sometimes both (DuckDB would refuse what the parser let pass)."""

    query: Query | None
    errors: tuple[SqlError, ...] = ()
    relations: tuple[Relation, ...] = ()
    """Every relation at every depth, CTE references excluded: what the model reads. Found by tokens when the
    text does not parse, so that half-typed SQL still has its references."""

    def addresses(self) -> Iterator[Relation]:
        """The relations written as ``smelt.<address>``."""
        return (relation for relation in self.relations if relation.is_address)
