import json
from datetime import datetime
from pathlib import Path

import pytest

from smelt.project.model import Granularity
from smelt.state.errors import StateError
from smelt.state.files import TargetFiles
from smelt.state.journal import Journal
from smelt.state.records import ErrorRecord, Landed, Manifest, ModelRecord, SchemaColumn, SchemaRecord
from smelt.text.intervals import Interval
from tests.state.clocks import FakeClock

RUN_ID = "20250301-120103-000001"
MANIFEST = Manifest(
    run_id=RUN_ID,
    sequence=1,
    command="run",
    smelt_version="0.4.0",
    started_at="2025-03-01T12:01:03.000Z",
    target="dev",
    selection=("a", "b", "c"),
)
SUCCESS = ModelRecord(outcome="success", strategy="table", duration_ms=5)
FAILURE = ModelRecord(outcome="failed", error=ErrorRecord("Boom", "it broke"))
JANUARY = Interval(datetime(2025, 1, 1), datetime(2025, 2, 1))


class Desk:
    def __init__(self, folder: Path, models: tuple[str, ...] = ("a",)) -> None:
        self.folder = folder
        self.clock = FakeClock()
        self.journal = Journal(TargetFiles(folder), MANIFEST, models, self.clock)

    def read(self, name: str) -> dict[str, object]:
        document = json.loads((self.folder / name).read_text("utf-8"))
        assert isinstance(document, dict)
        return document

    def written_models(self) -> list[str]:
        models = self.read(f"runs/{RUN_ID}.json")["models"]
        assert isinstance(models, dict)
        return sorted(models)


