"""The published JSON Schemas of the files under ``.smelt/``, from the same words that the codec reads. Pure.

Fields that a schema does not name are allowed: a later smelt may have put them there, and a rewrite keeps them.
"""

from collections.abc import Mapping
from typing import get_args

from smelt.state.records import Outcome, SkipReason, Strategy, TestOutcome

Json = dict[str, object]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES: Mapping[str, str] = {
    "meta": "meta.json",
    "manifest": "targets/<target>/runs/<run_id>.json",
    "report": "targets/<target>/reports/<run_id>.json",
    "intervals": "targets/<target>/intervals.json",
    "landed_deltas": "targets/<target>/landed_deltas.json",
    "schema": "targets/<target>/schemas/<model>.json",
}
"""The kinds of files, each with its path below ``.smelt``."""
_TEXT: Json = {"type": "string"}
_COUNT: Json = {"type": "integer", "minimum": 0}
_FLAG: Json = {"type": "boolean"}
_RUN_ID: Json = {"type": "string", "pattern": r"^\d{8}-\d{6}-[0-9a-f]{6,}$"}
_INSTANT: Json = {"type": "string", "pattern": r"^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"}
_END: Json = {"type": "string", "pattern": r"^\d{4,}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{6})?)?$"}
_STATUS: Json = {"enum": ["running", "completed", "cancelled"]}
_RANGE = {"start": _END, "end": _END}


def state_schema() -> Json:
    """One schema for every file under ``.smelt/``; ``$defs`` has that of each kind."""
    kinds = {
        "meta": _object({"state_version": {"type": "integer", "minimum": 1}}),
        "manifest": _manifest(),
        "report": _report(),
        "intervals": _table("models", _object(_RANGE)),
        "landed_deltas": _table("sources", _object({**_RANGE, "rows": _COUNT})),
        "schema": _schema(),
    }
    described = {
        kind: {"title": kind, "description": f".smelt/{FILES[kind]}", **schema} for kind, schema in kinds.items()
    }
    return {
        "$schema": DIALECT,
        "title": "smelt state",
        "description": "A file under .smelt/",
        "anyOf": [{"$ref": f"#/$defs/{kind}"} for kind in kinds],
        "$defs": described,
    }


def _manifest() -> Json:
    return _object(
        {
            **_run(),
            "smelt_version": _TEXT,
            "selection": _list(_TEXT),
            "window": _or_null(_object(_RANGE)),
            "full_refresh": _FLAG,
            "resumed_from": _or_null(_RUN_ID),
            "models": {"type": "object", "additionalProperties": _model()},
            "tests": {"type": "object", "additionalProperties": {"enum": list(get_args(TestOutcome))}},
        },
        {"exit_code": _or_null(_COUNT)},
    )


def _run() -> Json:
    """What manifest and report both begin with."""
    return {
        "run_id": _RUN_ID,
        "sequence": {"type": "integer", "minimum": 1},
        "command": _TEXT,
        "target": _TEXT,
        "started_at": _INSTANT,
        "completed_at": _or_null(_INSTANT),
        "status": _STATUS,
    }


def _model() -> Json:
    counts = ("row_count", "rows_inserted", "rows_patched", "tombstones", "re_presented")
    entry = _object(
        {
            "outcome": {"enum": list(get_args(Outcome))},
            "strategy": {"enum": list(get_args(Strategy))},
            "duration_ms": _COUNT,
            "definition_hash": _or_null(_TEXT),
            "retry_count": _COUNT,
            "time_range": _or_null(_object(_RANGE)),
            **{name: _or_null(_COUNT) for name in counts},
        },
        {"error": _error(), "skip_reason": {"enum": list(get_args(SkipReason))}},
    )
    return {**entry, "allOf": [_only("failed", "error"), _only("skipped", "skip_reason")]}


def _only(outcome: str, field: str) -> Json:
    """The field is there for this outcome, and for no other."""
    return {
        "if": {"properties": {"outcome": {"const": outcome}}},
        "then": {"required": [field]},
        "else": {"properties": {field: False}},
    }


def _report() -> Json:
    failure = _object({"model": _TEXT, "error": _error(), "retry_count": _COUNT})
    return _object(
        {
            **_run(),
            "duration_ms": _COUNT,
            "outcome_counts": _object(dict.fromkeys(get_args(Outcome), _COUNT)),
            "failures": _list(failure),
        },
        {"test_counts": _object(dict.fromkeys(get_args(TestOutcome), _COUNT))},
    )


def _schema() -> Json:
    column = _object({"name": _TEXT, "type": _TEXT, "nullable": _FLAG})
    return _object(
        {
            "version": {"const": 1},
            "deployed_at": _INSTANT,
            "definition_hash": _or_null(_TEXT),
            "definition": _or_null(_TEXT),
            "grain": _or_null(_TEXT),
            "columns": _list(column),
            "partition_column": _or_null(_TEXT),
        }
    )


def _error() -> Json:
    return _object({"code": _TEXT, "message": _TEXT})


def _table(key: str, entry: Json) -> Json:
    """A versioned file that has a list of entries for each name."""
    return _object({"version": {"const": 1}, key: {"type": "object", "additionalProperties": _list(entry)}})


def _object(required: Mapping[str, object], optional: Mapping[str, object] | None = None) -> Json:
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": sorted(required)}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}
