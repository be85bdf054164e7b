"""What `.smelt/` costs a run: after many runs, with many models; CPU, bytes written, calls of fsync.

    python -m benches.state

Nothing is folded: the runs here only keep their records, as `smelt run` does around its SQL. The last part runs the
real program on a small project, beside few and beside many records of earlier runs.
"""

import argparse
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from benches.measuring import child, machine, spread, table
from smelt.plan.landed import landed
from smelt.plan.windows import Grid
from smelt.project.model import Granularity
from smelt.state.codec import manifest_to_json, report_of, report_to_json
from smelt.state.documents import encode
from smelt.state.journal import Journal
from smelt.state.records import Landed, Manifest, ModelRecord, SchemaColumn, SchemaRecord
from smelt.state.store import locked, next_run_id
from smelt.text.intervals import Interval

FIRST = datetime(1990, 1, 1)
FEW, MANY = 10, 10_000
MODELS = (100, 1_000, 5_000)
GROWTH_BAR = 1.2
MANIFEST_BAR = 0.5


@dataclass(slots=True)
class Written:
    """What a stretch of a program wrote under ``.smelt/``."""

    files: int = 0
    bytes: int = 0
    fsyncs: int = 0


@contextmanager
def counting() -> Iterator[Written]:
    """Count what is made last inside: every file is synced once when it is whole."""
    written, really = Written(), os.fsync

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        written.fsyncs += 1
        if stat.S_ISREG(found.st_mode):
            written.files += 1
            written.bytes += found.st_size
        really(descriptor)

    os.fsync = fsync
    try:
        yield written
    finally:
        os.fsync = really


class SteadyClock:
    """A clock that a simulated run moves on: its models take no time of ours."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        """A moment of its own."""
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        """Seconds of the simulated run."""
        return self.seconds

    def sleep(self, seconds: float) -> None:
        """Move on."""
        self.seconds += seconds


def manifest(run_id: str, sequence: int, models: int) -> Manifest:
    """The manifest of a run that begins."""
    started = "2026-01-01T00:00:00.000Z"
    selection = tuple(f"silver.model_{number}" for number in range(models))
    return Manifest(run_id, sequence, "run", "0.0", started, "dev", selection)


def record(number: int) -> ModelRecord:
    """How a model ended."""
    return ModelRecord(
        outcome="success",
        strategy="succession-patch",
        row_count=1_000_000 + number,
        duration_ms=120,
        definition_hash=f"{number:064x}",
        time_range=("2025-01-01", "2025-01-02"),
        rows_inserted=number,
        rows_patched=1,
        tombstones=0,
        re_presented=0,
    )


def schema(number: int) -> SchemaRecord:
    """What a model's table looks like."""
    columns = tuple(SchemaColumn(f"column_{at}", "VARCHAR") for at in range(12))
    return SchemaRecord("2026-01-01T00:00:00.000Z", f"{number:064x}", "{}" * 300, "succession", columns)


def one_run(root: Path, day: int) -> Written:
    """The records of a run that counts all days up to ``day`` and folds the last one."""
    clock = SteadyClock()
    counts = {FIRST + timedelta(days=at): 1_000 for at in range(day)}
    with counting() as written, locked(root, "dev", "intervals", "smelt run", clock, 0, default_target="dev") as files:
        run_id = next_run_id(files, clock)
        journal = Journal(files, manifest(run_id.text, run_id.sequence, 1), ("silver.model_0",), clock)
        journal.flush()
        journal.cover("silver.model_0", Granularity.DAY, (Interval(FIRST, FIRST + timedelta(days=day)),))
        ranges = landed(counts, Grid(Granularity.DAY))
        journal.land("sources.changes", Granularity.DAY, (Landed(*one) for one in ranges))
        journal.deploy("silver.model_0", schema(0))
        journal.model_ended("silver.model_0", record(0))
        journal.finish("completed", 0)
    return written


def past(root: Path, runs: int) -> None:
    """The files that ``runs`` runs leave, without their syncs."""
    root.mkdir()
    one_run(root, runs)
    folder = root / ".smelt/targets/dev"
    for path in (folder / "runs").iterdir():
        path.unlink()
    for path in (folder / "reports").iterdir():
        path.unlink()
    for sequence in range(1, runs + 1):
        run_id = f"20260101-000000-{sequence:06x}"
        ended = replace(manifest(run_id, sequence, 1), models={"silver.model_0": record(0)}, status="completed")
        (folder / f"runs/{run_id}.json").write_bytes(encode(manifest_to_json(ended)))
        (folder / f"reports/{run_id}.json").write_bytes(encode(report_to_json(report_of(ended))))


