"""What there is to say about a model, a source or a seed as a whole."""

from collections.abc import Iterable, Iterator

from smelt.analysis.model import ModelAnalysis
from smelt.editor.index import Index
from smelt.editor.scope import given_by
from smelt.explain.model import explain_text
from smelt.project.model import Address, Model, Source, SourceColumn
from smelt.text.counts import counted
from smelt.text.identifiers import fold

_MOST = 20
"""Columns that are listed: a hover is read at a glance."""


def about_relation(index: Index, address: Address) -> str:
    """What an address stands for."""
    analysis = index.snapshot.analysis
    if analysis is not None and address in analysis.models:
        return about_model(index, analysis.models[address])
    source = index.project.sources.get(address)
    if source is not None:
        return "\n".join((*_headed("seed" if source.seed_file else "source", source), "", *_declared(source)))
    return "\n".join((f"seed `{address}`, without a sidecar", *_columns(index, address)))


def about_model(index: Index, analysis: ModelAnalysis) -> str:
    """A model's description, what it is and how it is kept, and its columns."""
    model = analysis.model
    described = (*_headed("model", model), "") if model.frontmatter.description else ()
    explained = _code(explain_text(analysis, index.snapshot.texts))
    return "\n".join((*described, explained, *_columns(index, model.address)))


def _headed(kind: str, one: Model | Source) -> Iterator[str]:
    said = one.frontmatter.description if isinstance(one, Model) else one.description
    yield f"{kind} **{one.address}**" + (f": {said}" if said else "")


def _declared(source: Source) -> Iterator[str]:
    profile, clock = source.mutation_profile, source.timeseries
    where = source.relation or source.files or source.seed_file
    if where:
        yield f"- read from `{where}`"
    yield f"- mutation profile: {profile.kind if profile else 'not declared'}"
    if clock is not None:
        yield f"- clock: `{clock.event_time_column}`"
        yield f"- run axis: `{clock.partition_column}`, by {clock.granularity}"
    rows = ((one.name, one.type, "yes" if one.nullable else "no", _code_or_text(one)) for one in source.columns)
    yield from _table(("column", "type", "NULL", ""), tuple(rows))


def _code_or_text(column: SourceColumn) -> str:
    return f"`{column.expression}`" if column.expression else column.description


def _columns(index: Index, address: Address) -> Iterator[str]:
    model = index.project.models.get(address)
    said = {fold(one.name): one.description for one in model.frontmatter.columns} if model is not None else {}
    rows = ((one.name, one.type, said.get(fold(one.name), "")) for one in given_by(index, address))
    yield from _table(("column", "type", ""), tuple(rows))


def _table(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """A table below a blank line, of a long one the beginning; without its last column if no row has it."""
    if not rows:
        return
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], tuple(row[:-1] for row in rows)
    yield ""
    yield _row(head)
    yield "|" + "---|" * len(head)
    yield from map(_row, rows[:_MOST])
    if len(rows) > _MOST:
        yield ""
        yield f"and {counted(len(rows) - _MOST, 'more column')}"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _code(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}{fence}"


def _cell(text: str) -> str:
    """The text as one line of a table."""
    return " ".join(text.split()).replace("|", "\\|")
