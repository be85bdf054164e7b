"""A model laid out for judgement: everything the rules look at, worked out once.

What depends on a missing fact is missing too: without exactly one source there is no scope, and rules that
need one find nothing to judge.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from smelt.facts.formula import Column, Formula, Hole, Neighbour
from smelt.facts.nullability import NotNull, proofs
from smelt.facts.scope import Scope
from smelt.grains.succession.stars import expand
from smelt.project.model import Address, Model, Project, Source
from smelt.sql.model import Expr, Query, Relation, SelectItem, WindowCall, WindowSpec
from smelt.sql.scopes import conjuncts, known_as
from smelt.text.identifiers import fold
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Output:
    """One output column. ``item`` is the select item it comes from; ``expr`` is None if a star brings it.

    ``calls`` are the window calls written in it; ``derived`` tells whether it holds one, maybe by an alias.
    """

    name: str | None
    item: SelectItem
    expr: Expr | None
    formula: Formula
    calls: tuple[WindowCall, ...] = ()
    by_star: bool = False

    @property
    def derived(self) -> bool:
        """Whether it reads a neighbour, or tries to."""
        return bool(self.calls) or self.formula.reads("LEAD") or self.formula.reads("LAG")

    @property
    def is_open_star(self) -> bool:
        """Whether it is a star that could not be told column by column."""
        if self.expr is None or self.by_star or self.item.alias is not None:
            return False
        node = self.expr.node
        inner = node.this if isinstance(node, exp.Column | exp.Like | exp.ILike | exp.Not) else node
        return isinstance(inner, exp.Star | exp.Columns) or isinstance(getattr(inner, "this", None), exp.Star)


@dataclass(frozen=True, slots=True)
class Window:
    """A window of the model. ``key`` and ``clock`` are source columns; None if a part is no bare column."""

    spec: WindowSpec
    key: tuple[str, ...] | None
    clock: str | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that may be a succession.

    Attributes:
        relation: the first relation of ``FROM``; None without a ``FROM``.
        source_span: where the model names its source.
        scope: the source in scope; None unless there is exactly one relation and it is a source.
        outputs: output columns, stars expanded; empty without a scope.
        aliases: formulas of the item aliases, by folded name.
        windows: each window that a projected call uses, in text order.
        proven: the columns proven NOT NULL.
        where: the conjuncts of the filter.
    """

    model: Model
    project: Project
    query: Query
    relation: Relation | None
    source_address: Address | None
    scope: Scope | None
    outputs: tuple[Output, ...]
    aliases: Mapping[str, Formula]
    windows: tuple[Window, ...]
    proven: Mapping[str, NotNull]
    where: tuple[Expr, ...]

    @property
    def source(self) -> Source | None:
        """The source in scope."""
        return self.scope.source if self.scope is not None else None

    @property
    def event_time_column(self) -> str | None:
        """The source's declared clock, in its declared spelling."""
        source = self.source
        if source is None or source.timeseries is None:
            return None
        column = source.column(source.timeseries.event_time_column)
        return column.name if column is not None else None

    def window_of(self, call: WindowCall) -> Window | None:
        """The window a call uses."""
        return next((window for window in self.windows if window.spec is call.window), None)

    @property
    def key(self) -> tuple[str, ...] | None:
        """The key: that of the first window whose every part is a bare column."""
        return next((window.key for window in self.windows if window.key), None)

    @property
    def clock(self) -> str | None:
        """The clock: the declared one, if some window is ordered by it."""
        declared = self.event_time_column
        return declared if any(window.clock == declared for window in self.windows) else None

    def is_neighbour_call(self, call: WindowCall) -> bool:
        """Whether a call is ``LEAD(t)`` or ``LAG(t)`` over the column that its own window is ordered by."""
        if self.scope is None:
            return False
        return _is_neighbour_call(self.scope, call, self.aliases, self.window_of(call))


