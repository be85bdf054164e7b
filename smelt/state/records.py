"""The records under ``.smelt/``, as frozen values. Field names are those on disk."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal["success", "failed", "skipped"]
Strategy = Literal[
    "view", "table", "seed", "succession-build", "succession-patch", "partition-replace", "key-merge", "none"
]
SkipReason = Literal["upstream_failed", "resumed", "cancelled", "not_reached"]


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
    """One execution: ``runs/<run_id>.json``. Times are ISO 8601 UTC; ``completed_at`` is null until an orderly end."""

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
    models: Mapping[str, ModelRecord] = field(default_factory=dict)
    tests: Mapping[str, Literal["passed", "failed", "skipped"]] = field(default_factory=dict)
