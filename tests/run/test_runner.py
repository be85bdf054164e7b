import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from smelt.engines.model import Built, Failure, LandedPartition, Remembered, WarehouseError
from smelt.project.model import ColumnTest, Frontmatter, Marks, Project, ProjectConfig, Target
from smelt.run.model import RunSummary
from smelt.run.runner import execute
from smelt.state.errors import StateError
from smelt.state.records import ModelRecord
from tests.run.bench import DIAMOND, Bench, outcomes
from tests.run.projects import (
    FakeWarehouse,
    ModelSpec,
    address,
    building,
    days,
    failing,
)
from tests.state.children import run


def test_every_model_comes_after_what_it_reads_and_ends_well(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    summary = bench.run()
    order = bench.warehouse.calls
    assert sorted(order) == ["a", "b", "c", "d", "x"]
    assert order.index("a") < min(order.index("b"), order.index("c"))
    assert order.index("d") > max(order.index("b"), order.index("c"))
    assert summary.exit_code == 0
    assert bench.warehouse.closed == 1
    [manifest] = bench.runs()
    assert manifest["status"] == "completed"
    assert manifest["completed_at"] == "2025-03-01T12:01:03.000Z"
    assert manifest["run_id"] == "20250301-120103-000001"


def test_a_failure_skips_its_descendants_and_nothing_else(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    bench.script(b=failing("Boom"))
    summary = bench.run()
    assert outcomes(summary) == {"a": "success", "b": "Boom", "c": "success", "d": "upstream_failed", "x": "success"}
    assert summary.exit_code == 1


def test_a_failure_reaches_descendants_through_models_that_are_not_selected(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    bench.script(a=failing())
    summary = bench.run(selection=(address("a"), address("d"), address("x")))
    assert outcomes(summary) == {"a": "Boom", "d": "upstream_failed", "x": "success"}
    assert bench.runs()[0]["selection"] == list(summary.manifest.selection)


def test_fail_fast_leaves_the_rest(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(), "b": ModelSpec(reads=("a",)), "z": ModelSpec(reads=("free",))})
    bench.project = replace(bench.project, order=tuple(map(address, ("a", "b", "z"))))
    bench.analysis = replace(bench.analysis, project=bench.project)
    bench.script(a=failing())
    summary = bench.run(fail_fast=True)
    assert outcomes(summary) == {"a": "Boom", "b": "upstream_failed", "z": "not_reached"}
    assert bench.warehouse.calls == ["a"]


def test_a_refused_model_fails_with_its_first_error_and_the_others_run(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"bad": ModelSpec(kind="refused"), "good": ModelSpec()})
    summary = bench.run()
    assert outcomes(summary) == {"bad": "ModelRefusedForTest", "good": "success"}
    failure = next(ended.failure for ended in summary.ended if ended.name == "bad")
    assert failure is not None
    assert failure.diagnostics == bench.analysis.models[address("bad")].diagnostics
    assert bench.warehouse.calls == ["good"]
    assert summary.exit_code == 1


def test_a_model_of_another_target_is_not_built_in_this_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(), "b": ModelSpec()})
    one = bench.analysis.models[address("a")]
    elsewhere = replace(one, model=replace(one.model, frontmatter=Frontmatter(target="archive")))
    bench.analysis = replace(bench.analysis, models={**bench.analysis.models, address("a"): elsewhere})
    summary = bench.run()
    assert outcomes(summary) == {"a": "ModelTargetUnavailable", "b": "success"}
    assert bench.warehouse.calls == ["b"]
    here = replace(one, model=replace(one.model, frontmatter=Frontmatter(target="dev")))
    bench.analysis = replace(bench.analysis, models={**bench.analysis.models, address("a"): here})
    assert bench.run().exit_code == 0


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (failing(approval=True), failing(approval=True), 3),
        (failing(approval=True), failing(), 1),
        (failing(busy=True), failing(busy=True), 4),
        (failing(busy=True), failing(approval=True), 1),
        (failing(approval=True), building(Built("table", 1)), 3),
    ],
)
def test_the_exit_code_is_what_all_failures_share(
    tmp_path: Path, first: Callable[[], Built], second: Callable[[], Built], code: int
) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(), "b": ModelSpec()})
    bench.script(a=first, b=second)
    assert bench.run().exit_code == code


