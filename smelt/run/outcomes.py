"""What became of a model as records, and a run's exit code. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

from smelt.analysis.model import ModelAnalysis
from smelt.diagnostics.model import in_order
from smelt.engines.model import Built, Failure
from smelt.plan.windows import hull
from smelt.project.model import Granularity
from smelt.run.model import Ended
from smelt.run.rules import model_target_unavailable
from smelt.state.coverage import bounds
from smelt.state.records import ErrorRecord, ModelRecord, SchemaColumn, SchemaRecord, SkipReason, Strategy


def succeeded(
    built: Built | None, granularity: Granularity, duration_ms: int, definition_hash: str | None
) -> ModelRecord:
    """The record of a relation that was brought up to date. A seed's hash is that of its file."""
    content = built.content_hash if built is not None else None
    record = ModelRecord(outcome="success", duration_ms=duration_ms, definition_hash=definition_hash or content)
    return with_work(record, built, granularity)


def joined(parts: Sequence[Built]) -> Built | None:
    """What several attempts at one model did, one after the other; None if there is none that did anything."""
    if len(parts) < 2:
        return parts[0] if parts else None
    first, last = parts[0], parts[-1]
    return replace(
        last,
        strategy=first.strategy,
        rows_inserted=_sum(part.rows_inserted for part in parts),
        rows_patched=_sum(part.rows_patched for part in parts),
        tombstones=_sum(part.tombstones for part in parts),
        re_presented=_sum(part.re_presented for part in parts),
        time_range=hull(part.time_range for part in parts if part.time_range is not None),
        landed=tuple(landed for part in parts for landed in part.landed),
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def with_work(record: ModelRecord, built: Built | None, granularity: Granularity) -> ModelRecord:
    """The record with what was done and stays: all of it, or the part before a failure; None if nothing was."""
    if built is None:
        return record
    return replace(
        record,
        strategy=cast(Strategy, built.strategy),
        row_count=built.row_count,
        time_range=None if built.time_range is None else bounds(built.time_range, granularity),
        rows_inserted=built.rows_inserted,
        rows_patched=built.rows_patched,
        tombstones=built.tombstones,
        re_presented=built.re_presented,
    )


def failed(failure: Failure, duration_ms: int, definition_hash: str | None) -> ModelRecord:
    """The record of what failed."""
    error = ErrorRecord(failure.code, failure.message)
    return ModelRecord(outcome="failed", duration_ms=duration_ms, definition_hash=definition_hash, error=error)


def skipped(reason: SkipReason, definition_hash: str | None = None) -> ModelRecord:
    """The record of what was not run."""
    return ModelRecord(outcome="skipped", definition_hash=definition_hash, skip_reason=reason)


def refusal(analysis: ModelAnalysis, target: str) -> Failure | None:
    """Why a model cannot be run in a target: its first error, with all findings; None if it can."""
    findings = analysis.diagnostics
    elsewhere = model_target_unavailable.finding(analysis.model, target)
    if elsewhere is not None:
        findings = in_order((*findings, elsewhere))
    first = next((finding for finding in findings if finding.is_error), None)
    return None if first is None else Failure(first.code.name, first.message, first.help, findings)


def granularity_of(analysis: ModelAnalysis | None) -> Granularity:
    """The width of a model's run axis; days for what has none, seeds included."""
    return analysis.shape.granularity if analysis is not None and analysis.shape is not None else Granularity.DAY


def schema_of(analysis: ModelAnalysis, built: Built, deployed_at: str) -> SchemaRecord:
    """What a model's relation looks like after it was built."""
    timeseries = analysis.model.frontmatter.timeseries
    return SchemaRecord(
        deployed_at=deployed_at,
        definition_hash=analysis.definition_hash,
        definition=analysis.canonical,
        grain="succession" if analysis.kind == "succession" else None,
        columns=tuple(SchemaColumn(column.name, column.type, column.nullable) for column in built.columns),
        partition_column=timeseries.partition_column if timeseries is not None else None,
    )


def exit_code(ended: Iterable[Ended], interrupted: int | None) -> int:
    """The code of a run: interrupted, else 0, else what all failures share (3 approval, 4 busy), else 1."""
    if interrupted is not None:
        return interrupted
    failures = [one.failure for one in ended if one.record.outcome == "failed"]
    if not failures:
        return 0
    if all(failure is not None and failure.approval for failure in failures):
        return 3
    if all(failure is not None and failure.busy for failure in failures):
        return 4
    return 1
