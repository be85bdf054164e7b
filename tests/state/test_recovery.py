"""The recovery table: what is lost, damaged, killed or restored, what a person sees, and what mends it."""

import json
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import duckdb
import pytest

from tests.cli.shell import Said, Shell
from tests.run.base import FIRST, Base

DATABASE = "target/dev.duckdb"
COPIES = ("intervals.json", "landed_deltas.json", "schemas/history.json")
AGREES = "all files say what the warehouse says\n"


@dataclass(frozen=True)
class Project:
    """The base project, with a shell standing in it."""

    base: Base
    shell: Shell

    @property
    def root(self) -> Path:
        return self.base.root

    def tree(self) -> dict[str, bytes]:
        folder = self.root / ".smelt"
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def is_right(self) -> None:
        """Table, ledger and copies are what they would be if nothing had happened."""
        assert self.base.history() == self.base.oracle("w1", "w2")
        assert self.base.tombstones() == 1
        assert self.base.document("intervals.json")["models"] == {
            "history": [{"start": "2025-01-01", "end": "2025-01-03"}]
        }
        assert self.base.document("landed_deltas.json")["sources"] == {
            "sources.events": [
                {"start": "2025-01-01", "end": "2025-01-02", "rows": 2},
                {"start": "2025-01-02", "end": "2025-01-03", "rows": 2},
            ]
        }
        assert self.shell("repair", "--state").err == AGREES

    def stays_right(self) -> None:
        """One more run finds nothing to do."""
        before = self.tree()
        again = self.shell("run")
        assert (again.code, "nothing new" in again.err) == (0, True)
        assert {name: before[name] for name in COPIES_BELOW} == {name: self.tree()[name] for name in COPIES_BELOW}


COPIES_BELOW = tuple(f"targets/dev/{name}" for name in COPIES)