def test_an_empty_selection_is_done(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    summary = bench.run(selection=())
    assert (summary.exit_code, summary.manifest.selection, bench.warehouse.calls) == (0, (), [])


def test_commands_take_their_part_of_the_selection(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(reads=("regions",))}, seeds=("regions",))
    bench.run(command="seed")
    assert bench.warehouse.calls == ["regions"]
    bench.run(command="run")
    assert bench.warehouse.calls == ["regions", "a"]
    bench.run(command="build")
    assert bench.warehouse.calls == ["regions", "a", "regions", "a"]
    assert [run["selection"] for run in bench.runs()] == [["regions"], ["a"], ["regions", "a"]]


def test_a_seed_that_fails_blocks_the_models_that_read_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(reads=("regions",)), "b": ModelSpec()}, seeds=("regions",))
    bench.script(regions=failing("BadCsv"))
    summary = bench.run(command="build")
    assert outcomes(summary) == {"regions": "BadCsv", "a": "upstream_failed", "b": "success"}


def test_tests_run_on_what_was_built(tmp_path: Path) -> None:
    test = ColumnTest("not_null", "id")
    bench = Bench(tmp_path, {name: ModelSpec(tests=(test,)) for name in ("good", "bad", "broken")})
    bench.script(broken=failing())
    bench.warehouse.rows = lambda sql: (2, ((None,), (None,))) if '"bad"' in sql else (0, ())
    summary = bench.run(command="build")
    assert summary.manifest.tests == {
        "good:not_null:id": "passed",
        "bad:not_null:id": "failed",
        "broken:not_null:id": "skipped",
    }
    failure = next(ended.failure for ended in summary.ended if ended.name == "bad:not_null:id")
    assert failure is not None
    assert failure.code == "ColumnTestFailed"
    assert failure.message == "2 rows with no value for `id` in bad"


def test_a_failing_test_alone_is_exit_1(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(tests=(ColumnTest("unique", "id"),))})
    bench.warehouse.rows = lambda sql: (1, ((7,),))
    summary = bench.run(command="build")
    assert summary.exit_code == 1
    assert bench.runs()[0]["tests"] == {"a:unique:id": "failed"}
    assert (bench.runs()[0]["status"], bench.runs()[0]["exit_code"]) == ("completed", 1)
    assert bench.run(command="run").exit_code == 0


def test_a_test_whose_query_fails_is_a_failure(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(tests=(ColumnTest("unique", "id"),))})

    def broken(sql: str) -> tuple[int, tuple[tuple[object, ...], ...]]:
        raise WarehouseError(Failure("NoSuchColumn", "no id"))

    bench.warehouse.rows = broken
    summary = bench.run(command="build")
    assert summary.manifest.tests == {"a:unique:id": "failed"}
    assert summary.exit_code == 1


SUCCESSION = {"history": ModelSpec(kind="succession")}


def test_a_fold_is_asked_and_mirrored(tmp_path: Path) -> None:
    bench = Bench(tmp_path, SUCCESSION)
    built = Built(
        strategy="succession-patch",
        row_count=9,
        rows_inserted=2,
        rows_patched=1,
        tombstones=0,
        time_range=days(3, 4),
        coverage=(days(1, 2), days(3, 4)),
        landed=(("sources.changes", (LandedPartition(days(3, 4), 12),)),),
    )
    bench.script(history=building(built))
    summary = bench.run(window=days(3, 4), chunk=None)
    assert bench.warehouse.folds[0].window == days(3, 4)
    assert bench.warehouse.folds[0].run_id == summary.manifest.run_id
    record = summary.manifest.models["history"]
    assert isinstance(record, ModelRecord)
    assert record.time_range == ("2025-01-03", "2025-01-04")
    assert bench.runs()[0]["window"] == {"start": "2025-01-03", "end": "2025-01-04"}
    assert bench.file("intervals.json") == {
        "version": 1,
        "models": {
            "history": [{"start": "2025-01-01", "end": "2025-01-02"}, {"start": "2025-01-03", "end": "2025-01-04"}]
        },
    }
    assert bench.file("landed_deltas.json") == {
        "version": 1,
        "sources": {"sources.changes": [{"start": "2025-01-03", "end": "2025-01-04", "rows": 12}]},
    }


