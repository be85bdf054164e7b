"""Situations around runs, state and faults: the real command line, the real database, real signals."""

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.run.base import FIRST, HEADER, SECOND, W1, Base
from tests.state.children import HOLD, waiting


@pytest.fixture
def base(tmp_path: Path) -> Base:
    """A project that never ran."""
    return Base(tmp_path)


@pytest.fixture(scope="module")
def first_window(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = Base(tmp_path_factory.mktemp("first"))
    base.ok("run", *FIRST)
    return base.root


@pytest.fixture
def begun(tmp_path: Path, first_window: Path) -> Base:
    """A project that ran its first window: a copy, the run itself is made once."""
    shutil.copytree(first_window, tmp_path, dirs_exist_ok=True)
    return Base(tmp_path)


def test_two_runs_of_one_window_at_once(base: Base) -> None:
    """B68: one does the work; the other is locked out by name, or came late and changed nothing."""
    both = [base.begin("run", *FIRST), base.begin("run", *FIRST)]
    ended = [(child.communicate(timeout=60), child.returncode) for child in both]
    codes = sorted(code for _, code in ended)
    assert codes in ([0, 4], [0, 0])
    for (_, err), code in ended:
        assert code == 0 or "is locked by PID" in err
    assert base.history() == base.oracle("w1")
    assert base.tombstones() == 1
    successful = [run for run in base.manifests() if run["status"] == "completed"]
    assert len(successful) == codes.count(0)


def test_a_run_beside_a_run_is_locked_out_by_name(begun: Base) -> None:
    before = begun.history()
    with waiting(HOLD, begun.root) as child:
        ran = begun.smelt("run", *SECOND)
        assert ran.code == 4
        assert f"state is locked by PID {child.pid} (smelt run, started " in ran.err
    assert begun.history() == before
    assert len(begun.manifests()) == 1


KILLED_IN_THE_DATABASE = ("after-stage", "before-commit", "after-commit")
KILLED_IN_THE_STATE = (
    "before-rename:reports",
    "before-rename:runs",
    "before-rename:intervals",
    "before-rename:landed_deltas",
    "after-rename:runs",
)


@pytest.mark.parametrize("point", [*KILLED_IN_THE_DATABASE, *KILLED_IN_THE_STATE])
def test_a_kill_anywhere_is_made_good_by_the_next_run(begun: Base, point: str) -> None:
    """B70, B72, B74: whatever point of the second window's run it hits."""
    killed = begun.smelt("run", *SECOND, SMELT_FAILPOINT=point)
    assert killed.code == -signal.SIGKILL
    if point in ("after-stage", "before-commit"):
        assert begun.history() == begun.oracle("w1")
    for run in begun.manifests():
        report = begun.document(f"reports/{run['run_id']}.json")
        assert report["sequence"] == run["sequence"]
    begun.ok("run", *SECOND)
    assert begun.history() == begun.oracle("w1", "w2")
    assert begun.tombstones() == 1
    assert begun.document("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": "2025-01-03"}]}
    assert len(begun.document("landed_deltas.json")["sources"]["sources.events"]) == 2  # type: ignore[index]
    assert begun.manifests()[-1]["status"] == "completed"
    assert list(begun.root.glob(".smelt/**/.*.tmp")) == []


def test_a_killed_run_is_told_by_its_manifest_and_report(base: Base) -> None:
    killed = base.smelt("run", *FIRST, SMELT_FAILPOINT="before-commit")
    assert killed.code == -signal.SIGKILL
    [manifest] = base.manifests()
    assert (manifest["status"], manifest["completed_at"], manifest["models"]) == ("running", None, {})
    report = base.document(f"reports/{manifest['run_id']}.json")
    assert report["outcome_counts"] == {"success": 0, "failed": 0, "skipped": 0}
    assert (base.root / ".smelt/lock").read_text() != ""
    base.ok("run", *FIRST)
    assert [run["sequence"] for run in base.manifests()] == [1, 2]


def test_a_kill_after_the_commit_is_healed_with_a_notice(begun: Base) -> None:
    begun.smelt("run", *SECOND, SMELT_FAILPOINT="before-rename:intervals")
    assert begun.document("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": "2025-01-02"}]}
    ran = begun.ok("run")
    assert ".smelt/ lacked ranges of history that the warehouse has" in ran.err
    assert begun.document("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": "2025-01-03"}]}


