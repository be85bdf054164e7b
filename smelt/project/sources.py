"""A source file: what is true of a relation that others load."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from smelt.diagnostics.model import Diagnostic
from smelt.project import grammar
from smelt.project.addresses import Entity
from smelt.project.model import Granularity, Marks, MutationProfile, Source, SourceColumn, Timeseries
from smelt.project.rules import (
    duplicate_column,
    source_data_conflict,
    source_unbound,
    unknown_timeseries_column,
    unknown_type,
)
from smelt.project.validation import validate
from smelt.project.yaml import read_mapping
from smelt.text.spans import Span

_DESCRIPTIVE = ("description",)
"""A fact that cannot be read leaves the whole source out: its models must not be judged by half of the facts."""

_UNITS = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}


@dataclass(frozen=True, slots=True)
class SourceDeclaration:
    """A source as read; None if its file does not fit the grammar."""

    source: Source | None
    diagnostics: tuple[Diagnostic, ...]


def read_source(entity: Entity, file: str, text: str) -> SourceDeclaration:
    """The source that a YAML file declares.

    Args:
        entity: the source, or the seed that the file is the sidecar of.
        file: the YAML file's path.
        text: its text.
    """
    yaml = read_mapping(file, text, Span(0, len(text)))
    if yaml.broken:
        return SourceDeclaration(None, yaml.diagnostics)
    result = validate(grammar.SourceFile, yaml, yaml.values, droppable=_DESCRIPTIVE, safe=False)
    found = (*yaml.diagnostics, *result.diagnostics)
    if result.spec is None:
        return SourceDeclaration(None, found)
    source = _source(entity, result.spec, yaml.marks)
    return SourceDeclaration(source, (*found, *_findings(source)))


def timeseries_of(spec: grammar.TimeseriesSpec | None) -> Timeseries | None:
    """The block of a source or model as a frozen value."""
    if spec is None:
        return None
    return Timeseries(spec.event_time_column, spec.partition_column, Granularity(spec.granularity), spec.week_start)


def _source(entity: Entity, spec: grammar.SourceFile, marks: Marks) -> Source:
    return Source(
        address=entity.address,
        marks=marks,
        columns=tuple(SourceColumn(c.name, c.type, c.nullable, c.expression, c.description) for c in spec.columns),
        relation=spec.name,
        files=spec.files,
        seed_file=entity.file if entity.kind == "seed" else None,
        mutation_profile=_profile(spec.mutation_profile),
        timeseries=timeseries_of(spec.timeseries),
        description=spec.description,
    )


def _profile(spec: grammar.ProfileKind | grammar.MutationProfileSpec | None) -> MutationProfile | None:
    if spec is None:
        return None
    if isinstance(spec, str):
        return MutationProfile(spec)
    return MutationProfile(spec.kind, spec.redelivery, _retention(spec.retention))


def _retention(text: str | None) -> timedelta | None:
    if text is None:
        return None
    number, unit = text.split()
    return int(number) * _UNITS[unit.removesuffix("s")]


def _findings(source: Source) -> Iterator[Diagnostic]:
    marks = source.marks
    yield from source_data_conflict.check(source)
    yield from source_unbound.check(source)
    yield from duplicate_column.check(
        (column.name, marks.at("columns", index, "name")) for index, column in enumerate(source.columns)
    )
    yield from unknown_type.check(source)
    yield from unknown_timeseries_column.check(source)