def test_records_that_lag_or_lead_follow_the_warehouse_with_a_notice(tmp_path: Path) -> None:
    bench = Bench(tmp_path, SUCCESSION)
    bench.script(history=building(Built("succession-patch", 1, time_range=days(1, 5), coverage=(days(1, 5),))))
    assert bench.run().notices == ()
    (tmp_path / ".smelt/targets/dev/intervals.json").unlink()
    five = (days(1, 5),)
    bench.warehouse.memory = (Remembered("history", five, days(1, 5)),)
    bench.warehouse.partitions = (LandedPartition(days(1, 5), 9),)
    bench.script(history=failing("Boom"))
    assert bench.run().notices == (".smelt/ lacked ranges of history that the warehouse has: written again from there",)
    assert bench.file("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": "2025-01-05"}]}
    assert bench.file("landed_deltas.json")["sources"] == {
        "sources.changes": [{"start": "2025-01-01", "end": "2025-01-05", "rows": 9}]
    }
    three = (days(1, 3),)
    bench.warehouse.memory = (Remembered("history", three, days(1, 3)),)
    bench.script(history=building(Built("none", 1, coverage=three)))
    assert bench.run().notices == (".smelt/ had ranges of history that the warehouse lacks: written again from there",)
    assert bench.file("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": "2025-01-03"}]}
    assert bench.run().notices == ()


def test_a_failed_fold_leaves_the_copies_as_they_were_and_is_told_at_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path, SUCCESSION)
    bench.script(history=building(Built("succession-patch", 1, time_range=days(1, 2), coverage=(days(1, 2),))))
    bench.run()
    before = bench.file("intervals.json")
    bench.script(history=failing("SuccessionClockTie"))
    bench.run()
    assert bench.file("intervals.json") == before
    assert [run["sequence"] for run in bench.runs()] == [1, 2]
    [report] = [bench.file(f"reports/{run['run_id']}.json") for run in bench.runs() if run["sequence"] == 2]
    assert report["failures"] == [
        {
            "model": "history",
            "error": {"code": "SuccessionClockTie", "message": "SuccessionClockTie happened"},
            "retry_count": 0,
        }
    ]


def test_chunks_that_were_committed_before_a_failure_are_told(tmp_path: Path) -> None:
    bench = Bench(tmp_path, SUCCESSION)
    committed = Built(
        "succession-build", 2, rows_inserted=2, tombstones=0, time_range=days(1, 3), coverage=(days(1, 3),)
    )
    bench.script(history=failing("SuccessionClockTie", committed=committed))
    summary = bench.run(chunk=1)
    record = summary.manifest.models["history"]
    assert (record.outcome, record.time_range, record.row_count) == ("failed", ("2025-01-01", "2025-01-03"), 2)
    assert bench.file("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": "2025-01-03"}]}
    assert summary.notices == ()


def test_runs_are_ordered_by_sequence_when_the_clock_jumps_back(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec()})
    ids = [bench.run().manifest.run_id]
    bench.clock.wall = bench.clock.wall.replace(hour=11)
    ids += [bench.run().manifest.run_id, bench.run().manifest.run_id]
    assert [text.rpartition("-")[2] for text in ids] == ["000001", "000002", "000003"]
    assert len(bench.runs()) == 3


def test_runs_count_on_from_the_warehouse_when_the_manifests_are_gone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec()})
    bench.warehouse.sequence = 41
    assert bench.run().manifest.sequence == 42
    assert bench.run().manifest.sequence == 43