def later_runs(folder: Path, rounds: int) -> str:
    """Run number 11 against run number 10,001, taking turns."""
    costs: dict[int, list[float]] = {FEW: [], MANY: []}
    written: dict[int, Written] = {}
    for runs in costs:
        past(folder / str(runs), runs)
    for number in range(rounds):
        for runs, found in costs.items():
            began = time.process_time()
            written[runs] = one_run(folder / str(runs), runs + number + 1)
            found.append((time.process_time() - began) * 1000)
    ratios = [many / few for few, many in zip(costs[FEW], costs[MANY], strict=True)]
    rows = [
        [
            f"run {runs + 1:,}",
            spread(costs[runs]),
            f"{written[runs].bytes:,}",
            str(written[runs].files),
            str(written[runs].fsyncs),
        ]
        for runs in costs
    ]
    grown = written[MANY].bytes / written[FEW].bytes
    bars = f"time {median(ratios):.2f}, bytes {grown:.2f}; bar {GROWTH_BAR}"
    return f"{table(['', 'CPU ms', 'bytes', 'files', 'fsyncs'], rows)}\n\n{bars}"


def many_models(folder: Path, rounds: int) -> str:
    """One run of many models, each of which takes some time of the simulated clock."""
    rows = []
    for models in MODELS:
        for seconds in (0.003, 0.1):
            costs, written = [], Written()
            for number in range(rounds):
                root = folder / f"{models}-{seconds}-{number}"
                cpu, written = _whole_run(root, models, seconds)
                costs.append(cpu)
                shutil.rmtree(root)
            bar = f"≤ {MANIFEST_BAR} s" if models == 1_000 else ""
            rows.append(
                [f"{models:,}", f"{seconds * 1000:g}", spread(costs), f"{written.bytes:,}", str(written.fsyncs), bar]
            )
    return table(["models", "ms each", "CPU s", "bytes", "fsyncs", "bar"], rows)


def _whole_run(root: Path, models: int, seconds: float) -> tuple[float, Written]:
    """CPU seconds that the journal takes, schemas left out: those are written once for each new model."""
    clock = SteadyClock()
    root.mkdir(parents=True)
    records = [record(number) for number in range(models)]
    with counting() as written, locked(root, "dev", "intervals", "smelt run", clock, 0, default_target="dev") as files:
        began = time.process_time()
        journal = Journal(files, manifest("20260101-000000-000001", 1, models), (), clock)
        journal.flush()
        for number, one in enumerate(records):
            clock.sleep(seconds)
            journal.model_ended(f"silver.model_{number}", one)
        journal.finish("completed", 0)
        return time.process_time() - began, written


def listing(folder: Path, rounds: int) -> str:
    """Finding the highest run number among the manifests."""
    clock = SteadyClock()
    found = []
    with locked(folder / str(MANY), "dev", "intervals", "smelt run", clock, 0, default_target="dev") as files:
        for _ in range(rounds):
            began = time.process_time()
            next_run_id(files, clock)
            found.append((time.process_time() - began) * 1000)
    return f"the next number after {MANY:,} manifests, none of them read: {spread(found)} ms CPU"


def whole_process(folder: Path, rounds: int) -> str:
    """`smelt run` with nothing to do, beside few and beside many records of earlier runs."""
    costs: dict[int, list[float]] = {FEW: [], MANY: []}
    smelt = [sys.executable, "-m", "smelt"]
    for runs in costs:
        root = folder / f"project-{runs}"
        child([*smelt, "init", str(root)], folder)
        child([*smelt, "run"], root)
        records = root / ".smelt/targets/dev"
        for kind in ("runs", "reports"):
            [kept] = (records / kind).iterdir()
            for sequence in range(2, runs + 1):
                os.link(kept, records / kind / f"20260101-000000-{sequence:06x}.json")
    for _ in range(rounds):
        for runs, found in costs.items():
            found.append(child([*smelt, "run"], folder / f"project-{runs}").cpu)
    ratio = median([many / few for few, many in zip(costs[FEW], costs[MANY], strict=True)])
    found = f"{spread(costs[FEW])} s after {FEW} runs, {spread(costs[MANY])} s after {MANY:,}"
    return f"`smelt run`, nothing new: {found}; {ratio:.2f}, bar {GROWTH_BAR}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What `.smelt/` costs a run.")
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    parts: tuple[Callable[[Path, int], str], ...] = (later_runs, listing, many_models, whole_process)
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            print(f"\n{part(Path(folder), rounds)}", flush=True)


if __name__ == "__main__":
    main()
