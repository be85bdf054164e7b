"""Several models at once: what runs when, and that nothing tells how many there were."""

import json
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from smelt.engines.model import Built, Failure, WarehouseError
from smelt.project.model import ColumnTest
from smelt.run.model import Begun, Ended
from smelt.run.ordering import InOrder
from smelt.run.progress import Progress
from smelt.run.readiness import Readiness
from smelt.state.files import TargetFiles
from smelt.state.journal import Journal
from smelt.state.records import Manifest, ModelRecord
from tests.run.bench import DIAMOND, Bench, outcomes
from tests.run.projects import TABLE, Listening, ModelSpec, address, building, failing
from tests.state.clocks import FakeClock

LONG = 30.0
UNIQUE = ColumnTest("unique", "id")


def meeting(parties: int) -> Callable[[], Built]:
    """A build that ends only when so many of them run at once."""
    barrier = threading.Barrier(parties)

    def build() -> Built:
        barrier.wait(LONG)
        return TABLE

    return build


def build_table() -> Built:
    return TABLE


def after(event: threading.Event, then: Callable[[], Built] = build_table) -> Callable[[], Built]:
    def build() -> Built:
        assert event.wait(LONG)
        return then()

    return build


def ending(event: threading.Event, then: Callable[[], Built] = build_table) -> Callable[[], Built]:
    def build() -> Built:
        try:
            return then()
        finally:
            event.set()

    return build


def test_independent_models_run_at_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    together = meeting(2)
    bench.script(b=together, c=together)
    assert set(outcomes(bench.run(jobs=2)).values()) == {"success"}
    assert bench.warehouse.calls.index("a") < bench.warehouse.calls.index("b")
    assert bench.warehouse.calls[-1] == "d" or bench.warehouse.calls.index("d") > bench.warehouse.calls.index("c")


def test_seeds_come_first_and_tests_last_each_side_by_side(tmp_path: Path) -> None:
    specs = {name: ModelSpec(reads=("s", "t"), tests=(UNIQUE,)) for name in ("a", "b")}
    bench = Bench(tmp_path, specs, seeds=("s", "t"))
    seeds, models, tests = meeting(2), meeting(2), threading.Barrier(2)
    bench.script(s=seeds, t=seeds, a=models, b=models)

    def rows(sql: str) -> tuple[int, tuple[tuple[object, ...], ...]]:
        tests.wait(LONG)
        return 0, ()

    bench.warehouse.rows = rows
    summary = bench.run(command="build", jobs=2)
    assert summary.exit_code == 0
    assert {*bench.warehouse.calls[:2]} == {"s", "t"}


def test_what_a_run_tells_does_not_depend_on_its_jobs(tmp_path: Path) -> None:
    """Whatever ends first: summary, manifest, report and lines are those of one model after the other."""
    specs = {
        "a": ModelSpec(),
        "b": ModelSpec(reads=("a",)),
        "c": ModelSpec(reads=("a",)),
        "d": ModelSpec(reads=("b", "c")),
        "e": ModelSpec(reads=("d",)),
        **{f"x{number}": ModelSpec(tests=(UNIQUE,)) for number in range(6)},
    }
    told = []
    for jobs in (1, 2, 8):
        (tmp_path / str(jobs)).mkdir()
        bench = Bench(tmp_path / str(jobs), specs)
        events = [threading.Event() for _ in range(7)]
        scripts = {"c": failing("Boom"), "x1": failing("Bang"), "x5": failing("Crash")}
        if jobs == 8:  # the later ones end first
            events[6].set()
            for number in range(6):
                build = scripts.get(f"x{number}", building(replace(TABLE, notices=(f"notice {number}",))))
                scripts[f"x{number}"] = after(events[number + 1], ending(events[number], build))
            scripts["a"] = after(events[2])
        else:
            for number in (0, 2, 3, 4):
                scripts[f"x{number}"] = building(replace(TABLE, notices=(f"notice {number}",)))
        bench.script(**scripts)
        lines = Listening()
        bench.listener = InOrder(lines)
        summary = bench.run(jobs=jobs)
        [manifest] = bench.runs()
        report = bench.file(f"reports/{manifest['run_id']}.json")
        told.append((summary.ended, summary.notices, list(summary.manifest.models), manifest, report, lines.heard))
    assert told[0][:5] == told[1][:5]
    for other in told[1:]:
        assert other == told[0]
    ends = [line.removeprefix("end ") for line in told[0][5] if line.startswith("end ")]
    assert ends == told[0][3]["selection"]
    failures = told[0][4]["failures"]
    assert isinstance(failures, list)
    assert [failure["model"] for failure in failures] == [name for name in ends if name in ("c", "x1", "x5")]


def test_a_failure_leaves_independent_branches_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    failed = threading.Event()
    bench.script(b=ending(failed, failing()), c=after(failed), x=after(failed))
    summary = bench.run(jobs=3)
    assert outcomes(summary) == {"a": "success", "b": "Boom", "c": "success", "d": "upstream_failed", "x": "success"}


