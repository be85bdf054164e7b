"""Runs that go on from others, through the runner: planning itself is in ``tests/cases/resume``."""

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from smelt.analysis.definition import Definition, definition_hash
from smelt.engines.digests import seed_digest
from smelt.engines.model import Built
from smelt.project.model import ColumnTest, Granularity, Marks, ProjectConfig, Target
from smelt.run.model import RunRequest
from smelt.run.resuming import rehearsed
from smelt.state.errors import StateError
from tests.cli.shell import Shell
from tests.run.base import FIRST, QUERY, SECOND, Base
from tests.run.bench import DIAMOND, Bench, outcomes
from tests.run.projects import TABLE as ROWS
from tests.run.projects import Listening, ModelSpec, address, building, days, failing, shape
from tests.state.children import run

UNIQUE = ColumnTest("unique", "id")


def test_a_resumed_run_tells_of_all_and_runs_the_rest(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    bench.script(b=failing())
    first = bench.run().manifest
    bench.script()
    bench.warehouse.calls.clear()
    bench.listener = listening = Listening()
    summary = bench.run(resume="always")
    assert outcomes(summary) == {"a": "resumed", "b": "success", "c": "resumed", "d": "success", "x": "resumed"}
    assert bench.warehouse.calls == ["b", "d"]
    assert (summary.exit_code, summary.manifest.resumed_from) == (0, first.run_id)
    assert summary.manifest.models["a"].definition_hash == definition_hash("a")
    assert bench.runs()[1]["resumed_from"] == first.run_id
    assert tuple(one.name for one in summary.ended) == summary.manifest.selection
    ends = [line.removeprefix("end ") for line in listening.heard if line.startswith("end ")]
    assert sorted(ends[:3]) == ["a", "c", "x"]
    assert ends[3:] == ["b", "d"]


def test_with_nothing_left_undone_a_resume_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    with pytest.raises(StateError, match="nothing to resume: no unfinished run on target dev") as refused:
        bench.run(resume="always")
    assert (refused.value.code, refused.value.exit_code) == ("NothingToResume", 2)
    assert not (tmp_path / ".smelt").exists()
    run_id = bench.run().manifest.run_id
    with pytest.raises(StateError, match=f"everything in run {run_id} succeeded"):
        bench.run(resume="always")
    assert len(bench.runs()) == 1
    assert bench.warehouse.closed == 1


def test_resume_or_run_does_what_there_is_to_do(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    bench.script(b=failing())
    assert bench.run(resume="if-unfinished").manifest.resumed_from is None
    bench.script()
    second = bench.run(resume="if-unfinished")
    assert second.manifest.resumed_from == bench.runs()[0]["run_id"]
    third = bench.run(resume="if-unfinished")
    assert third.manifest.resumed_from is None
    assert set(outcomes(third).values()) == {"success"}


@pytest.mark.parametrize("before", [0, 1])
def test_a_database_older_than_the_run_has_nothing_of_it(tmp_path: Path, before: int) -> None:
    """Lost, or restored from a backup that was made before that run."""
    bench = Bench(tmp_path, DIAMOND)
    bench.run()
    bench.script(b=failing())
    base = bench.run().manifest.run_id
    bench.script()
    bench.warehouse.sequence = before
    summary = bench.run(resume="if-unfinished")
    assert set(outcomes(summary).values()) == {"success"}
    assert summary.manifest.resumed_from == base
    assert f"the database lacks what run {base} wrote: everything selected runs again" in summary.notices


def test_a_run_that_wrote_nothing_is_not_missed_by_a_database(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    bench.run()
    idle = building(replace(ROWS, strategy="none"))
    bench.script(a=idle, b=failing(), c=idle, d=idle, x=building(Built("view", None)))
    bench.run()
    bench.script()
    bench.warehouse.sequence = 1
    assert outcomes(bench.run(resume="always"))["c"] == "resumed"


def test_twice_after_a_failed_compile_and_after_a_change(tmp_path: Path) -> None:
    """B82: A, B and C; B fails in the database, then C does not compile."""
    bench = Bench(tmp_path, {"a": ModelSpec(), "b": ModelSpec(), "c": ModelSpec(reads=("b",))})
    sound = bench.analysis
    broken = replace(sound.models[address("c")], kind="refused", definition=None)
    bench.script(b=failing())
    bench.run()
    bench.script()
    assert outcomes(bench.run(resume="always")) == {"a": "resumed", "b": "success", "c": "success"}
    with pytest.raises(StateError, match="nothing to resume"):
        bench.run(resume="always")
    refusing = Bench(tmp_path, {"c": ModelSpec(kind="refused")}).analysis.models[address("c")]
    bench.analysis = replace(
        sound, models={**sound.models, address("c"): replace(broken, diagnostics=refusing.diagnostics)}
    )
    assert outcomes(bench.run()) == {"a": "success", "b": "success", "c": "ModelRefusedForTest"}
    assert outcomes(bench.run(resume="always")) == {"a": "resumed", "b": "resumed", "c": "ModelRefusedForTest"}
    changed = replace(sound.models[address("a")], definition=Definition(lambda: "another"))
    bench.analysis = replace(sound, models={**sound.models, address("a"): changed})
    assert outcomes(bench.run(resume="always")) == {"a": "success", "b": "resumed", "c": "success"}
    assert len(bench.runs()) == 5


def test_the_window_of_the_base_is_folded(tmp_path: Path) -> None:
    specs = {"a": ModelSpec(kind="succession"), "b": ModelSpec(kind="succession")}
    bench = Bench(tmp_path, specs)
    bench.script(b=failing())
    bench.run(window=days(3, 4))
    bench.script()
    for changes, why in (({"window": days(4, 5)}, "folded 2025-01-03 to before 2025-01-04, and now it is 2025-01-04"),
                         ({"chunk": 2}, "and now it is chunks")):  # fmt: skip
        with pytest.raises(StateError, match=why) as refused:
            bench.run(resume="always", **changes)
        assert (refused.value.code, refused.value.exit_code) == ("ResumeWindowDiffers", 2)
    bench.run(resume="always")
    assert bench.warehouse.folds[-1].window == days(3, 4)
    assert bench.runs()[-1]["window"] == {"start": "2025-01-03", "end": "2025-01-04"}


def test_a_window_that_no_longer_fits_a_model_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(kind="succession")})
    bench.script(a=failing())
    bench.run(window=days(3, 4))
    by_month = replace(shape("sources.changes"), granularity=Granularity.MONTH)
    one = replace(bench.analysis.models[address("a")], shape=by_month)
    bench.analysis = replace(bench.analysis, models={address("a"): one})
    with pytest.raises(StateError, match="and now it is a, whose partitions are now by month"):
        bench.run(resume="always")


def test_a_full_refresh_is_gone_on_with_and_may_be_asked_for(tmp_path: Path) -> None:
    specs = {"a": ModelSpec(kind="succession"), "b": ModelSpec(kind="succession")}
    bench = Bench(tmp_path, specs)
    bench.script(b=failing())
    bench.run()
    bench.run(resume="always", full_refresh=True)
    bench.script()
    bench.warehouse.folds.clear()
    summary = bench.run(resume="always")
    assert [fold.full_refresh for fold in bench.warehouse.folds] == [True]
    assert outcomes(summary) == {"a": "resumed", "b": "success"}
    assert [run["full_refresh"] for run in bench.runs()] == [False, True, True]


def test_a_build_loads_a_changed_seed_and_tests_all_again(tmp_path: Path) -> None:
    specs = {"a": ModelSpec(reads=("regions",), tests=(UNIQUE,)), "b": ModelSpec(tests=(UNIQUE,))}
    bench = Bench(tmp_path, specs, seeds=("regions",))
    file = tmp_path / "models/regions.csv"
    file.parent.mkdir()
    file.write_text("region\nnorth\n")

    def load() -> None:
        digest = seed_digest(tmp_path, bench.project.seeds[address("regions")])
        bench.script(regions=building(replace(ROWS, content_hash=digest)))

    load()
    bench.warehouse.rows = lambda sql: (1, ((7,),)) if '"a"' in sql else (0, ())
    assert bench.run(command="build").exit_code == 1
    bench.warehouse.rows = lambda sql: (0, ())
    bench.warehouse.calls.clear()
    again = bench.run(command="build", resume="always")
    assert outcomes(again) == {"regions": "resumed", "a": "resumed", "b": "resumed"}
    assert again.manifest.tests == {"a:unique:id": "passed", "b:unique:id": "passed"}
    assert (again.exit_code, bench.warehouse.calls) == (0, [])
    bench.script(regions=bench.warehouse.script["regions"], b=failing())
    bench.run(command="build")
    file.write_text("region\nsouth\n")
    load()
    assert outcomes(bench.run(command="build", resume="always")) == {
        "regions": "success",
        "a": "success",
        "b": "success",
    }


def test_stateless_projects_have_nothing_to_resume(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    config = ProjectConfig("shop", {"dev": Target("dev")}, "dev", Marks("smelt.yml"), state_mode="stateless")
    bench.project = replace(bench.project, config=config)
    with pytest.raises(StateError, match="stateless` keeps no record of runs") as refused:
        bench.run(resume="always")
    assert refused.value.exit_code == 2
    assert not (tmp_path / ".smelt").exists()
    summary = bench.run(resume="if-unfinished")
    assert (summary.exit_code, set(outcomes(summary).values())) == (0, {"success"})


def test_a_damaged_manifest_is_not_read_past(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    bench.script(b=failing())
    bench.run()
    [path] = (tmp_path / ".smelt/targets/dev/runs").iterdir()
    path.write_text("{")
    with pytest.raises(StateError) as refused:
        bench.run(resume="always")
    assert (refused.value.code, refused.value.exit_code) == ("StateCorrupt", 2)


def test_a_dry_run_is_cut_down_to_what_would_run(tmp_path: Path) -> None:
    bench = Bench(tmp_path, DIAMOND)
    bench.script(b=failing())
    bench.run(window=days(3, 4))
    request = RunRequest("run", "smelt run", "dev", tuple(bench.project.models), resume="always")
    cut = rehearsed(tmp_path, bench.analysis, request)
    assert (sorted(map(str, cut.selection)), cut.window) == (["b", "d"], days(3, 4))
    assert len(bench.runs()) == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.run.bench import Bench, outcomes
from tests.run.projects import ModelSpec

def die():
    os.kill(os.getpid(), signal.SIGKILL)

bench = Bench(Path(sys.argv[1]), {"a": ModelSpec(), "b": ModelSpec(reads=("a",)), "c": ModelSpec(reads=("b",))})
bench.script(**{name: die for name in sys.argv[2:3]})
summary = bench.run(resume="if-unfinished")
print(summary.manifest.resumed_from, *bench.warehouse.calls)
"""


def test_a_run_killed_between_two_writes_runs_again_what_it_did_not_tell_of(tmp_path: Path) -> None:
    """The manifest lags by up to a quarter of a second: what it does not tell of is folded again, which is no harm."""
    assert run(KILLED, tmp_path, "b")[0] == -signal.SIGKILL
    [path] = (tmp_path / ".smelt/targets/dev/runs").iterdir()
    manifest = json.loads(path.read_text("utf-8"))
    assert (manifest["completed_at"], manifest["status"], manifest["models"]) == (None, "running", {})
    assert (tmp_path / f".smelt/targets/dev/reports/{path.name}").exists()
    code, out, err = run(KILLED, tmp_path)
    assert (code, err, out.split()) == (0, "", [manifest["run_id"], "a", "b", "c"])


def test_kill_and_resume_through_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One model is done, the other is killed in its transaction, the resumed run does it: as if nothing had been."""
    base, shell = Base(tmp_path), Shell(tmp_path)
    monkeypatch.chdir(tmp_path)
    sound = f"---\nrefresh: incremental\n---\n{QUERY.format(events='smelt.sources.events')}"
    other = base.put("models/other.sql", sound)
    assert shell("run", *FIRST).code == 0
    other.write_text(sound.replace("NOT is_deleted", "is_deleted = FALSE"))
    assert shell("run", *SECOND).code == 1
    other.write_text(sound)
    killed = base.smelt("run", "--resume", SMELT_FAILPOINT="before-commit")
    assert killed.code == -signal.SIGKILL
    [_, failed, running] = base.manifests()
    assert (running["status"], running["resumed_from"]) == ("running", failed["run_id"])
    assert outcomes_in(running) == {"history": "resumed"}
    assert base.query("SELECT count(*) FROM other") == [(1,)]
    ran = shell("run", "--resume")
    assert ran.code == 0, ran.err
    assert "done in the run that this one resumes" in ran.err
    last = base.manifests()[-1]
    assert last["resumed_from"] == running["run_id"]
    assert last["window"] == {"start": "2025-01-02", "end": "2025-01-03"}
    assert outcomes_in(last) == {"history": "resumed", "other": "success"}
    assert base.history() == base.oracle("w1", "w2")
    assert base.query("SELECT * FROM other EXCEPT ALL SELECT * FROM history") == []
    refused = shell("run", "--resume")
    assert (refused.code, "error[NothingToResume]: " in refused.err) == (2, True)


def outcomes_in(manifest: dict[str, object]) -> dict[str, str]:
    models = manifest["models"]
    assert isinstance(models, dict)
    return {name: record.get("skip_reason") or record["outcome"] for name, record in models.items()}
