"""What a target's tables of record remember of models, for the files under ``.smelt/`` that copy it."""

from collections.abc import Iterable, Mapping

import duckdb

from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.record import Kept, Record
from smelt.engines.duckdb.session import Session
from smelt.engines.model import BuiltColumn, Deployed, LandedPartition, Remembered
from smelt.grains.succession.shape import SuccessionShape
from smelt.plan.landed import landed as planned
from smelt.plan.windows import Grid
from smelt.project.model import Address, Project, Source
from smelt.text.identifiers import fold
from smelt.text.intervals import Interval


def remembered(session: Session, models: Iterable[ModelAnalysis]) -> tuple[Remembered, ...]:
    """How far each incremental model has come; one that was never built covers nothing."""
    record = Record(session)
    with session.named(f"target {session.target.name}"):
        coverage, ends = record.coverage(), record.ends()
    found: list[Remembered] = []
    for model in models:
        if model.shape is not None:
            name, grid = str(model.model.address), _grid(model.shape)
            first_and_last = ends.get((name, str(model.shape.source)))
            folded = None
            if first_and_last is not None:
                folded = Interval(grid.granule(first_and_last[0]).start, grid.granule(first_and_last[1]).end)
            found.append(Remembered(name, coverage.get(name, ()), folded))
    return tuple(found)


def landed(session: Session, models: Iterable[ModelAnalysis]) -> tuple[tuple[str, tuple[LandedPartition, ...]], ...]:
    """Per model the source it reads, with the partitions that were folded, in order."""
    record = Record(session)
    found: list[tuple[str, tuple[LandedPartition, ...]]] = []
    for model in models:
        if model.shape is not None:
            name, source, grid = str(model.model.address), str(model.shape.source), _grid(model.shape)
            with session.named(name):
                folded = record.folded(name, source)
            counts = {at: one.raw for at, one in folded.items()}
            found.append((source, tuple(LandedPartition(*one) for one in planned(counts, grid))))
    return tuple(found)


def deployed(session: Session, project: Project, models: Mapping[Address, ModelAnalysis]) -> tuple[Deployed, ...]:
    """Everything that was built in this target, by name, models that the project no longer has included."""
    with session.named(f"target {session.target.name}"):
        return tuple(
            Deployed(
                model=kept.model,
                relation=kept.record.relation,
                ledger=kept.record.ledger,
                kind=kept.record.kind,
                definition_hash=kept.record.definition_hash,
                definition=kept.record.definition,
                settings=kept.record.settings,
                coverage=kept.record.coverage,
                columns=_columns_of(session, project, models, kept),
                recorded_at=kept.recorded_at,
            )
            for kept in Record(session).every()
        )


def _columns_of(
    session: Session, project: Project, models: Mapping[Address, ModelAnalysis], kept: Kept
) -> tuple[BuiltColumn, ...]:
    """The columns of what was built for a model, as they stand now; none if it is gone or cannot be read any more."""
    relation = kept.record.relation
    if session.catalogue.kind(relation) is None:
        return ()
    try:
        described = session.describe(session.catalogue.place(relation))
    except (duckdb.BinderException, duckdb.CatalogException):  # a view over what is gone
        return ()
    model = models.get(Address(tuple(kept.model.split("."))))
    if model is None or model.shape is None or kept.record.kind != "succession":
        return tuple(BuiltColumn(name, kind) for name, kind in described)
    return stored_columns(described, model.shape, project.sources[model.shape.source])


def stored_columns(
    described: Iterable[tuple[str, str]], shape: SuccessionShape, source: Source
) -> tuple[BuiltColumn, ...]:
    """The columns of a succession model's table; what its source declares to be there is not nullable."""
    sure = {fold(name) for name in (*shape.key_outputs, shape.clock_output)}
    for output in shape.row_local:
        column = source.column(output.source_column) if output.source_column is not None else None
        if column is not None and not column.nullable:
            sure.add(fold(output.name))
    return tuple(BuiltColumn(name, kind, fold(name) not in sure) for name, kind in described)


def _grid(shape: SuccessionShape) -> Grid:
    return Grid(shape.granularity, shape.week_start)
