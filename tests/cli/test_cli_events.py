"""``--log-format json``: a line of JSON for each event, and their published schema."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from smelt.engines.model import Failure
from smelt.run.events import events_schema, retrying, stamped
from smelt.run.model import Retry
from tests.cli.shell import Shell

Event = dict[str, Any]


def events_of(printed: str) -> list[Event]:
    """The events, each of which the schema must admit, as exactly one kind."""
    found = [json.loads(line) for line in printed.splitlines()]
    validator = jsonschema.Draft202012Validator(events_schema())
    for event in found:
        validator.validate(event)
    return found


def test_a_run_as_events(shell: Shell) -> None:
    said = shell("run", "--log-format", "json")
    found = events_of(said.out)
    assert (said.code, said.err) == (0, "")
    names = [event["event"] for event in found]
    assert (names[0], names[-1]) == ("run_started", "run_ended")
    models = ["customer_history", "current_customers"]
    assert [event["model"] for event in found if event["event"] == "model_started"] == models
    ended = {str(event["model"]): event["result"] for event in found if event["event"] == "model_ended"}
    [manifest] = shell.manifests()
    assert ended == manifest["models"]
    assert {event["run_id"] for event in found} == {manifest["run_id"]}
    assert found[0]["selection"] == manifest["selection"]
    assert found[-1]["exit_code"] == 0
    assert found[-1]["outcome_counts"] == {"success": 2, "failed": 0, "skipped": 0}
    [notice] = [event for event in found if event["event"] == "notice"]
    assert notice["model"] == "customer_history"
    assert "first run" in str(notice["text"])


def test_failures_have_their_findings(shell: Shell) -> None:
    shell.edit("models/customer_history.sql", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    said = shell("build", "--log-format", "json")
    found = events_of(said.out)
    assert (said.code, said.err) == (1, "")
    ended = {str(event.get("model")): event for event in found if event["event"] == "model_ended"}
    failed, skipped = ended["customer_history"], ended["current_customers"]
    [finding] = failed["diagnostics"]
    assert finding["code"] == "SuccessionDeleteFilterMisplaced"
    assert failed["result"]["error"]["code"] == "SuccessionDeleteFilterMisplaced"
    assert skipped["result"]["skip_reason"] == "upstream_failed"
    assert found[-1]["exit_code"] == 1
    for event in found:
        if event["event"] == "test_ended":
            assert event["outcome"] in ("success", "skipped")


def test_a_command_that_stops_says_so_as_an_event(shell: Shell) -> None:
    said = shell("run", "--resume", "--log-format", "json")
    [event] = events_of(said.out)
    assert (said.code, event["event"], event["exit_code"], event["run_id"]) == (2, "stopped", 2, None)
    assert event["error"]["code"] == "NothingToResume"
    assert said.err.startswith("error[NothingToResume]: ")


@pytest.mark.parametrize("other", ["--json", "--dry-run"])
def test_stdout_holds_one_thing(shell: Shell, other: str) -> None:
    said = shell("run", "--log-format", "json", other)
    assert (said.code, "run_started" in said.out) == (2, False)
    assert said.err.startswith(f"error: --log-format json and {other} both print on stdout")


def test_the_schema_is_published(tmp_path: Path) -> None:
    said = Shell(tmp_path)("schema", "events")
    schema = json.loads(said.out)
    assert (said.code, schema) == (0, events_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    kinds = [kind["properties"]["event"]["const"] for kind in schema["oneOf"]]
    assert sorted(kinds) == sorted(set(kinds))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"event": "run_ended", "time": "2025-01-01T00:00:00.000Z", "run_id": None}, schema)


def test_a_retry_is_an_event_too() -> None:
    retry = Retry("a", Failure("Torn", "the line broke", transient=True), 1, 3, 0.5)
    event = stamped(retrying(retry), datetime(2025, 1, 1, tzinfo=UTC), "20250101-000000-000001")
    [found] = events_of(json.dumps(event))
    assert found == {
        "event": "retry",
        "time": "2025-01-01T00:00:00.000Z",
        "run_id": "20250101-000000-000001",
        "name": "a",
        "number": 1,
        "of": 3,
        "pause_seconds": 0.5,
        "error": {"code": "Torn", "message": "the line broke"},
    }
