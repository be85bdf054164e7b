"""Records to JSON objects and back. Pure: nothing here knows of files.

Readers check every field they use and raise :class:`smelt.state.documents.MalformedDocument`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, get_args

from smelt.state.documents import JsonObject, MalformedDocument
from smelt.state.fields import Fields
from smelt.state.records import (
    ErrorRecord,
    FailureRecord,
    Manifest,
    ModelRecord,
    Outcome,
    Report,
    SchemaColumn,
    SchemaRecord,
    SkipReason,
    Strategy,
    TestOutcome,
)

SCHEMA_VERSION = 1

_STATUSES: tuple[Literal["running", "completed", "cancelled"], ...] = ("running", "completed", "cancelled")
_TEST_OUTCOMES: tuple[TestOutcome, ...] = get_args(TestOutcome)
_OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
_SKIP_REASONS: tuple[SkipReason, ...] = get_args(SkipReason)
_COUNTS = ("row_count", "rows_inserted", "rows_patched", "tombstones", "re_presented")


def instant(moment: datetime) -> str:
    """An aware UTC time as ISO 8601 to the millisecond: ``2025-01-01T12:01:03.250Z``."""
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def manifest_to_json(manifest: Manifest) -> JsonObject:
    """What ``runs/<run_id>.json`` holds."""
    return {
        "run_id": manifest.run_id,
        "sequence": manifest.sequence,
        "command": manifest.command,
        "smelt_version": manifest.smelt_version,
        "started_at": manifest.started_at,
        "completed_at": manifest.completed_at,
        "status": manifest.status,
        "target": manifest.target,
        "selection": list(manifest.selection),
        "window": _range_to_json(manifest.window),
        "full_refresh": manifest.full_refresh,
        "resumed_from": manifest.resumed_from,
        "exit_code": manifest.exit_code,
        "models": {name: model_to_json(record) for name, record in manifest.models.items()},
        "tests": dict(manifest.tests),
    }


def model_to_json(record: ModelRecord) -> JsonObject:
    """One entry of a manifest's ``models``; ``error`` and ``skip_reason`` only where they apply."""
    written: JsonObject = {
        "outcome": record.outcome,
        "strategy": record.strategy,
        "duration_ms": record.duration_ms,
        "definition_hash": record.definition_hash,
        "retry_count": record.retry_count,
        "time_range": _range_to_json(record.time_range),
        **{name: getattr(record, name) for name in _COUNTS},
    }
    if record.error is not None:
        written["error"] = _error_to_json(record.error)
    if record.skip_reason is not None:
        written["skip_reason"] = record.skip_reason
    return written


def _range_to_json(ends: tuple[str, str] | None) -> JsonObject | None:
    return None if ends is None else {"start": ends[0], "end": ends[1]}


def _error_to_json(error: ErrorRecord) -> JsonObject:
    return {"code": error.code, "message": error.message}


def manifest_from_json(document: object) -> Manifest:
    """The manifest that a document holds; fields it does not know are ignored."""
    fields = Fields(document)
    tests = fields.object("tests")
    return Manifest(
        run_id=fields.text("run_id"),
        sequence=fields.integer("sequence"),
        command=fields.text("command"),
        smelt_version=fields.text("smelt_version"),
        started_at=fields.text("started_at"),
        completed_at=fields.optional(fields.text, "completed_at"),
        status=fields.choice("status", _STATUSES),
        target=fields.text("target"),
        selection=fields.texts("selection"),
        window=_range_from_json(fields, "window"),
        full_refresh=fields.flag("full_refresh"),
        resumed_from=fields.optional(fields.text, "resumed_from"),
        exit_code=fields.optional(fields.integer, "exit_code"),
        models={name: model_from_json(entry) for name, entry in fields.members("models")},
        tests={name: tests.choice(name, _TEST_OUTCOMES) for name in fields.names("tests")},
    )


