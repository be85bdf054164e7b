"""The table of resumed runs in ``resume/resume.toml``, which says how it is read."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from smelt.run.resume import Asked, NothingToResume, OtherWindow, Resumption, plan_resume
from smelt.state.records import ErrorRecord, Manifest, ModelRecord, SkipReason, TestOutcome

CASES = tomllib.loads(Path(__file__).with_name("resume").joinpath("resume.toml").read_text("utf-8"))["case"]
RUN = re.compile(
    r"(?P<number>\d+)(?P<command> build| seed| repair)?(?P<ended> killed| cancelled)?(?: from (?P<base>\d+))?"
    r"(?: over (?P<over>[\w ]+?))?(?P<full> full)?(?: window (?P<window>\S+))?:(?P<models>[^;]*)"
    r"(?:; tests (?P<tests>.*))?"
)
NOW = re.compile(
    r"(?P<command>run|build)(?P<names>(?: (?!full|window)\w+)*)(?P<full> full)?(?: window (?P<window>\S+))?"
)
REASONS: Mapping[str, SkipReason] = {
    "skipped": "upstream_failed",
    "resumed": "resumed",
    "cancelled": "cancelled",
    "unreached": "not_reached",
}
TESTED: Mapping[str, TestOutcome] = {"passed": "passed", "failed": "failed", "skipped": "skipped"}


def models_of(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, mark and what it reads."""
    for name, mark, reads in re.findall(r"(\w+)([*?]?)(?:\(([^)]*)\))?", text):
        yield name, mark, tuple(re.findall(r"\w+", reads))


def window_of(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    start, end = text.split("..")
    return start, end


def run_id(number: str) -> str:
    return f"20250101-000000-{int(number):06x}"


def record_of(name: str, outcome: str) -> ModelRecord:
    record = ModelRecord("skipped", definition_hash=f"hash of {name}")
    if outcome == "ok":
        return replace(record, outcome="success")
    if outcome == "failed":
        return replace(record, outcome="failed", error=ErrorRecord("Boom", "it broke"))
    return replace(record, skip_reason=REASONS[outcome])


def manifest_of(text: str) -> Manifest:
    found = RUN.fullmatch(text)
    assert found is not None, text
    pairs = [entry.split() for entry in found["models"].split(",") if entry.strip()]
    models = {name: record_of(name, outcome) for name, outcome in pairs}
    tests = [entry.split() for entry in (found["tests"] or "").split(",") if entry.strip()]
    killed = found["ended"] == " killed"
    return Manifest(
        run_id=run_id(found["number"]),
        sequence=int(found["number"]),
        command=(found["command"] or "run").strip(),
        smelt_version="1",
        started_at="2025-01-01T00:00:00.000Z",
        target="dev",
        selection=tuple((found["over"] or " ".join(models)).split()),
        completed_at=None if killed else "2025-01-01T00:01:00.000Z",
        status="running" if killed else "cancelled" if found["ended"] else "completed",
        window=window_of(found["window"]),
        full_refresh=found["full"] is not None,
        resumed_from=None if found["base"] is None else run_id(found["base"]),
        models=models,
        tests={name: TESTED[outcome] for name, outcome in tests},
    )


def asked_of(now: str, models: str) -> Asked:
    found = NOW.fullmatch(now)
    assert found is not None, now
    declared = list(models_of(models))
    seeds = {name for name, _, _ in declared if name.isupper()}
    built = [name for name, _, _ in declared if found["command"] == "build" or name not in seeds]
    hashes = {"": "hash of {}", "*": "another hash of {}"}
    return Asked(
        command="build" if found["command"] == "build" else "run",
        selection=tuple(found["names"].split() or built),
        hashes={name: hashes[mark].format(name) if mark in hashes else None for name, mark, _ in declared},
        reads={name: reads for name, _, reads in declared if name not in seeds},
        window=window_of(found["window"]),
        full_refresh=found["full"] is not None,
    )


def told(found: Resumption | NothingToResume | OtherWindow) -> str:
    """The decision in the words of the table."""
    if isinstance(found, OtherWindow):
        return "window"
    if isinstance(found, NothingToResume):
        return "nothing" if found.newest is None else f"nothing after {number_of(found.newest)}"
    window = "" if found.window is None else f", window {found.window[0]}..{found.window[1]}"
    skips = "".join(f" {name}" for name in sorted(found.done))
    return f"{number_of(found.base)} skips{skips}{', full' if found.full_refresh else ''}{window}"


def number_of(name: str) -> int:
    return int(name.rpartition("-")[2], 16)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: Mapping[str, object]) -> None:
    past, now, models = case["past"], str(case["now"]), str(case["models"])
    assert isinstance(past, list)
    runs = {run.run_id: run for run in map(manifest_of, past)}
    newest_first = sorted(runs.values(), key=lambda run: -run.sequence)
    assert told(plan_resume(newest_first, lambda run_id: runs.get(run_id), asked_of(now, models))) == case["then"]


def test_no_more_runs_are_read_than_the_answer_takes() -> None:
    read: list[str] = []

    def runs() -> Iterator[Manifest]:
        for text in ("3: b failed", "2: a failed", "1: a failed"):
            read.append(text)
            yield manifest_of(text)

    assert told(plan_resume(runs(), lambda run_id: None, asked_of("run a", "a, b"))) == "2 skips"
    assert read == ["3: b failed", "2: a failed"]