def stand(root: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(root)
    return Project(Base(root), Shell(root))


@pytest.fixture(scope="module")
def ages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The project after its first window, and after both."""
    folder = tmp_path_factory.mktemp("ages")
    with pytest.MonkeyPatch.context() as patch:
        project = stand(Base(folder / "old").root, patch)
        assert project.shell("run", *FIRST).code == 0
        shutil.copytree(folder / "old", folder / "new")
        project = stand(folder / "new", patch)
        assert project.shell("run").code == 0
        project.is_right()
        project.stays_right()
    return {"old": folder / "old", "new": folder / "new"}


@pytest.fixture
def current(ages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project that is up to date: a copy."""
    shutil.copytree(ages["new"], tmp_path, dirs_exist_ok=True)
    return stand(tmp_path, monkeypatch)


# ---- `.smelt/` or the database lost, or restored from a backup of another age

Age = Literal["lost", "old", "new"]
NOTICES: dict[tuple[Age, Age], str] = {
    ("lost", "old"): ".smelt/ lacked ranges of history that the warehouse has",
    ("lost", "new"): ".smelt/ lacked ranges of history that the warehouse has",
    ("old", "new"): ".smelt/ lacked ranges of history that the warehouse has",
    ("old", "lost"): ".smelt/ had ranges of history that the warehouse lacks",
    ("new", "lost"): ".smelt/ had ranges of history that the warehouse lacks",
    ("new", "old"): ".smelt/ had ranges of history that the warehouse lacks",
}


def restored(ages: dict[str, Path], root: Path, state: Age, database: Age) -> None:
    shutil.copytree(ages["new"], root, dirs_exist_ok=True)
    for name, age in ((".smelt", state), ("target", database)):
        if age != "new":
            shutil.rmtree(root / name)
        if age == "old":
            shutil.copytree(ages["old"] / name, root / name)


@pytest.mark.parametrize("state", ["lost", "old", "new"])
@pytest.mark.parametrize("database", ["lost", "old", "new"])
def test_a_run_over_state_and_database_of_different_ages(
    ages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Age, database: Age
) -> None:
    """The state follows the warehouse, and the run folds the difference: nothing is folded twice or forgotten."""
    restored(ages, tmp_path, state, database)
    project = stand(tmp_path, monkeypatch)
    known = [] if state == "lost" else [path.name for path in (project.base.target / "runs").iterdir()]
    said = project.shell("run")
    assert said.code == 0, said.err
    expected = NOTICES.get((state, database))
    assert [line.removeprefix("info: ") for line in said.err.splitlines() if "written again from there" in line] == (
        [] if expected is None else [f"{expected}: written again from there"]
    )
    runs = {path.name for path in (project.base.target / "runs").iterdir()}
    assert len(runs) == len(known) + 1
    project.is_right()


@pytest.mark.parametrize(("state", "database"), [("lost", "new"), ("old", "new"), ("new", "old"), ("lost", "old")])
def test_repairing_the_state_alone(
    ages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: Age, database: Age
) -> None:
    restored(ages, tmp_path, state, database)
    project = stand(tmp_path, monkeypatch)
    said = project.shell("repair", "--state")
    assert (said.code, "written  .smelt/targets/dev/intervals.json" in said.err) == (0, True)
    covered = {"old": "2025-01-02", "new": "2025-01-03"}[database]
    assert project.base.document("intervals.json")["models"] == {"history": [{"start": "2025-01-01", "end": covered}]}
    assert "written again" not in project.shell("run").err
    project.is_right()


# ---- a file is corrupt


def cut(text: bytes) -> bytes:
    return text[: len(text) // 2]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda text: b"",
    "cut": cut,
    "NUL bytes": lambda text: b"\0" * len(text),
    "wrong shape": lambda text: b"[]\n",
    "wrong fields": lambda text: json.dumps(dict.fromkeys(json.loads(text), None)).encode(),
}
FILES: dict[str, tuple[str, ...]] = {
    "meta.json": ("status", "history", "run"),
    "targets/dev/intervals.json": ("status", "run"),
    "targets/dev/landed_deltas.json": ("run",),
    "targets/dev/schemas/history.json": ("run",),
    "targets/dev/runs/*.json": ("status", "history", "run --resume"),
    "targets/dev/reports/*.json": (),
}
"""Each with the commands that read it, and so must stop."""
VERSIONED = ("meta.json", *COPIES_BELOW)


def newest(project: Project, pattern: str) -> Path:
    return max((project.root / ".smelt").glob(pattern), key=lambda path: path.stem.rpartition("-")[2])


def refused(project: Project, path: Path, command: str) -> Said:
    before, rows = project.tree(), project.base.history()
    said = project.shell(*command.split())
    assert (said.code, said.out) == (2, "")
    assert path.relative_to(project.root).as_posix() in said.err
    assert {name: data for name, data in project.tree().items() if name != "lock"} == {
        name: data for name, data in before.items() if name != "lock"
    }
    assert project.base.history() == rows
    return said


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("pattern", [pattern for pattern, commands in FILES.items() if commands])
def test_a_corrupt_file_stops_whoever_reads_it_and_stays(current: Project, pattern: str, damage: str) -> None:
    path = newest(current, pattern)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    for command in FILES[pattern]:
        said = refused(current, path, command)
        assert "error[StateCorrupt]: " in said.err
        assert "from a backup, or remove it" in said.err


@pytest.mark.parametrize("pattern", VERSIONED)
def test_a_file_of_a_later_version_stops_whoever_reads_it_and_stays(current: Project, pattern: str) -> None:
    path = current.root / ".smelt" / pattern
    path.write_bytes(path.read_bytes().replace(b'version": 1', b'version": 12'))
    for command in FILES[pattern]:
        said = refused(current, path, command)
        assert "error[StateVersionNewer]: " in said.err
        assert "has version 12; this smelt knows versions up to 1" in said.err


@pytest.mark.parametrize("pattern", FILES)
def test_a_corrupt_file_that_is_removed_comes_back(current: Project, pattern: str) -> None:
    path = newest(current, pattern)
    whole = path.read_bytes()
    path.write_bytes(b"")
    path.unlink()
    assert current.shell("run").code == 0
    if "*" not in pattern:
        assert json.loads(path.read_bytes()).keys() == json.loads(whole).keys()
    current.is_right()


@pytest.mark.parametrize("name", COPIES)
def test_what_a_later_smelt_put_into_a_file_stays_when_it_is_written_again(
    ages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    shutil.copytree(ages["old"], tmp_path, dirs_exist_ok=True)
    project = stand(tmp_path, monkeypatch)
    path = project.base.target / name
    before = {**json.loads(path.read_bytes()), "later": [1]}
    path.write_text(json.dumps({**before, "definition_hash": "another"} if name.startswith("schemas") else before))
    assert project.shell("run").code == 0
    assert json.loads(path.read_bytes())["later"] == [1]
    project.is_right()


# ---- killed in the middle of a run


@pytest.mark.parametrize(
    ("point", "arguments"),
    [("before-commit", ("run", "--resume")), ("before-commit", ("run",)), ("after-commit", ("run", "--resume"))],
)
def test_a_killed_run(
    ages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, arguments: tuple[str, ...]
) -> None:
    shutil.copytree(ages["old"], tmp_path, dirs_exist_ok=True)
    project = stand(tmp_path, monkeypatch)
    killed = project.base.smelt("run", SMELT_FAILPOINT=point)
    assert killed.code == -signal.SIGKILL
    manifest = project.base.manifests()[-1]
    assert (manifest["completed_at"], manifest["status"]) == (None, "running")
    report = project.base.document(f"reports/{manifest['run_id']}.json")
    assert (report["completed_at"], report["sequence"]) == (None, manifest["sequence"])
    assert "running or killed" in project.shell("history").out
    said = project.shell(*arguments)
    assert said.code == 0, said.err
    project.is_right()


# ---- a table was dropped or edited by hand

EDITS = {
    "DROP TABLE history": "is gone",
    "DROP TABLE history__tombstones": "is gone",
    "DELETE FROM history WHERE v = 'b'": "smelt left",
    "UPDATE history SET v = 'x' WHERE v = 'b'": None,
    "DELETE FROM history__tombstones": "smelt left",
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_table_edited_by_hand(current: Project, edit: str) -> None:
    with duckdb.connect(str(current.root / DATABASE)) as connection:
        connection.execute(edit)
    told = EDITS[edit]
    said = current.shell("run")
    if told is None:
        assert said.code == 0
        assert current.shell("verify").code == 1
    else:
        assert said.code == 1
        assert "error[MaintainedRelationChanged]: " in said.err
        assert told in said.err
    assert current.shell("repair", "history").code == 0
    current.is_right()
