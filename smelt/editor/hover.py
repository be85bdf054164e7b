"""What a word in a file means, as Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass

from smelt.analysis.model import ModelAnalysis
from smelt.diagnostics import registry
from smelt.editor.definition import under
from smelt.editor.hover_column import about
from smelt.editor.hover_yaml import about_folder, about_key, about_pattern
from smelt.editor.index import Index
from smelt.editor.snapshot import Snapshot
from smelt.editor.targets import RelationTarget, Role
from smelt.explain.model import explain_text
from smelt.grains.succession.shape import SuccessionShape
from smelt.project.model import Address, Model, Source
from smelt.sql.model import WindowCall
from smelt.text.lines import LineIndex
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Hover:
    """A text about a range of a file."""

    span: Span
    markdown: str


def hover(snapshot: Snapshot, file: str, offset: int, matching: int | None = None) -> Hover | None:
    """What there is to say about the place at ``offset``, and about the finding there, if there is one.

    Args:
        snapshot: the project.
        file: one of its files.
        offset: where in its text.
        matching: how many files match the pattern there now; see :mod:`smelt.editor.data_files`.
    """
    index = Index.of(snapshot)
    about = _about(index, file, offset, matching) if index is not None else None
    finding = _finding(snapshot, file, offset)
    if about is None or finding is None:
        return about or finding
    return Hover(about.span, f"{about.markdown}\n\n---\n\n{finding.markdown}")


def _about(index: Index, file: str, offset: int, matching: int | None) -> Hover | None:
    analysis = index.snapshot.model(file)
    head = _head(analysis.model, offset) if analysis is not None else None
    if analysis is not None and head is not None:
        return _with_key(index, file, offset, Hover(head, _explained(index.snapshot, analysis)))
    named = _named(index, file, offset)
    if named is not None:
        return named
    call = _call(analysis.model, offset) if analysis is not None else None
    if analysis is not None and call is not None and analysis.shape is not None:
        return Hover(call.span, _derives(analysis, analysis.shape, call))
    key = about_pattern(index, file, offset, matching) or about_folder(index, file, offset)
    key = key or about_key(index, file, offset)
    return Hover(*key) if key is not None else None


def _named(index: Index, file: str, offset: int) -> Hover | None:
    """A relation, a column or an alias that is named under the cursor."""
    for one in under(index, file, offset):
        if isinstance(one.target, RelationTarget):
            return Hover(one.span, _referred(index.snapshot, one.target.address))
        unresolved = one.shows and one.role is Role.DEFINES
        told = about(index, one) if not unresolved else None
        if told is not None:
            return Hover(one.span, told)
    return None


def _with_key(index: Index, file: str, offset: int, explained: Hover) -> Hover:
    """The model, and below it what the key says that stands for it."""
    key = about_key(index, file, offset)
    return Hover(explained.span, f"{explained.markdown}\n\n{key[1]}") if key is not None else explained


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


def _referred(snapshot: Snapshot, address: Address) -> str:
    analysis = snapshot.analysis
    if analysis is None:
        return str(address)
    if address in analysis.project.models:
        return _explained(snapshot, analysis.models[address])
    source = analysis.project.sources.get(address)
    return "\n".join(_facts(source)) if source is not None else f"seed `{address}`, without a sidecar"


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
