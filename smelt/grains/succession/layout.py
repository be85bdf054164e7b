"""Lays a model out: names resolved, stars and aliases expanded, windows joined to the calls that use them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from smelt.facts.formula import Formula, Hole, Neighbour, column_formula
from smelt.facts.locality import Gap, gaps
from smelt.facts.nullability import proofs
from smelt.facts.scope import Scope
from smelt.grains.succession.candidate import Call, Candidate, Output, Window
from smelt.grains.succession.proven import NOTHING_PROVEN, Meaning, Proven, holds, meaning
from smelt.grains.succession.stars import Brought, expand, is_star
from smelt.project.model import Address, Model, Project, Source
from smelt.sql.model import Expr, Query, Relation, SelectItem, WindowCall, WindowSpec
from smelt.sql.scopes import ColumnRef, conjuncts, known_as
from smelt.text.identifiers import fold
from smelt.text.spans import Span


def candidate(model: Model, project: Project, query: Query, earlier: Proven = NOTHING_PROVEN) -> Candidate:
    """The model laid out; ``earlier`` is what was proven of an earlier text of it."""
    relation = query.relations[0] if query.relations else None
    address, source = _source(model, project, relation)
    where = conjuncts(query, query.where.body) if query.where is not None else ()
    single = len(query.relations) == 1 and not query.joins and query.with_span is None and query.set_operation is None
    if relation is None or source is None or not source.columns or not single or relation.alias_columns:
        return Candidate(model, project, query, relation, address, source, where=where)
    scope = Scope(query, source, known_as(relation), _taken(query, source, relation))
    outputs = _Outputs(scope, earlier.over(source, scope.known_as))
    for index, item in enumerate(query.items):
        outputs.add(index, item)
    return Candidate(
        model=model,
        project=project,
        query=query,
        relation=relation,
        address=address,
        source=source,
        scope=scope,
        outputs=tuple(outputs.found),
        aliases=outputs.aliases,
        windows=tuple(outputs.windows.values()),
        proven=proofs(scope, query.where.body if query.where else None, outputs.aliases),
        where=where,
        unknown=_unknown(scope, outputs),
        row_local=Proven(source, scope.known_as, outputs.proven),
    )


def _source(model: Model, project: Project, relation: Relation | None) -> tuple[Address | None, Source | None]:
    if relation is None:
        return None, None
    address = next((r.address for r in model.references if r.span == relation.name_span), None)
    return address, project.sources.get(address) if address is not None else None


def _taken(query: Query, source: Source, relation: Relation) -> frozenset[str]:
    names = [column.name for column in source.columns]
    names += [item.alias.text for item in query.items if item.alias is not None]
    name = known_as(relation)
    return frozenset(fold(text) for text in (*names, *([name] if name is not None else [])))


@dataclass(frozen=True, slots=True)
class _Names:
    """What references mean to an item: columns of the source, then aliases of earlier items."""

    scope: Scope
    aliases: Mapping[str, Formula]

    def is_row(self, ref: ColumnRef) -> bool:
        return self.scope.is_row(ref)

    def has_offset(self, ref: ColumnRef) -> bool:
        return self.scope.has_offset(ref, self.aliases)


@dataclass(slots=True)
class _Outputs:
    """Output columns in order; an alias is in scope behind its own item, as in DuckDB."""

    scope: Scope
    earlier: Mapping[str, Meaning]
    proven: dict[str, Meaning] = field(default_factory=dict)
    found: list[Output] = field(default_factory=list)
    aliases: dict[str, Formula] = field(default_factory=dict)
    windows: dict[int, Window] = field(default_factory=dict)
    calls: dict[int | None, list[WindowCall]] = field(init=False)

    def __post_init__(self) -> None:
        self.calls = {}
        for call in self.scope.query.calls:
            if not call.nested:
                self.calls.setdefault(call.item, []).append(call)

    def add(self, index: int, item: SelectItem) -> None:
        """The columns of the next item."""
        scope = self.scope
        calls = tuple(self._call(call) for call in self.calls.get(index, ()))
        text = scope.query.text_of(item.expr)
        known = None if calls else self._known(text)
        if known is not None:
            self.proven[text] = known
            self._put(item, Output(_name(item, known.formula), item, item.expr, known.formula))
            return
        brought = expand(scope, item)
        if brought is not None:
            for one in brought:
                self._bring(item, one)
            return
        holes: list[tuple[Span, Hole]] = [(call.written.span, _side(call.written)) for call in calls]
        formula = scope.formula(item.expr, self.aliases, holes)
        star = is_star(scope.query, item)
        lost = () if star else self._lost(item.expr, calls)
        output = Output(_name(item, formula), item, item.expr, formula, calls, unexpanded=star, lost=lost)
        if not (calls or star or lost or formula.unknown or formula.stray):
            words = (token.text for token in scope.query.tokens_in(item.expr.span))
            self.proven[text] = meaning(formula, words, scope.taken, self.aliases)
        self._put(item, output)

    def _known(self, text: str) -> Meaning | None:
        known = self.proven.get(text) or self.earlier.get(text)
        return known if known is not None and holds(known, self.scope.taken, self.aliases) else None

    def _put(self, item: SelectItem, output: Output) -> None:
        self.found.append(output)
        if item.alias is not None:
            self.aliases.setdefault(fold(item.alias.text), output.formula)

    def _bring(self, item: SelectItem, one: Brought) -> None:
        formula = column_formula(one.column) if one.expr is None else self.scope.formula(one.expr, self.aliases)
        lost = self._lost(one.expr) if one.expr is not None else ()
        self.found.append(Output(one.name, item, one.expr, formula, by_star=True, lost=lost))
        if fold(one.name) != fold(one.column):
            self.aliases.setdefault(fold(one.name), formula)

    def _lost(self, expr: Expr, calls: Iterable[Call] = ()) -> tuple[Gap, ...]:
        names = _Names(self.scope, self.aliases)
        return gaps(self.scope.query, expr, names, (call.written.span for call in calls))

    def _call(self, call: WindowCall) -> Call:
        window = self._window(call.window) if call.window is not None else None
        argument = self.scope.formula(call.arguments[0], self.aliases) if call.arguments else None
        return Call(call, window, argument)

    def _window(self, spec: WindowSpec) -> Window:
        if id(spec) not in self.windows:
            self.windows[id(spec)] = Window(
                spec,
                tuple(self.scope.formula(expr, self.aliases) for expr in spec.partition_by),
                tuple(self.scope.formula(item.expr, self.aliases) for item in spec.order_by),
            )
        return self.windows[id(spec)]


def _side(call: WindowCall) -> Neighbour:
    """Whose clock a call is. Any other function is refused as a call, and what it reads is not judged again."""
    return Neighbour("LAG" if call.function == "LAG" else "LEAD")


def _name(item: SelectItem, formula: Formula) -> str | None:
    """The name DuckDB gives: the alias, or a column's own name, in parentheses or not."""
    if item.alias is not None:
        return item.alias.text
    node = item.expr.node
    while isinstance(node, exp.Paren):
        node = node.this
    written = item.name if item.name is not None or not isinstance(node, exp.Column) else node.name
    bare = formula.bare_column
    return bare if bare is not None and written is not None and fold(written) == fold(bare) else written


def _unknown(scope: Scope, outputs: _Outputs) -> tuple[ColumnRef, ...]:
    """Every reference that means nothing, once."""
    query = scope.query
    found = [ref for output in outputs.found for ref in output.formula.unknown]
    for window in outputs.windows.values():
        found += [ref for formula in (*window.partition, *window.order) for ref in formula.unknown]
    for output in outputs.found:
        found += [ref for call in output.calls if call.argument is not None for ref in call.argument.unknown]
    clauses: list[Expr] = [clause.body for clause in (query.where, query.qualify) if clause is not None]
    found += [ref for body in clauses for ref in scope.formula(body, outputs.aliases).unknown]
    return tuple({ref.span: ref for ref in found}.values())