def candidate(model: Model, project: Project, query: Query) -> Candidate:
    """The model laid out."""
    relation = query.relations[0] if query.relations else None
    address, source = _source(model, project, relation)
    single = len(query.relations) == 1 and not query.joins and query.with_span is None and query.set_operation is None
    scope = None
    if relation is not None and source is not None and single:
        scope = Scope(query, source, known_as(relation))
    if scope is None:
        return Candidate(model, project, query, relation, address, None, (), {}, (), {}, _where(query))
    outputs, aliases = _outputs(scope, query)
    specs = {id(call.window): call.window for call in query.calls if call.item is not None and call.window is not None}
    windows = tuple(_window(scope, spec, aliases) for spec in specs.values())
    proven = proofs(scope, query.where.body if query.where else None)
    return Candidate(model, project, query, relation, address, scope, outputs, aliases, windows, proven, _where(query))


def _where(query: Query) -> tuple[Expr, ...]:
    return conjuncts(query, query.where.body) if query.where is not None else ()


def _source(model: Model, project: Project, relation: Relation | None) -> tuple[Address | None, Source | None]:
    if relation is None:
        return None, None
    address = next((r.address for r in model.references if r.span == relation.name_span), None)
    return address, project.sources.get(address) if address is not None else None


def _outputs(scope: Scope, query: Query) -> tuple[tuple[Output, ...], dict[str, Formula]]:
    """Output columns in order; an alias is in scope behind its own item, as in DuckDB."""
    outputs: list[Output] = []
    aliases: dict[str, Formula] = {}
    for index, item in enumerate(query.items):
        brought = expand(scope, item)
        if brought is not None:
            outputs += [
                Output(c.name, item, c.expr, scope_formula(scope, c.expr, c.column), by_star=True) for c in brought
            ]
            continue
        calls = tuple(call for call in query.calls if call.item == index and not call.nested)
        holes: list[tuple[Span, Hole]] = []
        for call in calls:
            side = _side(call)
            if side is not None:
                holes.append((call.span, side))
        formula = scope.formula(item.expr, aliases, holes)
        name = _output_name(item, formula)
        outputs.append(Output(name, item, item.expr, formula, calls))
        if item.alias is not None:
            aliases.setdefault(fold(item.alias.text), formula)
    return tuple(outputs), aliases


def scope_formula(scope: Scope, expr: Expr | None, column: str) -> Formula:
    """The formula of a column that a star brings: itself, or its ``REPLACE``."""
    return scope.formula(expr, {}) if expr is not None else Formula((Column(column),))


def _side(call: WindowCall) -> Neighbour | None:
    if call.function == "LEAD":
        return Neighbour("LEAD")
    return Neighbour("LAG") if call.function == "LAG" else None


def _output_name(item: SelectItem, formula: Formula) -> str | None:
    if item.alias is not None:
        return item.alias.text
    bare = formula.bare_column
    if bare is not None and item.name is not None and fold(item.name) == fold(bare):
        return bare
    return item.name


def _window(scope: Scope, spec: WindowSpec, aliases: Mapping[str, Formula]) -> Window:
    columns = [scope.bare(expr, aliases) for expr in spec.partition_by]
    key = tuple(column for column in columns if column is not None)
    whole = spec.partition_by and len(key) == len(columns)
    clock = scope.bare(spec.order_by[0].expr, aliases) if spec.order_by else None
    return Window(spec, tuple(dict.fromkeys(key)) if whole else None, clock)


def _is_neighbour_call(scope: Scope, call: WindowCall, aliases: Mapping[str, Formula], window: Window | None) -> bool:
    if _side(call) is None or len(call.arguments) != 1 or call.nested:
        return False
    if any(kind != "respect_nulls" for kind, _ in call.extras):
        return False
    if window is None or window.spec.frame_span is not None:
        return False
    argument = scope.bare(call.arguments[0], aliases)
    return argument is not None and (window.clock is None or argument == window.clock)
