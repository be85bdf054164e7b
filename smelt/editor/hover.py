"""What a word in a file means, as Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass

from smelt.analysis.model import ModelAnalysis
from smelt.diagnostics import registry
from smelt.editor.snapshot import Snapshot
from smelt.explain.model import explain_text
from smelt.grains.succession.shape import SuccessionShape
from smelt.project.model import Address, Model, Reference, Source
from smelt.sql.model import WindowCall
from smelt.text.lines import LineIndex
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Hover:
    """A text about a range of a file."""

    span: Span
    markdown: str


def hover(snapshot: Snapshot, file: str, offset: int) -> Hover | None:
    """What there is to say about the place at ``offset``, and about the finding there, if there is one."""
    model = snapshot.model(file)
    about = _in_model(snapshot, model, offset) if model is not None else None
    finding = _finding(snapshot, file, offset)
    if about is None or finding is None:
        return about or finding
    return Hover(about.span, f"{about.markdown}\n\n---\n\n{finding.markdown}")


def _in_model(snapshot: Snapshot, analysis: ModelAnalysis, offset: int) -> Hover | None:
    model = analysis.model
    head = _head(model, offset)
    if head is not None:
        return Hover(head, _explained(snapshot, analysis))
    for reference in model.references:
        if reference.span.contains(offset):
            return Hover(reference.span, _referred(snapshot, reference))
    column = _column(snapshot, analysis, offset)
    call = _call(model, offset)
    if column is None and call is not None and analysis.shape is not None:
        return Hover(call.span, _derives(analysis, analysis.shape, call))
    return column


def _head(model: Model, offset: int) -> Span | None:
    """The places that stand for the whole model: ``refresh``, the query's first word, a first line before the query."""
    places = [span for where in (model.marks.keys, model.marks.values) if (span := where.get(("refresh",)))]
    query = model.parsed.query
    first_line = Span(0, len(LineIndex(model.text).line(1)))
    if query is not None and query.tokens is not None and len(query.tokens) > 0:
        places.append(query.tokens[0].span)
    if query is None or first_line.end <= query.span.start:
        places.append(first_line)
    return next((span for span in places if len(span) > 0 and span.contains(offset)), None)


def _explained(snapshot: Snapshot, analysis: ModelAnalysis) -> str:
    return _code(explain_text(analysis, snapshot.texts))


def _referred(snapshot: Snapshot, reference: Reference) -> str:
    analysis = snapshot.analysis
    if analysis is None:
        return str(reference.address)
    if reference.address in analysis.models:
        return _explained(snapshot, analysis.models[reference.address])
    source = analysis.project.sources.get(reference.address)
    return "\n".join(_facts(source)) if source is not None else f"seed `{reference.address}`, without a sidecar"


def _facts(source: Source) -> Iterator[str]:
    kind = "seed" if source.seed_file else "source"
    yield f"{kind} **{source.address}**" + (f": {source.description}" if source.description else "")
    yield ""
    profile, clock = source.mutation_profile, source.timeseries
    where = source.relation or source.files or source.seed_file
    if where:
        yield f"- read from `{where}`"
    yield f"- mutation profile: {profile.kind if profile else 'not declared'}"
    if clock is not None:
        yield f"- clock: `{clock.event_time_column}`"
        yield f"- run axis: `{clock.partition_column}`, by {clock.granularity}"
    if source.columns:
        yield ""
        yield "| column | type | NULL | |"
        yield "|---|---|---|---|"
        for column in source.columns:
            made = f"`{_cell(column.expression)}`" if column.expression else _cell(column.description)
            yield f"| {_cell(column.name)} | {_cell(column.type)} | {'yes' if column.nullable else 'no'} | {made} |"


def _call(model: Model, offset: int) -> WindowCall | None:
    calls = model.parsed.query.calls if model.parsed.query is not None else ()
    around = [call for call in calls if call.span.contains(offset)]
    return min(around, key=lambda call: len(call.span), default=None)


def _derives(analysis: ModelAnalysis, shape: SuccessionShape, call: WindowCall) -> str:
    later = call.function == "LEAD"
    reader, neighbour = ("predecessor", "next") if later else ("successor", "previous")
    names = shape.lead_columns if later else shape.lag_columns
    columns = ", ".join(f"`{name}`" for name in names)
    key = ", ".join(f"`{name}`" for name in shape.key)
    return (
        f"The `{shape.clock}` of the {neighbour} event of the same {key}; NULL if there is none.\n\n"
        f"A new event of `{analysis.model.address}` patches {columns} of its {reader}'s row, and no other row."
    )


def _column(snapshot: Snapshot, analysis: ModelAnalysis, offset: int) -> Hover | None:
    """The source column under the cursor, where one source is read."""
    model, project = analysis.model, snapshot.analysis.project if snapshot.analysis is not None else None
    query = model.parsed.query
    if project is None or query is None or query.tokens is None or len(query.relations) != 1:
        return None
    inside = [token for token in query.tokens.items if token.span.start <= offset < token.span.end]
    source = project.sources.get(_only(model)) if len(model.references) == 1 else None
    column = source.column(inside[0].text) if source is not None and inside else None
    if source is None or column is None:
        return None
    null = "may be NULL" if column.nullable else "NOT NULL, declared"
    made = f"\n\nmade by `{column.expression}`" if column.expression else ""
    told = f"\n\n{column.description}" if column.description else ""
    return Hover(inside[0].span, f"`{column.name} {column.type}`, {null} — column of {source.address}{made}{told}")


def _only(model: Model) -> Address:
    return model.references[0].address


def _finding(snapshot: Snapshot, file: str, offset: int) -> Hover | None:
    """The page of a finding under the cursor: what it means and why it blocks."""
    here = [found for found in snapshot.of(file) if found.location.span.contains(offset)]
    if not here:
        return None
    narrowest = min(here, key=lambda found: len(found.location.span))
    page = registry.entry(narrowest.code.name).page
    return Hover(narrowest.location.span, page.partition("## Refused")[0].strip())


def _code(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}{fence}"


def _cell(text: str) -> str:
    """The text as one line of a table."""
    return " ".join(text.split()).replace("|", "\\|")
