"""The records under ``.smelt/``, as frozen values. Field names are those on disk."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from smelt.text.intervals import Interval

Outcome = Literal["success", "failed", "skipped"]
Strategy = Literal[
    "view", "table", "seed", "succession-build", "succession-patch", "partition-replace", "key-merge", "none"
]
SkipReason = Literal["upstream_failed", "resumed", "cancelled", "not_reached"]
TestOutcome = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class ErrorRecord:
    """Why a model failed: a diagnostic code and its message."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What a run did with one model.

    Counts are logical rows; ``row_count`` is the table's afterwards, null for a view.
    """

    outcome: Outcome
    strategy: Strategy = "none"
    row_count: int | None = None
    duration_ms: int = 0
    definition_hash: str | None = None
    retry_count: int = 0
    time_range: tuple[str, str] | None = None
    rows_inserted: int | None = None
    rows_patched: int | None = None
    tombstones: int | None = None
    re_presented: int | None = None
    error: ErrorRecord | None = None
    skip_reason: SkipReason | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """One execution: ``runs/<run_id>.json``. Times are ISO 8601 UTC; ``completed_at`` is null until an orderly end.

    ``exit_code`` is what the process ended with, failed tests included; null until an orderly end.
    """

    run_id: str
    sequence: int
    command: str
    smelt_version: str
    started_at: str
    target: str
    selection: tuple[str, ...]
    completed_at: str | None = None
    status: Literal["running", "completed", "cancelled"] = "running"
    window: tuple[str, str] | None = None
    full_refresh: bool = False
    resumed_from: str | None = None
    exit_code: int | None = None
    models: Mapping[str, ModelRecord] = field(default_factory=dict)
    tests: Mapping[str, TestOutcome] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FailureRecord:
    """A failed model as a report lists it."""

    model: str
    error: ErrorRecord
    retry_count: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """A manifest summed up: ``reports/<run_id>.json``.

    ``duration_ms`` is the sum over the models, so it is right for a run that was killed and when the wall
    clock jumped. Failed tests are counted in ``test_counts``.
    """

    run_id: str
    sequence: int
    command: str
    target: str
    started_at: str
    completed_at: str | None
    status: Literal["running", "completed", "cancelled"]
    duration_ms: int
    outcome_counts: Mapping[str, int]
    test_counts: Mapping[str, int]
    failures: tuple[FailureRecord, ...]


@dataclass(frozen=True, slots=True)
class Landed:
    """A partition of a source that some run counted: raw rows, before any filter."""

    interval: Interval
    rows: int


@dataclass(frozen=True, slots=True)
class SchemaColumn:
    """A column of a deployed table, typed as the warehouse prints it."""

    name: str
    type: str
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class SchemaRecord:
    """What a model's relation looks like since its last successful write: ``schemas/<model>.json``.

    ``definition`` is the canonical definition's JSON text, as the table of record holds it.
    """

    deployed_at: str
    definition_hash: str | None
    definition: str | None
    grain: str | None
    columns: tuple[SchemaColumn, ...]
    partition_column: str | None = None
