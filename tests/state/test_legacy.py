"""The layout from before versions: read in place, moved by the first one to hold the lock, whatever is killed."""

import json
import signal
from pathlib import Path

import pytest

from smelt.state.codec import manifest_to_json
from smelt.state.errors import StateError
from smelt.state.files import Files
from smelt.state.past import past_runs
from smelt.state.store import locked, next_run_id, reading
from tests.state.children import run
from tests.state.clocks import FakeClock
from tests.state.test_journal import MANIFEST as RUN
from tests.state.test_store import snapshot

DEV, PROD = "20250301-120103-000001", "20250301-120203-000002"
MANIFEST = manifest_to_json(RUN)
INTERVALS = {"version": 1, "models": {"history": [{"start": "2025-01-01", "end": "2025-01-02"}]}}
OLD: dict[str, object] = {
    f"runs/{DEV}.json": {**MANIFEST, "run_id": DEV, "sequence": 1, "target": "dev"},
    f"runs/{PROD}.json": {**MANIFEST, "run_id": PROD, "sequence": 2, "target": "prod"},
    f"reports/{PROD}.json": {"run_id": PROD},
    "schemas/history.json": {"version": 1, "by": "before"},
    "intervals.json": INTERVALS,
    "landed_deltas.json": {"version": 1, "sources": {}},
    "snapshots.json": {"of": "an older smelt"},
}
PLACES = {name: f"targets/{'prod' if PROD in name else 'dev'}/{name}" for name in OLD}
KILLS = [
    *(f"{side}-move:{name.rpartition('/')[2]}" for name in OLD for side in ("before", "after")),
    *(f"after-rmdir:{folder}" for folder in ("runs", "reports", "schemas")),
    "before-rename:meta",
    "after-rename:meta",
]
MIGRATE = """
import sys
from pathlib import Path
from smelt.state.clock import SystemClock
from smelt.state.store import locked
with locked(Path(sys.argv[1]), "prod", "intervals", "smelt run", SystemClock(), 0, default_target="dev"):
    pass
"""


def put(root: Path, name: str, document: object) -> None:
    path = root / ".smelt" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), "utf-8")


def found(root: Path) -> dict[str, object]:
    """The documents under ``.smelt/``."""
    folder = root / ".smelt"
    return {path.relative_to(folder).as_posix(): json.loads(path.read_bytes()) for path in folder.rglob("*.json")}


def enter(root: Path, target: str = "prod") -> None:
    with locked(root, target, "intervals", "smelt run", FakeClock(), 0, default_target="dev"):
        pass


def read(root: Path, target: str) -> Files:
    return reading(root, target, default_target="dev")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    for name, document in OLD.items():
        put(tmp_path, name, document)
    return tmp_path


MIGRATED = {**{PLACES[name]: document for name, document in OLD.items()}, "meta.json": {"state_version": 1}}


def test_the_first_one_to_hold_the_lock_moves_everything(old: Path) -> None:
    enter(old)
    assert found(old) == MIGRATED
    assert sorted(path.name for path in (old / ".smelt").iterdir()) == ["lock", "meta.json", "targets"]
    before = snapshot(old)
    enter(old)
    assert snapshot(old) == before


def test_a_run_counts_on_from_what_was_moved(old: Path) -> None:
    with locked(old, "prod", "intervals", "smelt run", FakeClock(), 0, default_target="dev") as files:
        assert files.run_ids() == (PROD,)
        assert next_run_id(files, FakeClock()).sequence == 3


def assert_readable(root: Path) -> None:
    dev, prod = read(root, "dev"), read(root, "prod")
    assert dev.load("intervals.json") == INTERVALS
    assert prod.load("intervals.json") is None
    assert (dev.run_ids(), prod.run_ids()) == ((DEV,), (PROD,))
    assert [one.sequence for one in past_runs(prod, None, 9)] == [2]
    assert dev.load(f"runs/{PROD}.json") is None
    assert dev.names("schemas") == ("schemas/history.json",)


