"""The succession classifier: every violation at once, or the shape that a plan is made from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from smelt.diagnostics.model import Diagnostic, Location, in_order
from smelt.facts.formula import Column, Hole
from smelt.facts.rules import unknown_column
from smelt.grains.succession.candidate import Candidate, Output
from smelt.grains.succession.declaring import declare_column
from smelt.grains.succession.layout import candidate
from smelt.grains.succession.proven import NOTHING_PROVEN, Proven
from smelt.grains.succession.rules import (
    delete_filter_misplaced,
    driving_source_not_append_only,
    identity_not_projected,
    order_not_monotone_clock,
    partition_column_nullable,
    partition_key_mismatch,
    pattern_unrecognized,
    pre_filter_negates_flag,
    pre_filter_not_row_local,
    projection_name_invalid,
    projects_run_axis,
    reserved_column_name,
    row_local_column_violation,
    single_source_only,
    window_function_not_lead,
)
from smelt.grains.succession.shape import LAG_SLOT, LEAD_SLOT, OutputColumn, SuccessionShape
from smelt.project.model import Model, Project
from smelt.text.identifiers import quote
from smelt.text.spans import Span

RULES: tuple[Callable[[Candidate], Iterator[Diagnostic]], ...] = (
    single_source_only.check,
    driving_source_not_append_only.check,
    partition_column_nullable.check,
    pattern_unrecognized.check,
    projection_name_invalid.check,
    reserved_column_name.check,
    window_function_not_lead.check,
    partition_key_mismatch.check,
    order_not_monotone_clock.check,
    row_local_column_violation.check,
    identity_not_projected.check,
    pre_filter_not_row_local.check,
    pre_filter_negates_flag.check,
    delete_filter_misplaced.check,
    projects_run_axis.check,
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """An admitted model has a shape and no error; a refused one has at least one error and no shape."""

    shape: SuccessionShape | None
    diagnostics: tuple[Diagnostic, ...]
    row_local: Proven = NOTHING_PROVEN
    """What was proven of items: of use to who judges the model's next text."""
    unknown: tuple[Span, ...] = ()
    """The references that mean nothing; there is a finding for each."""


_MAX_UNKNOWN = 100
"""So many references that mean nothing are told of a model; who sees them knows."""


def classify(model: Model, project: Project, earlier: Proven = NOTHING_PROVEN) -> Verdict:
    """Judge a model that asks to be a succession. Its text must have parsed without errors.

    ``earlier`` is what was proven of an earlier text of the model; it changes how long this takes, and nothing else.
    """
    query = model.parsed.query
    if query is None or model.parsed.errors:
        return Verdict(None, (), earlier)
    c = candidate(model, project, query, earlier)
    found = in_order((*_unknown_columns(c), *(diagnostic for rule in RULES for diagnostic in rule(c))))
    if any(diagnostic.is_error for diagnostic in found):
        return Verdict(None, found, c.row_local, tuple(ref.span for ref in c.unknown[:_MAX_UNKNOWN]))
    shape = _shape(c)
    if shape is None and not _is_refused_elsewhere(c):
        return Verdict(None, in_order((*found, pattern_unrecognized.statement(c, "a proof is missing"))))
    return Verdict(shape, found, c.row_local)


def _is_refused_elsewhere(c: Candidate) -> bool:
    """Whether ``FROM`` names something that does not exist: the project's reader has said so."""
    return c.relation is not None and c.relation.kind == "table" and c.address not in c.project.addresses()


def _unknown_columns(c: Candidate) -> Iterator[Diagnostic]:
    """References that mean nothing; one finding each, whatever part they stand in."""
    if c.source is None:
        return
    known = [column.name for column in c.source.columns]
    for ref in c.unknown[:_MAX_UNKNOWN]:
        location = Location(c.model.file, ref.names[-1].span)
        others = declare_column(c, ref)
        yield unknown_column.finding(location, ref.parts[-1], known, f"`{c.source.address}`", others)


def _shape(c: Candidate) -> SuccessionShape | None:
    """The shape of a candidate that no rule refused. None only if a proof is missing after all: then it is refused."""
    source, key, clock, projected = c.source, c.key, c.clock, c.projected
    if c.scope is None or source is None or source.timeseries is None or key is None or clock is None:
        return None
    axis = source.column(source.timeseries.partition_column)
    clock_column = source.column(clock)
    if axis is None or clock_column is None or any(name not in projected for name in (*key, clock)):
        return None
    flag = delete_filter_misplaced.flag(c)
    where = c.query.where
    formula = c.formula(where.body) if where is not None else None
    used = {*key, clock, axis.name, *((flag,) if flag else ()), *(formula.columns if formula else ())}
    used |= {name for output in c.outputs for name in output.formula.columns}
    return SuccessionShape(
        source=source.address,
        key=key,
        clock=clock,
        clock_type=clock_column.type,
        flag=flag,
        pre_filter=formula.render(_as_source) if formula is not None else None,
        pre_filter_text=c.query.text_of(where.body) if where is not None else None,
        outputs=tuple(_column(output, projected) for output in c.outputs),
        key_outputs=tuple(projected[name] for name in key),
        clock_output=projected[clock],
        reads=tuple(column.name for column in source.columns if column.name in used),
        run_axis=axis.name,
        partitioning="event_time" if axis.name == clock else "arrival",
        granularity=source.timeseries.granularity,
        week_start=source.timeseries.week_start,
    )


def _column(output: Output, projected: dict[str, str]) -> OutputColumn:
    formula = output.formula
    name = output.name or ""
    if not output.derived:
        return OutputColumn(name, "row_local", formula.render(_as_source), source_column=formula.bare_column)

    def as_stored(hole: Hole) -> str:
        if isinstance(hole, Column):
            return quote(projected[hole.name])
        return quote(LEAD_SLOT if hole.side == "LEAD" else LAG_SLOT)

    return OutputColumn(
        name,
        "derived",
        formula.render(as_stored),
        lead=formula.reads("LEAD"),
        lag=formula.reads("LAG"),
        plain=formula.is_plain_neighbour,
    )


def _as_source(hole: Hole) -> str:
    return quote(hole.name) if isinstance(hole, Column) else ""
