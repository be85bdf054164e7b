"""What there is to say about a column, an alias or a common table expression."""

from collections.abc import Iterator

from smelt.editor.definition import place_of
from smelt.editor.index import Index
from smelt.editor.scope import Scope
from smelt.editor.targets import ColumnTarget, LocalTarget, Occurrence
from smelt.explain.model import technique
from smelt.grains.succession.layout import candidate
from smelt.grains.succession.shape import OutputColumn, SuccessionShape
from smelt.project.model import Model, Source, SourceColumn
from smelt.sql.names import written
from smelt.sql.outline import Item
from smelt.text.identifiers import fold


def about(index: Index, one: Occurrence) -> str | None:
    """A text about what a name in a query or in YAML means; None about whole relations, which have their own."""
    target = one.target
    if isinstance(target, LocalTarget):
        return "\n\n".join(_local(index, target))
    if not isinstance(target, ColumnTarget):
        return None
    source = index.project.sources.get(target.address)
    if source is not None:
        column = source.column(target.name)
        return "\n\n".join(_of_source(index, one.file, source, column)) if column is not None else None
    model = index.project.models.get(target.address)
    return "\n\n".join(_of_model(index, model, target)) if model is not None else None


def _of_source(index: Index, file: str, source: Source, column: SourceColumn) -> Iterator[str]:
    null = "may be NULL" if column.nullable else "NOT NULL, declared"
    filtered = _filter(index, file, column.name) if column.nullable else None
    if filtered is not None:
        null = f"NOT NULL here: `{filtered}` drops its NULLs"
    yield f"`{column.name} {column.type}`, {null} — column of {source.address}"
    if column.expression:
        yield f"made by `{_line(column.expression)}`"
    clock = source.timeseries
    if clock is not None and fold(clock.event_time_column) == fold(column.name):
        yield "the clock: when an event happened"
    if clock is not None and fold(clock.partition_column) == fold(column.name):
        yield f"the run axis: windows run along it, by {clock.granularity}"
    if column.description:
        yield column.description


def _filter(index: Index, file: str, column: str) -> str | None:
    """The part of a model's filter that proves a source column NOT NULL."""
    model, query = index.model_at(file), index.query(file)
    if model is None or query is None:
        return None
    proof = (candidate(model, index.project, query).proven or {}).get(column)
    return _line(proof.span.of(index.text(file))) if proof is not None and proof.span is not None else None


def _of_model(index: Index, model: Model, target: ColumnTarget) -> Iterator[str]:
    known = next((one for one in index.columns(model.address) or () if fold(one.name) == target.name), None)
    item = _item(index, model, target)
    name = known.name if known is not None else item.name.text if item is not None and item.name else target.name
    shape = _shape(index, model)
    output = next((one for one in shape.outputs if fold(one.name) == target.name), None) if shape is not None else None
    typed = f"{name} {known.type}" if known is not None else name
    null = _nullness(index, shape, output) if shape is not None and output is not None else ""
    yield f"`{typed}`{null} — column of {model.address}"
    made = _made(index, model, item)
    if output is not None and output.source_column is not None and shape is not None:
        yield f"comes from `{output.source_column}` of {shape.source}"
    elif made:
        yield f"made by `{made}`"
    yield from _patched(output) if output is not None else ()
    declared = next((one for one in model.frontmatter.columns if fold(one.name) == target.name), None)
    if declared is not None and declared.description:
        yield declared.description
    if declared is not None and declared.tests:
        yield "tested: " + ", ".join(test.kind for test in declared.tests)


def _shape(index: Index, model: Model) -> SuccessionShape | None:
    analysis = index.snapshot.model(model.file)
    return analysis.shape if analysis is not None and technique(analysis) is not None else None


def _nullness(index: Index, shape: SuccessionShape, output: OutputColumn) -> str:
    if output.kind == "derived":
        if not output.plain:
            return ", may be NULL"
        return f", NULL for the {'last' if output.lead else 'first'} event of its key"
    source = index.project.sources.get(shape.source)
    column = source.column(output.source_column) if source is not None and output.source_column else None
    if output.name in (*shape.key_outputs, shape.clock_output):
        return ", NOT NULL: it is of the identity"
    return "" if column is None else ", may be NULL" if column.nullable else ", NOT NULL, declared by the source"


def _patched(output: OutputColumn) -> Iterator[str]:
    if output.lead:
        yield "patched when a later event of its key arrives: it reads the successor's clock"
    if output.lag:
        yield "patched when an earlier event of its key arrives: it reads the predecessor's clock"


def _item(index: Index, model: Model, target: ColumnTarget) -> Item | None:
    items = Scope.of(index, model.file).items
    return next((item for item in items if item.name is not None and fold(item.name.text) == target.name), None)


def _made(index: Index, model: Model, item: Item | None) -> str:
    """The expression of an item, where it is more than a name."""
    if item is None or item.name is None or not item.aliased:
        return ""
    text = item.span.of(index.text(model.file))
    if item.name.span.end < item.span.end:  # the alias stands in front
        return _line(text[item.name.span.end - item.span.start :].lstrip(" \t:"))
    before = text[: item.name.span.start - item.span.start].rstrip()
    return _line(before[:-2] if before.upper().endswith(" AS") or before.upper().endswith("\nAS") else before)


def _local(index: Index, target: LocalTarget) -> Iterator[str]:
    scope = Scope.of(index, target.file)
    text = index.text(target.file)
    for cte in scope.queries.ctes:
        if cte.name.span == target.span:
            inner = scope.queries.inside(cte.body)
            given = scope.outputs(inner) if inner is not None else ()
            columns = ", ".join(f"`{written(one.name)}`" for one in given)
            yield f"common table expression **{cte.name.text}**"
            yield from [f"gives {columns}"] if columns else []
            return
    for select in scope.queries.selects:
        for relation in select.relations:
            if relation.alias is not None and relation.alias.span == target.span:
                yield f"alias of `{_line(relation.name_span.of(text))}`"
                return
        for item in select.items:
            if item.name is not None and item.name.span == target.span:
                yield f"column `{item.name.text}` of a query: `{_line(item.span.of(text))}`"
                return
    place = place_of(index, target)
    if place is not None:
        yield f"`{place.span.of(text)}`, named here"


def _line(text: str) -> str:
    """A text on one line, without the marks that would end it in Markdown; of a long one the beginning."""
    one = " ".join(text.split()).replace("`", "'")
    return one if len(one) <= 120 else f"{one[:119]}…"
