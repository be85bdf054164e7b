"""Readers beside a writer: whatever a run does meanwhile, each look finds whole files of runs that were."""

from collections.abc import Callable
from pathlib import Path

from smelt.state.codec import report_of
from smelt.state.mirror import covered, deployed_schema
from smelt.state.past import past_runs
from smelt.state.store import reading
from tests.state.children import start
from tests.state.test_legacy import OLD as LEGACY
from tests.state.test_legacy import assert_readable, put

RUNS = 25
WRITE = """
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from smelt.project.model import Granularity
from smelt.state.clock import SystemClock
from smelt.state.journal import Journal
from smelt.state.records import Landed, ModelRecord, SchemaColumn, SchemaRecord
from smelt.state.store import locked, next_run_id
from smelt.text.intervals import Interval
from tests.state.test_journal import MANIFEST

clock, first = SystemClock(), datetime(2025, 1, 1)
print("ready", flush=True)
for number in range(1, int(sys.argv[2]) + 1):
    with locked(Path(sys.argv[1]), "dev", "intervals", "smelt run", clock, 0, default_target="dev") as files:
        run_id = next_run_id(files, clock)
        journal = Journal(files, replace(MANIFEST, run_id=run_id.text, sequence=run_id.sequence), ("a",), clock)
        journal.flush()
        covers = Interval(first, first + timedelta(days=number))
        journal.cover("a", Granularity.DAY, (covers,))
        journal.land("sources.s", Granularity.DAY, (Landed(covers, number),))
        columns = tuple(SchemaColumn(f"c{at}", "INTEGER") for at in range(number))
        journal.deploy("a", SchemaRecord("2025-01-01T00:00:00.000Z", str(number), None, None, columns))
        journal.model_ended("a", ModelRecord(outcome="success", row_count=number))
        journal.finish("completed", 0)
"""
MIGRATE = """
import sys
from pathlib import Path
from smelt.state.clock import SystemClock
from smelt.state.store import locked
print("ready", flush=True)
with locked(Path(sys.argv[1]), "prod", "intervals", "smelt run", SystemClock(), 0, default_target="dev"):
    pass
"""


def beside(script: str, root: Path, look: Callable[[], None], *arguments: object) -> None:
    """Look again and again until the writer has done all it has to do, and once more."""
    child = start(script, root, *arguments)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        while child.poll() is None:
            look()
        assert child.returncode == 0
        look()
    finally:
        child.kill()
        child.communicate()


def test_each_look_finds_whole_files_and_never_an_older_one(tmp_path: Path) -> None:
    seen: list[tuple[int, int, int]] = [(0, 0, 0)]

    def look() -> None:
        files = reading(tmp_path, "dev", default_target="dev")
        schema = deployed_schema(files, "a")
        ranges = covered(files).get("a", ())
        days = sum((one.end - one.start).days for one in ranges)
        runs = past_runs(files, None, 3)
        for run in runs:
            assert report_of(run).outcome_counts["failed"] == 0
            assert run.status == "running" or run.models["a"].row_count == run.sequence
        found = (0 if schema is None else len(schema.columns), days, runs[0].sequence if runs else 0)
        assert all(old <= new for old, new in zip(seen[-1], found, strict=True))
        seen.append(found)

    beside(WRITE, tmp_path, look, RUNS)
    assert seen[-1] == (RUNS, RUNS, RUNS)


def test_files_from_before_versions_are_found_while_they_are_moved(tmp_path: Path) -> None:
    for name, document in LEGACY.items():
        put(tmp_path, name, document)
    beside(MIGRATE, tmp_path, lambda: assert_readable(tmp_path))