def model_from_json(fields: Fields) -> ModelRecord:
    """One entry of a manifest's ``models``."""
    counts = {name: fields.optional(fields.integer, name) for name in _COUNTS}
    error = fields.optional(fields.object, "error")
    reason = fields.optional(lambda key: fields.choice(key, _SKIP_REASONS), "skip_reason")
    return ModelRecord(
        outcome=fields.choice("outcome", _OUTCOMES),
        strategy=fields.choice("strategy", _STRATEGIES),
        duration_ms=fields.integer("duration_ms"),
        definition_hash=fields.optional(fields.text, "definition_hash"),
        retry_count=fields.integer("retry_count"),
        time_range=_range_from_json(fields, "time_range"),
        error=None if error is None else ErrorRecord(error.text("code"), error.text("message")),
        skip_reason=reason,
        **counts,
    )


def _range_from_json(fields: Fields, key: str) -> tuple[str, str] | None:
    found = fields.optional(fields.object, key)
    if found is None:
        return None
    found.interval()
    return found.text("start"), found.text("end")


def report_of(manifest: Manifest) -> Report:
    """The report of a manifest, from nothing else."""
    records = manifest.models.values()
    return Report(
        run_id=manifest.run_id,
        sequence=manifest.sequence,
        command=manifest.command,
        target=manifest.target,
        started_at=manifest.started_at,
        completed_at=manifest.completed_at,
        status=manifest.status,
        duration_ms=sum(record.duration_ms for record in records),
        outcome_counts=_tally(_OUTCOMES, (record.outcome for record in records)),
        test_counts=_tally(_TEST_OUTCOMES, manifest.tests.values()),
        failures=tuple(
            FailureRecord(name, record.error, record.retry_count)
            for name, record in manifest.models.items()
            if record.outcome == "failed" and record.error is not None
        ),
    )


def _tally(names: Iterable[str], found: Iterable[str]) -> dict[str, int]:
    counts = Counter(found)
    return {name: counts[name] for name in names}


def report_to_json(report: Report) -> JsonObject:
    """What ``reports/<run_id>.json`` holds."""
    return {
        "run_id": report.run_id,
        "sequence": report.sequence,
        "command": report.command,
        "target": report.target,
        "started_at": report.started_at,
        "completed_at": report.completed_at,
        "status": report.status,
        "duration_ms": report.duration_ms,
        "outcome_counts": dict(report.outcome_counts),
        "test_counts": dict(report.test_counts),
        "failures": [
            {"model": failure.model, "error": _error_to_json(failure.error), "retry_count": failure.retry_count}
            for failure in report.failures
        ],
    }


def schema_to_json(record: SchemaRecord) -> JsonObject:
    """What ``schemas/<model>.json`` holds."""
    return {
        "version": SCHEMA_VERSION,
        "deployed_at": record.deployed_at,
        "definition_hash": record.definition_hash,
        "definition": record.definition,
        "grain": record.grain,
        "columns": [{"name": c.name, "type": c.type, "nullable": c.nullable} for c in record.columns],
        "partition_column": record.partition_column,
    }


def schema_from_json(document: object) -> SchemaRecord:
    """The schema record that a document holds."""
    fields = Fields(document)
    return SchemaRecord(
        deployed_at=fields.text("deployed_at"),
        definition_hash=fields.optional(fields.text, "definition_hash"),
        definition=fields.optional(fields.text, "definition"),
        grain=fields.optional(fields.text, "grain"),
        columns=tuple(
            SchemaColumn(column.text("name"), column.text("type"), column.flag("nullable"))
            for column in fields.items("columns")
        ),
        partition_column=fields.optional(fields.text, "partition_column"),
    )


def version_of(document: Mapping[str, object], key: str) -> int:
    """The version number under ``key``; it must be one."""
    version = Fields(document).integer(key)
    if version < 1:
        raise MalformedDocument(key, f"expected a version from 1 on, found {version}")
    return version
