"""A run's progress as one JSON object for each event, and the schema of these objects. Pure."""

from collections.abc import Mapping
from datetime import datetime
from typing import get_args

from smelt.engines.model import Failure
from smelt.run.model import Begun, Ended, Retry, RunSummary
from smelt.state.codec import instant, manifest_to_json, model_to_json, report_of
from smelt.state.records import Outcome
from smelt.state.schemas import DIALECT, state_schema

Json = dict[str, object]
Event = Json


def run_started(begun: Begun) -> Event:
    """The run begins."""
    manifest = manifest_to_json(begun.manifest)
    told = ("sequence", "command", "target", "selection", "window", "full_refresh", "resumed_from", "smelt_version")
    return {"event": "run_started", **{name: manifest[name] for name in told}, "tests": list(begun.tests)}


def model_started(name: str) -> Event:
    """A seed or model begins."""
    return {"event": "model_started", "model": name}


def model_ended(ended: Ended, diagnostics: list[Json]) -> Event:
    """A seed or model ended; ``result`` is its entry in the manifest."""
    return {
        "event": "model_ended",
        "model": ended.name,
        "result": model_to_json(ended.record),
        "diagnostics": diagnostics,
        "help": ended.failure.help if ended.failure is not None else "",
    }


def test_ended(ended: Ended, diagnostics: list[Json]) -> Event:
    """A column test ended."""
    return {
        "event": "test_ended",
        "test": ended.name,
        "outcome": ended.record.outcome,
        "duration_ms": ended.record.duration_ms,
        "error": _error(ended.failure),
        "diagnostics": diagnostics,
    }


def retrying(retry: Retry) -> Event:
    """A step is tried again after a pause."""
    return {
        "event": "retry",
        "name": retry.name,
        "number": retry.number,
        "of": retry.of,
        "pause_seconds": retry.pause,
        "error": _error(retry.failure),
    }


def notice(text: str, about: str | None) -> Event:
    """Something that a person should see; ``model`` is null if it is about the run."""
    return {"event": "notice", "text": text, "model": about}


def warnings(diagnostics: list[Json]) -> Event:
    """Advice about the models that will be run."""
    return {"event": "warnings", "diagnostics": diagnostics}


def run_ended(summary: RunSummary) -> Event:
    """The run ended in an orderly way."""
    report = report_of(summary.manifest)
    return {
        "event": "run_ended",
        "status": report.status,
        "exit_code": summary.exit_code,
        "outcome_counts": dict(report.outcome_counts),
        "test_counts": dict(report.test_counts),
    }


def stopped(exit_code: int, error: Json | None, diagnostics: list[Json]) -> Event:
    """There is no run, or no end of it: the command stopped."""
    return {"event": "stopped", "exit_code": exit_code, "error": error, "diagnostics": diagnostics}


def stamped(event: Event, at: datetime, run_id: str | None) -> Event:
    """The event as it is printed: with its time (UTC) and its run, if that has begun."""
    return {"event": event["event"], "time": instant(at), "run_id": run_id, **event}


def _error(failure: Failure | None) -> Json | None:
    return None if failure is None else {"code": failure.code, "message": failure.message}


_TEXT: Json = {"type": "string"}
_NAMES: Json = {"type": "array", "items": _TEXT}
_COUNT: Json = {"type": "integer", "minimum": 0}
_FINDINGS: Json = {
    "type": "array",
    "items": {"type": "object"},
    "description": "As `smelt check --format json` has them.",
}


def events_schema() -> Json:
    """The JSON Schema of one line of ``--log-format json``."""
    manifest = _at(state_schema(), "$defs", "manifest", "properties")
    error: Json = {"anyOf": [_at(manifest, "models", "additionalProperties", "properties", "error"), {"type": "null"}]}
    counts: Json = {"type": "object", "additionalProperties": _COUNT}
    kinds: Mapping[str, Json] = {
        "run_started": {
            **{name: manifest[name] for name in ("sequence", "command", "target", "selection", "window")},
            **{name: manifest[name] for name in ("full_refresh", "resumed_from", "smelt_version")},
            "tests": _NAMES,
        },
        "model_started": {"model": _TEXT},
        "model_ended": {
            "model": _TEXT,
            "result": _at(manifest, "models", "additionalProperties"),
            "diagnostics": _FINDINGS,
            "help": _TEXT,
        },
        "test_ended": {
            "test": _TEXT,
            "outcome": {"enum": list(get_args(Outcome))},
            "duration_ms": _COUNT,
            "error": error,
            "diagnostics": _FINDINGS,
        },
        "retry": {"name": _TEXT, "number": _COUNT, "of": _COUNT, "pause_seconds": {"type": "number"}, "error": error},
        "notice": {"text": _TEXT, "model": {"type": ["string", "null"]}},
        "warnings": {"diagnostics": _FINDINGS},
        "run_ended": {
            "status": {"enum": ["completed", "cancelled"]},
            "exit_code": _COUNT,
            "outcome_counts": counts,
            "test_counts": counts,
        },
        "stopped": {"exit_code": _COUNT, "error": {"type": ["object", "null"]}, "diagnostics": _FINDINGS},
    }
    return {
        "$schema": DIALECT,
        "title": "smelt event",
        "description": "A line of `smelt run --log-format json`. Later versions may add events and fields.",
        "oneOf": [_kind(name, properties, manifest) for name, properties in kinds.items()],
    }


def _kind(name: str, properties: Json, manifest: Mapping[str, object]) -> Json:
    common: Json = {
        "event": {"const": name},
        "time": manifest["started_at"],
        "run_id": {"anyOf": [manifest["run_id"], {"type": "null"}]},
    }
    found = {**common, **properties}
    return {"type": "object", "title": name, "properties": found, "required": list(found)}


def _at(schema: Mapping[str, object], *path: str) -> Json:
    found: object = schema
    for key in path:
        if not isinstance(found, dict):
            raise KeyError(key)
        found = found[key]
    if not isinstance(found, dict):
        raise KeyError(path)
    return found