def test_stateless_writes_nothing_but_meta_and_lock(tmp_path: Path) -> None:
    bench = Bench(tmp_path, SUCCESSION)
    config = ProjectConfig("shop", {"dev": Target("dev")}, "dev", Marks("smelt.yml"), state_mode="stateless")
    bench.project = replace(bench.project, config=config)
    bench.analysis = replace(bench.analysis, project=bench.project)
    bench.script(history=building(Built("succession-patch", 1, time_range=days(1, 2), coverage=(days(1, 2),))))
    bench.warehouse.memory = (Remembered("history", (days(1, 2),)),)
    summary = bench.run()
    assert (summary.exit_code, summary.notices) == (0, ())
    assert sorted(path.name for path in (tmp_path / ".smelt").iterdir()) == ["lock", "meta.json"]


def test_environments_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    bench = Bench(tmp_path, SUCCESSION)
    config = ProjectConfig("shop", {"dev": Target("dev")}, "dev", Marks("smelt.yml"), state_mode="environments")
    bench.project = replace(bench.project, config=config)
    with pytest.raises(StateError, match="not available yet") as refused:
        bench.run()
    assert refused.value.exit_code == 2
    assert not (tmp_path / ".smelt").exists()


def test_a_held_database_is_waited_for_and_then_reported(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec()})
    held = WarehouseError(Failure("WarehouseLocked", "held by PID 7", busy=True))
    attempts: list[int] = []

    def open_warehouse(root: Path, project: Project, target: Target) -> FakeWarehouse:
        attempts.append(1)
        if len(attempts) < 4:
            raise held
        return bench.warehouse

    def run(timeout: float) -> RunSummary:
        request = replace(bench.request, lock_timeout=timeout)
        return execute(
            tmp_path, bench.project, bench.analysis, request, bench.listener,
            clock=bench.clock, open_warehouse=open_warehouse,
        )  # fmt: skip

    with pytest.raises(WarehouseError):
        run(0)
    assert not (tmp_path / ".smelt/targets").exists()
    assert run(5).exit_code == 0
    assert bench.clock.slept


FILLING_UP = """
import resource, sys
from pathlib import Path
from smelt.engines.model import Built, Remembered
from smelt.run.model import RunRequest
from smelt.run.runner import execute
from smelt.state.errors import StateError
from tests.run.projects import FakeWarehouse, Listening, ModelSpec, days, make

def fill_the_disk():
    if len(sys.argv) > 2:
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
    return Built("succession-patch", 1, coverage=(days(1, 2),))

project, analysis = make({"history": ModelSpec(kind="succession")})
request = RunRequest("run", "smelt run", "dev", tuple(project.models))
memory = () if len(sys.argv) > 2 else (Remembered("history", (days(1, 2),)),)
warehouse = FakeWarehouse(script={"history": fill_the_disk}, memory=memory)
try:
    summary = execute(Path(sys.argv[1]), project, analysis, request, Listening(), open_warehouse=lambda *_: warehouse)
    print(*summary.notices)
except StateError as error:
    assert warehouse.closed == 1
    print(error.code, error.exit_code)
"""


def test_a_disk_that_fills_up_after_the_commit_is_reported_and_healed(tmp_path: Path) -> None:
    """B76: the data is committed; the old state is whole, and the next run finds out."""
    assert run(FILLING_UP, tmp_path, "full") == (0, "StateDiskFull 1\n", "")
    target = tmp_path / ".smelt/targets/dev"
    assert not (target / "intervals.json").exists()
    [manifest] = [json.loads(path.read_text()) for path in (target / "runs").iterdir()]
    assert (manifest["status"], manifest["completed_at"]) == ("running", None)
    code, out, err = run(FILLING_UP, tmp_path)
    assert (code, err) == (0, "")
    assert "lacked ranges of history that the warehouse has" in out
    assert json.loads((target / "intervals.json").read_text())["models"] == {
        "history": [{"start": "2025-01-01", "end": "2025-01-02"}]
    }