def test_fail_fast_lets_what_runs_end_and_begins_no_more(tmp_path: Path) -> None:
    specs = {name: ModelSpec() for name in ("a", "b", "y", "z")}
    bench = Bench(tmp_path, specs)
    order = [str(one) for one in bench.project.order]
    failed = threading.Event()
    bench.script(**{order[0]: ending(failed, failing()), order[1]: after(failed)})
    summary = bench.run(jobs=2, fail_fast=True)
    assert [outcomes(summary)[name] for name in order[:2]] == ["Boom", "success"]
    assert set(order[2:]) <= {name for name, outcome in outcomes(summary).items() if outcome == "not_reached"}


def test_what_is_no_failure_of_a_model_ends_the_run_when_the_others_have_stopped(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(), "b": ModelSpec()})
    stopped, running = threading.Event(), threading.Event()

    def broken() -> Built:
        assert running.wait(LONG)
        raise ZeroDivisionError("a fault of smelt itself")

    def long() -> Built:
        running.set()
        while not bench.warehouse.interrupts:
            stopped.wait(0.01)
        stopped.set()
        raise WarehouseError(Failure("WarehouseInterrupted", "interrupted"))

    bench.script(a=broken, b=long)
    with pytest.raises(ZeroDivisionError):
        bench.run(jobs=2)
    assert stopped.is_set()
    assert bench.warehouse.closed == 2
    assert bench.runs()[0]["completed_at"] is None


def test_a_target_of_one_connection_says_so(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    bench.warehouse.single = True
    summary = bench.run(jobs=4)
    assert summary.notices == ("one job at a time, for a target of one connection: the test says so",)
    assert (summary.exit_code, bench.warehouse.closed) == (0, 1)


def test_no_more_connections_are_made_than_there_is_to_do(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(), "b": ModelSpec()})
    bench.run(jobs=50)
    assert bench.warehouse.closed == 2


@pytest.mark.parametrize("seed", range(20))
def test_the_first_step_that_may_begin_is_taken(seed: int) -> None:
    chance = random.Random(seed)
    waits_for: Mapping[int, list[int]] = {
        one: sorted(chance.sample(range(one), min(one, chance.randrange(4)))) for one in range(30)
    }
    steps = Readiness(range(30), waits_for.__getitem__)
    running: list[int] = []
    ended: list[int] = []
    while len(ended) < 30:
        one = steps.take() if len(running) < 3 else None
        if one is None:
            ended.append(running.pop(chance.randrange(len(running))))
            steps.ended(ended[-1])
            continue
        assert set(waits_for[one]) <= set(ended)
        earlier = [other for other in range(one) if other not in running and other not in ended]
        assert not any(set(waits_for[other]) <= set(ended) for other in earlier)
        running.append(one)


def test_with_one_at_a_time_the_order_is_kept() -> None:
    steps = Readiness("abcd", {"a": [], "b": ["a"], "c": [], "d": ["b"]}.__getitem__)
    taken = []
    while (one := steps.take()) is not None:
        taken.append(one)
        steps.ended(one)
    assert taken == list("abcd")


def test_what_was_kept_back_is_told_at_the_latest_when_the_run_is_over() -> None:
    listening = Listening()
    lines = InOrder(listening)
    manifest = Manifest("r", 1, "run", "1", "2025", "dev", ("a", "b"))
    lines.started(Begun(manifest))
    lines.model_started("a")
    lines.model_started("b")
    lines.notice("of b", "b")
    lines.notice("of the run", None)
    lines.model_ended(Ended("b", ModelRecord("success")))
    assert listening.heard == ["started a b", "begin a"]
    assert listening.notices == ["of the run"]
    lines.flush()
    assert listening.heard == ["started a b", "begin a", "begin b", "end b"]
    assert listening.notices == ["of the run", "of b"]


def test_a_model_that_is_not_selected_passes_on_what_it_waits_for(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(), "b": ModelSpec(reads=("a",)), "c": ModelSpec(reads=("b",))})
    begun = threading.Event()

    def first() -> Built:
        assert "c" not in bench.warehouse.calls
        begun.set()
        return TABLE

    bench.script(a=first, c=after(begun))
    bench.run(jobs=2, selection=(address("a"), address("c")))
    assert bench.warehouse.calls == ["a", "c"]


def test_all_that_runs_is_told_as_cancelled_when_a_second_signal_ends_the_process(tmp_path: Path) -> None:
    manifest = Manifest(
        "20250101-000000-000001", 1, "run", "1", "2025-01-01T00:00:00.000Z", "dev", ("a", "b", "c", "d")
    )
    journal = Journal(TargetFiles(tmp_path), manifest, (), FakeClock())
    progress = Progress(journal, Listening())
    progress.started(())
    for name in ("a", "b", "c"):
        progress.model_started(name)
    progress.model_ended("b", ModelRecord("success"))
    progress.abandon()
    written = json.loads((tmp_path / "runs/20250101-000000-000001.json").read_text("utf-8"))
    assert (written["status"], sorted(written["models"])) == ("cancelled", ["a", "b", "c"])
    assert [written["models"][name].get("skip_reason") for name in "abc"] == ["cancelled", None, "cancelled"]
