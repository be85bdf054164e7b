"""Lays a model out: names resolved, stars and aliases expanded, windows joined to the calls that use them."""

from dataclasses import dataclass, field

from sqlglot import exp

from smelt.facts.formula import Formula, Hole, Neighbour, column_formula
from smelt.facts.nullability import proofs
from smelt.facts.scope import Scope
from smelt.grains.succession.candidate import Call, Candidate, Output, Window
from smelt.grains.succession.stars import expand, is_star
from smelt.project.model import Address, Model, Project, Source
from smelt.sql.model import Expr, Query, Relation, SelectItem, WindowCall, WindowSpec
from smelt.sql.scopes import ColumnRef, conjuncts, known_as
from smelt.text.identifiers import fold
from smelt.text.spans import Span


def candidate(model: Model, project: Project, query: Query) -> Candidate:
    """The model laid out."""
    relation = query.relations[0] if query.relations else None
    address, source = _source(model, project, relation)
    where = conjuncts(query, query.where.body) if query.where is not None else ()
    single = len(query.relations) == 1 and not query.joins and query.with_span is None and query.set_operation is None
    if relation is None or source is None or not source.columns or not single or relation.alias_columns:
        return Candidate(model, project, query, relation, address, source, where=where)
    scope = Scope(query, source, known_as(relation), _taken(query, source, relation))
    outputs = _Outputs(scope)
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


@dataclass(slots=True)
class _Outputs:
    """Output columns in order; an alias is in scope behind its own item, as in DuckDB."""

    scope: Scope
    found: list[Output] = field(default_factory=list)
    aliases: dict[str, Formula] = field(default_factory=dict)
    windows: dict[int, Window] = field(default_factory=dict)

    def add(self, index: int, item: SelectItem) -> None:
        """The columns of the next item."""
        scope = self.scope
        calls = tuple(self._call(call) for call in scope.query.calls if call.item == index and not call.nested)
        brought = expand(scope, item)
        if brought is not None:
            for one in brought:
                formula = column_formula(one.column) if one.expr is None else scope.formula(one.expr, self.aliases)
                self.found.append(Output(one.name, item, one.expr, formula, by_star=True))
                if fold(one.name) != fold(one.column):
                    self.aliases.setdefault(fold(one.name), formula)
            return
        holes: list[tuple[Span, Hole]] = [(call.written.span, _side(call.written)) for call in calls]
        formula = scope.formula(item.expr, self.aliases, holes)
        star = is_star(scope.query, item)
        self.found.append(Output(_name(item, formula), item, item.expr, formula, calls, unexpanded=star))
        if item.alias is not None:
            self.aliases.setdefault(fold(item.alias.text), formula)

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