@pytest.mark.parametrize(
    ("target", "code", "place"),
    [
        ("{type: duckdb, database: target/dev.duckdb, settings: {thraeds: 1}}", "WarehouseSettingInvalid", ":3:"),
        ("{type: duckdb, database: smelt.yml}", "WarehouseOpenFailed", ":3:33"),
        ("{type: duckdb, database: smelt.yml/dev.duckdb}", "WarehouseOpenFailed", ":3:33"),
    ],
)
def test_a_fault_of_the_configuration_is_no_failed_run(base: Base, target: str, code: str, place: str) -> None:
    base.put("smelt.yml", f"name: base\ntargets:\n  dev: {target}\ndefault_target: dev\n")
    ran = base.smelt("run")
    assert ran.code == 2
    assert f"error[{code}]" in ran.err
    assert f"smelt.yml{place}" in ran.err


def test_an_unchanged_seed_is_nothing_new(base: Base) -> None:
    base.put("models/regions.csv", "id,name\n1,a\n")
    assert "1 row" in base.ok("seed").err
    assert "nothing new" in base.ok("seed").err


def test_a_gap_that_closes_is_no_loss(base: Base) -> None:
    base.ok("run", *FIRST)
    for day in ("13", "15"):
        base.put(f"data/w{day}.csv", W1.replace("2025-01-01", f"2025-01-{day}"))
        assert "lacked" not in base.ok("run").err
    [covered] = base.document("intervals.json")["models"]["history"]  # type: ignore[index]
    assert covered == {"start": "2025-01-01", "end": "2025-01-16"}


def test_state_lost_and_the_table_still_there(begun: Base) -> None:
    """B80: nothing is folded twice, with a window or without one."""
    shutil.rmtree(begun.root / ".smelt")
    begun.ok("run", *FIRST)
    assert begun.history() == begun.oracle("w1")
    assert begun.tombstones() == 1
    begun.ok("run")
    shutil.rmtree(begun.root / ".smelt")
    ran = begun.ok("run")
    assert "lacked ranges" in ran.err
    assert begun.history() == begun.oracle("w1", "w2")
    assert begun.document("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": "2025-01-03"}]}
    [run] = begun.manifests()
    assert run["models"]["history"]["strategy"] == "none"  # type: ignore[index]


def test_a_database_restored_from_a_backup(begun: Base) -> None:
    shutil.copy(begun.root / "target/dev.duckdb", begun.root / "backup.duckdb")
    begun.ok("run", *SECOND)
    shutil.copy(begun.root / "backup.duckdb", begun.root / "target/dev.duckdb")
    ran = begun.ok("run", *FIRST)
    assert "had ranges of history that the warehouse lacks" in ran.err
    assert begun.document("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": "2025-01-02"}]}
    begun.ok("run")
    assert begun.history() == begun.oracle("w1", "w2")


@pytest.mark.parametrize(
    "content", ["", '{"version": 1, "models": {"hist', "\0\0\0\0", '{"version": 1, "models": []}', '{"version": 9}']
)
def test_a_damaged_file_stops_the_run_before_the_data(begun: Base, content: str) -> None:
    """B79"""
    path = begun.put(".smelt/targets/dev/intervals.json", content)
    before = begun.history()
    ran = begun.smelt("run", *SECOND)
    assert ran.code == 2
    assert ".smelt/targets/dev/intervals.json" in ran.err
    assert "Traceback" not in ran.err
    assert path.read_text("utf-8") == content
    assert begun.history() == before
    assert len(begun.manifests()) == 1
    path.unlink()
    begun.ok("run", *SECOND)
    assert begun.history() == begun.oracle("w1", "w2")


def test_a_newer_layout_stops_the_run(begun: Base) -> None:
    path = begun.put(".smelt/meta.json", '{"state_version": 2}')
    ran = begun.smelt("run")
    assert ran.code == 2
    assert "has version 2; this smelt knows versions up to 1" in ran.err
    assert path.read_text("utf-8") == '{"state_version": 2}'
    assert begun.history() == begun.oracle("w1")