def test_readers_read_it_in_place_and_change_nothing(old: Path) -> None:
    before = snapshot(old)
    assert_readable(old)
    assert read(old, "dev").path("intervals.json") == old / ".smelt/intervals.json"
    assert snapshot(old) == before
    for attempt in (lambda: read(old, "dev").save("a.json", {}), lambda: read(old, "dev").remove("intervals.json")):
        with pytest.raises(PermissionError):
            attempt()


@pytest.mark.parametrize("point", KILLS)
def test_a_kill_at_any_step_is_finished_by_the_next(old: Path, point: str) -> None:
    code, _, err = run(MIGRATE, old, SMELT_FAILPOINT=point)
    assert code == -signal.SIGKILL, err
    assert_readable(old)
    enter(old)
    assert found(old) == MIGRATED
    assert sorted(path.name for path in (old / ".smelt").iterdir()) == ["lock", "meta.json", "targets"]


@pytest.mark.parametrize("name", OLD)
def test_a_name_that_is_taken_stops_it_before_anything_moves(old: Path, name: str) -> None:
    put(old, PLACES[name], {"other": True})
    before = found(old)
    with pytest.raises(StateError) as refused:
        enter(old)
    assert (refused.value.code, refused.value.exit_code) == ("StateLegacyLayout", 2)
    assert refused.value.message == f".smelt/{name} belongs at .smelt/{PLACES[name]}, where a file is already"
    assert found(old) == before
    (old / ".smelt" / PLACES[name]).unlink()
    enter(old)
    assert found(old) == MIGRATED


@pytest.mark.parametrize("content", [b"", b'{"targ', b"\0\0", b"[]"])
def test_a_damaged_manifest_stops_it_before_anything_moves(old: Path, content: bytes) -> None:
    (old / f".smelt/runs/{DEV}.json").write_bytes(content)
    before = snapshot(old)
    with pytest.raises(StateError, match=rf"\.smelt/runs/{DEV}\.json is corrupt"):
        enter(old)
    (old / ".smelt/lock").unlink()
    assert snapshot(old) == before


def test_what_names_no_target_and_what_is_no_document_goes_to_the_default(tmp_path: Path) -> None:
    put(tmp_path, "runs/x.json", {"target": 7})
    put(tmp_path, "reports/y.json", {})
    (tmp_path / ".smelt/runs/notes.txt").write_text("by hand")
    (tmp_path / ".smelt/runs/.x.json.12ab.tmp").write_text("left by a kill")
    enter(tmp_path)
    files = sorted(path.relative_to(tmp_path / ".smelt").as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert files == [
        "lock",
        "meta.json",
        "targets/dev/reports/y.json",
        "targets/dev/runs/notes.txt",
        "targets/dev/runs/x.json",
    ]


def test_a_folder_that_is_a_link_gives_what_it_holds_and_goes(old: Path) -> None:
    (old / ".smelt/runs").rename(old / "elsewhere")
    (old / ".smelt/runs").symlink_to("../elsewhere", target_is_directory=True)
    enter(old)
    assert found(old) == MIGRATED
    assert not (old / ".smelt/runs").is_symlink()
    assert list((old / "elsewhere").iterdir()) == []


def test_a_link_to_nowhere_takes_a_name_too(old: Path) -> None:
    place = old / ".smelt/targets/dev/intervals.json"
    place.parent.mkdir(parents=True)
    place.symlink_to("nowhere")
    with pytest.raises(StateError, match=r"where a file is already"):
        enter(old)
    assert (old / ".smelt/intervals.json").exists()
    assert place.is_symlink()


def test_a_version_that_is_there_leaves_the_root_alone(old: Path) -> None:
    put(old, "meta.json", {"state_version": 1})
    enter(old)
    assert found(old) == {**OLD, "meta.json": {"state_version": 1}}
    assert read(old, "dev").load("intervals.json") is None
