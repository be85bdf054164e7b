"""What a word in a file means, as Markdown."""

from dataclasses import dataclass

from smelt.analysis.model import ModelAnalysis
from smelt.diagnostics import registry
from smelt.editor.definition import under
from smelt.editor.hover_column import about
from smelt.editor.hover_relation import about_model, about_relation
from smelt.editor.hover_yaml import about_folder, about_key, about_pattern
from smelt.editor.index import Index
from smelt.editor.snapshot import Snapshot
from smelt.editor.targets import RelationTarget, Role
from smelt.grains.succession.shape import SuccessionShape
from smelt.project.model import Model
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
        return _with_key(index, file, offset, Hover(head, about_model(index, analysis)))
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
            return Hover(one.span, about_relation(index, one.target.address))
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
        f"A new event of `{analysis.model.address}` patches {columns} in the row of its {reader}: "
        "there this call reads it."
    )


def _finding(snapshot: Snapshot, file: str, offset: int) -> Hover | None:
    """The page of a finding under the cursor: what it means and why it blocks."""
    here = [found for found in snapshot.of(file) if found.location.span.contains(offset)]
    if not here:
        return None
    narrowest = min(here, key=lambda found: len(found.location.span))
    page = registry.entry(narrowest.code.name).page
    return Hover(narrowest.location.span, page.partition("## Refused")[0].strip())