def test_the_first_write_tells_of_a_run_in_progress(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.journal.flush()
    manifest, report = desk.read(f"runs/{RUN_ID}.json"), desk.read(f"reports/{RUN_ID}.json")
    assert (manifest["status"], manifest["completed_at"], manifest["models"]) == ("running", None, {})
    assert (report["status"], report["completed_at"], report["failures"]) == ("running", None, [])


def test_successes_are_written_every_quarter_second_and_failures_at_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.journal.flush()
    desk.clock.seconds += 0.24
    desk.journal.model_ended("a", SUCCESS)
    assert desk.written_models() == []
    desk.clock.seconds += 0.01
    desk.journal.model_ended("b", SUCCESS)
    assert desk.written_models() == ["a", "b"]
    desk.journal.model_ended("c", SUCCESS)
    assert desk.written_models() == ["a", "b"]
    desk.journal.model_ended("d", FAILURE)
    assert desk.written_models() == ["a", "b", "c", "d"]
    assert desk.read(f"reports/{RUN_ID}.json")["failures"] == [
        {"model": "d", "error": {"code": "Boom", "message": "it broke"}, "retry_count": 0}
    ]
    desk.journal.test_ended("a:unique:id", "passed")
    desk.journal.test_ended("b:unique:id", "failed")
    assert desk.read(f"runs/{RUN_ID}.json")["tests"] == {"a:unique:id": "passed", "b:unique:id": "failed"}


def test_the_end_is_always_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.journal.flush()
    desk.journal.model_ended("a", SUCCESS)
    desk.clock.wall = desk.clock.wall.replace(second=9)
    manifest = desk.journal.finish("cancelled")
    assert desk.written_models() == ["a"]
    written = desk.read(f"runs/{RUN_ID}.json")
    assert (written["status"], written["completed_at"]) == ("cancelled", "2025-03-01T12:01:09.000Z")
    assert (manifest.status, manifest.models) == ("cancelled", {"a": SUCCESS})


def test_the_more_there_is_to_write_the_longer_it_waits(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for number in range(500):
        desk.journal.model_ended(f"m{number}", SUCCESS)
    desk.journal.flush()
    desk.clock.seconds += 0.4
    desk.journal.model_ended("a", SUCCESS)
    assert len(desk.written_models()) == 500
    desk.clock.seconds += 0.2
    desk.journal.model_ended("b", SUCCESS)
    assert len(desk.written_models()) == 502


def test_copies_are_written_before_the_manifest_that_tells_of_them(tmp_path: Path) -> None:
    names: list[str] = []

    class Watched(TargetFiles):
        def put(self, name: str, data: bytes) -> None:
            names.append(name)

    journal = Journal(Watched(tmp_path), MANIFEST, ("a",), FakeClock())
    journal.cover("a", Granularity.DAY, (JANUARY,))
    journal.land("sources.s", Granularity.DAY, (Landed(JANUARY, 3),))
    journal.deploy("a", SchemaRecord("now", "h", "{}", None, (SchemaColumn("k", "INTEGER"),)))
    journal.model_ended("a", FAILURE)
    assert names == [
        "intervals.json", "landed_deltas.json", "schemas/a.json", f"reports/{RUN_ID}.json", f"runs/{RUN_ID}.json",
    ]  # fmt: skip


def test_what_does_not_change_is_not_written(tmp_path: Path) -> None:
    for _ in range(2):
        desk = Desk(tmp_path)
        desk.journal.cover("a", Granularity.DAY, (JANUARY,))
        desk.journal.land("sources.s", Granularity.DAY, (Landed(JANUARY, 3),))
        stamp = desk.clock.now().isoformat()
        desk.journal.deploy("a", SchemaRecord(stamp, "h", "{}", None, (SchemaColumn("k", "INTEGER"),)))
        desk.journal.flush()
    names = ("intervals.json", "landed_deltas.json", "schemas/a.json")
    before = {name: (tmp_path / name).stat().st_ino for name in names}
    desk = Desk(tmp_path)
    desk.journal.cover("a", Granularity.DAY, (JANUARY,))
    desk.journal.land("sources.s", Granularity.DAY, (Landed(JANUARY, 3),))
    desk.journal.deploy("a", SchemaRecord("another time", "h", "{}", None, (SchemaColumn("k", "INTEGER"),)))
    desk.journal.flush()
    assert {name: (tmp_path / name).stat().st_ino for name in names} == before


def test_a_project_without_incremental_models_has_no_intervals(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.journal.cover("a", Granularity.DAY, ())
    desk.journal.land("sources.s", Granularity.DAY, ())
    desk.journal.finish("completed")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["reports", "runs"]


def test_fields_of_a_later_smelt_and_other_models_stay(tmp_path: Path) -> None:
    other = [{"start": "2024-01-01", "end": "2024-02-01", "by": "hand"}]
    files = TargetFiles(tmp_path)
    files.save("intervals.json", {"version": 1, "models": {"other": other}, "later": {"x": 1}})
    files.save("landed_deltas.json", {"version": 1, "sources": {}, "later": True})
    schema = SchemaRecord("then", "old", "{}", None, (SchemaColumn("k", "INTEGER"),))
    desk = Desk(tmp_path)
    desk.journal.deploy("a", schema)
    desk.journal.flush()
    files.save("schemas/a.json", {**desk.read("schemas/a.json"), "later": [1]})
    desk = Desk(tmp_path)
    desk.journal.cover("a", Granularity.DAY, (JANUARY,))
    desk.journal.land("sources.s", Granularity.DAY, (Landed(JANUARY, 3),))
    desk.journal.deploy("a", SchemaRecord("now", "new", "{}", None, (SchemaColumn("k", "BIGINT"),)))
    desk.journal.flush()
    intervals = desk.read("intervals.json")
    assert intervals["later"] == {"x": 1}
    assert intervals["models"] == {"a": [{"start": "2025-01-01", "end": "2025-02-01"}], "other": other}
    assert desk.read("landed_deltas.json")["later"] is True
    assert desk.read("schemas/a.json")["later"] == [1]
    assert desk.read("schemas/a.json")["definition_hash"] == "new"


@pytest.mark.parametrize("name", ["intervals.json", "landed_deltas.json", "schemas/a.json"])
@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "StateCorrupt"),
        ('{"version": 1, "mod', "StateCorrupt"),
        ("\0\0\0", "StateCorrupt"),
        ('{"version": 1}', "StateCorrupt"),
        ('{"version": 1, "models": {"a": 1}, "sources": {"a": 1}, "columns": 1}', "StateCorrupt"),
        ('{"models": {}, "sources": {}}', "StateCorrupt"),
        ('{"version": 2}', "StateVersionNewer"),
    ],
)
def test_a_damaged_copy_is_refused_before_anything_is_written(
    tmp_path: Path, name: str, content: str, code: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    with pytest.raises(StateError) as refused:
        Desk(tmp_path)
    assert (refused.value.code, refused.value.exit_code) == (code, 2)
    assert path.name in refused.value.message
    assert path.read_text() == content
    assert not (tmp_path / "runs").exists()


def test_a_write_that_was_refused_is_made_by_the_next_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.journal.cover("a", Granularity.DAY, (JANUARY,))
    (tmp_path / "intervals.json").mkdir()
    with pytest.raises(StateError):
        desk.journal.flush()
    (tmp_path / "intervals.json").rmdir()
    desk.journal.flush()
    assert desk.read("intervals.json")["models"] == {"a": [{"start": "2025-01-01", "end": "2025-02-01"}]}


def test_two_models_that_end_at_once_both_stay(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    desk = Desk(tmp_path, ())
    names = [f"m{number}" for number in range(40)]

    def end(name: str) -> None:
        desk.journal.cover(name, Granularity.DAY, (JANUARY,))
        desk.journal.model_ended(name, FAILURE)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(end, names))
    assert desk.written_models() == sorted(names)
    models = desk.read("intervals.json")["models"]
    assert isinstance(models, dict)
    assert sorted(models) == sorted(names)