@pytest.fixture
def small_state(base: Base) -> Iterator[Base]:
    """The project with ``.smelt/`` on a disk of 256 KiB, where mounting is allowed."""
    folder = base.root / ".smelt"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, check=False, capture_output=True).returncode == 0
    yield base
    if mounted:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(path: Path) -> None:
    """Write until there is no room for one more page."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass


def test_a_full_disk_stops_the_run_before_the_data(small_state: Base) -> None:
    """B76. Where nothing can be mounted the same is tested at the write itself, under a limit on file sizes."""
    base = small_state
    base.ok("run", *FIRST)
    if not (base.root / ".smelt").is_mount():
        return
    before = {path: path.read_bytes() for path in base.target.rglob("*.json")}
    filler = base.root / ".smelt/filler"
    fill(filler)
    ran = base.smelt("run", *SECOND)
    assert ran.code == 1
    assert "No space left on device" in ran.err
    assert "Traceback" not in ran.err
    assert {path: path.read_bytes() for path in base.target.rglob("*.json")} == before
    assert list(base.root.glob(".smelt/**/.*.tmp")) == []
    assert base.history() == base.oracle("w1")
    filler.unlink()
    base.ok("run", *SECOND)
    assert base.history() == base.oracle("w1", "w2")


ENDLESS = (
    "---\nmaterialization: table\n---\nSELECT sum(a.i * b.i) AS s FROM range(10000000) a(i), range(10000000) b(i)\n"
)


def wait_for_run(base: Base, child: subprocess.Popen[str], sequence: int) -> None:
    """Until the run has written its first manifest: then it is under way."""
    while len(list(base.target.glob("runs/*.json"))) < sequence:
        with suppress(subprocess.TimeoutExpired):
            child.wait(0.02)
        assert child.returncode is None, child.communicate()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_a_statement_that_would_run_for_ever(base: Base, number: int, code: int) -> None:
    base.put("models/endless.sql", ENDLESS)
    child = base.begin("run", "endless")
    wait_for_run(base, child, 1)
    child.send_signal(number)
    _, err = child.communicate(timeout=60)
    assert child.returncode == code, err
    assert "Traceback" not in err
    [manifest] = base.manifests()
    assert manifest["status"] == "cancelled"
    models = manifest["models"]
    assert isinstance(models, dict)
    assert models["endless"]["skip_reason"] in ("cancelled", "not_reached")
    base.ok("run", "history", *FIRST)


def test_ctrl_c_twice_during_a_large_fold(begun: Base) -> None:
    """B89"""
    rows = [f"{i % 5000},2025-01-02 {i // 5000:02}:00:{i % 60:02},v{i},false,2025-01-02\n" for i in range(100_000)]
    begun.put("data/w2.csv", HEADER + "".join(rows))
    child = begun.begin("run", *SECOND)
    wait_for_run(begun, child, 2)
    child.send_signal(signal.SIGINT)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert begun.manifests()[-1]["status"] == "cancelled"
    begun.ok("run", *SECOND)
    assert begun.history() == begun.oracle("w1", "w2")


def test_build_runs_the_tests_of_what_it_built(base: Base) -> None:
    base.put(
        "models/states.sql",
        "---\ncolumns:\n  - name: v\n    tests:\n"
        "      - not_null\n      - unique\n      - {accepted_values: [a, b, late]}\n"
        "      - {relationships: {to: names, field: name}}\n"
        "  - name: n\n    tests: [{accepted_values: [1, 2]}]\n---\n"
        "SELECT v, 1 AS n FROM smelt.history\n",
    )
    base.put("models/names.csv", "name\na\nlate\n")
    ran = base.smelt("build")
    assert ran.code == 1
    [manifest] = base.manifests()
    assert manifest["tests"] == {
        "states:not_null:v": "passed",
        "states:unique:v": "passed",
        "states:accepted_values:v": "passed",
        "states:relationships:v": "failed",
        "states:accepted_values:n": "passed",
    }
    assert "1 row with a `v` without a partner in names in states: b" in ran.err
    tested = base.smelt("test", "--json")
    assert tested.code == 1
    assert json.loads(tested.out)["tests"]["states:relationships:v"] == "failed"
    base.put("models/names.csv", "name\na\nlate\nb\n")
    assert base.smelt("build").code == 0
    assert base.smelt("test").code == 0
    assert len(base.manifests()) == 2
