import errno
import json
import os
from pathlib import Path

import pytest

from smelt.state.clock import SystemClock
from smelt.state.errors import StateError, shown
from smelt.state.files import Files
from smelt.state.layout import Layout, file_stem
from smelt.state.store import Mode, locked, next_run_id, reading
from tests.state.children import run
from tests.state.clocks import FakeClock


def snapshot(root: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in root.rglob("*")}


def enter(root: Path, mode: Mode = "intervals") -> None:
    with locked(root, "dev", mode, "smelt run", FakeClock(), 0, default_target="dev"):
        pass


def put(root: Path, name: str, content: str) -> Path:
    path = root / ".smelt" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")
    return path


def test_a_fresh_project_gets_a_version_and_a_lock_and_nothing_before_it_is_needed(tmp_path: Path) -> None:
    enter(tmp_path)
    assert snapshot(tmp_path) == {
        ".smelt": None,
        ".smelt/lock": b"",
        ".smelt/meta.json": b'{\n  "state_version": 1\n}\n',
    }


def test_reading_creates_nothing(tmp_path: Path) -> None:
    files = reading(tmp_path, "dev", default_target="dev")
    assert files.load("intervals.json") is None
    assert files.run_ids() == ()
    assert snapshot(tmp_path) == {}


def test_no_version_but_targets_is_version_1(tmp_path: Path) -> None:
    put(tmp_path, "targets/dev/intervals.json", '{"version": 1, "models": {}}')
    assert reading(tmp_path, "dev", default_target="dev").load("intervals.json") == {"version": 1, "models": {}}
    enter(tmp_path)
    assert json.loads((tmp_path / ".smelt/meta.json").read_text()) == {"state_version": 1}


def test_a_version_that_is_there_keeps_its_unknown_fields(tmp_path: Path) -> None:
    path = put(tmp_path, "meta.json", '{"state_version": 1, "written_by": "later"}')
    before = path.read_text()
    enter(tmp_path)
    assert path.read_text() == before


def test_a_newer_version_is_refused_by_readers_and_writers_and_nothing_is_touched(tmp_path: Path) -> None:
    put(tmp_path, "meta.json", '{"state_version": 3}')
    before = snapshot(tmp_path)
    for attempt in (lambda: enter(tmp_path), lambda: reading(tmp_path, "dev", default_target="dev")):
        with pytest.raises(StateError) as refused:
            attempt()
        assert refused.value.message == ".smelt/meta.json has version 3; this smelt knows versions up to 1"
        assert (refused.value.code, refused.value.exit_code) == ("StateVersionNewer", 2)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "the file is empty"),
        ('{"state_ver', "line 1, column 2"),
        ("\0\0", "a NUL byte"),
        ("[]", "expected an object"),
        ("{}", "state_version: expected a whole number, found nothing"),
        ('{"state_version": "1"}', "state_version: expected a whole number"),
        ('{"state_version": true}', "found a boolean"),
        ('{"state_version": 0}', "expected a version from 1 on"),
    ],
)
def test_a_corrupt_version_is_named_and_left(tmp_path: Path, content: str, problem: str) -> None:
    path = put(tmp_path, "meta.json", content)
    for attempt in (lambda: enter(tmp_path), lambda: reading(tmp_path, "dev", default_target="dev")):
        with pytest.raises(StateError) as refused:
            attempt()
        assert problem in refused.value.message
        assert refused.value.message.startswith(".smelt/meta.json is corrupt at ")
        assert "restore" in refused.value.help
        assert "remove" in refused.value.help
        assert (refused.value.code, refused.value.exit_code) == ("StateCorrupt", 2)
    assert path.read_text() == content
    assert not (tmp_path / ".smelt/lock").exists()


def test_stateless_keeps_nothing(tmp_path: Path) -> None:
    with locked(tmp_path, "dev", "stateless", "smelt run", FakeClock(), 0, default_target="dev") as files:
        files.save("intervals.json", {"version": 1})
        assert files.load("intervals.json") is None
        assert next_run_id(files, FakeClock()).sequence == 1
    assert set(snapshot(tmp_path)) == {".smelt", ".smelt/lock", ".smelt/meta.json"}


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / ".smelt").write_text("")
    with pytest.raises(StateError) as unreadable:
        reading(tmp_path, "dev", default_target="dev")
    assert unreadable.value.code == "StateUnreadable"
    with pytest.raises(StateError):
        enter(tmp_path)
    assert (tmp_path / ".smelt").read_text() == ""


def test_a_document_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / ".smelt/targets/dev/intervals.json").mkdir(parents=True)
    with pytest.raises(StateError, match=r"\.smelt/targets/dev/intervals\.json cannot be read") as unreadable:
        reading(tmp_path, "dev", default_target="dev").load("intervals.json")
    assert unreadable.value.exit_code == 2


ENTER = """
import os, sys
from pathlib import Path
from smelt.state.clock import SystemClock
from smelt.state.errors import StateError
from smelt.state.store import locked, reading
if len(sys.argv) > 2:
    os.setgid(int(sys.argv[2]))
    os.setuid(int(sys.argv[2]))
print(reading(Path(sys.argv[1]), "dev", default_target="dev").load("intervals.json"))
try:
    with locked(Path(sys.argv[1]), "dev", "intervals", "smelt run", SystemClock(), 0, default_target="dev"):
        print("entered")
except StateError as error:
    print(error.exit_code, error.message)
"""


@pytest.mark.parametrize("there", [("lock",), ()])
def test_a_folder_without_rights_is_refused_to_writers_and_open_to_readers(
    tmp_path: Path, there: tuple[str, ...]
) -> None:
    """Root passes every mode, so under root the child gives itself another user first."""
    (tmp_path / ".smelt/targets/dev").mkdir(parents=True)
    (tmp_path / ".smelt/targets/dev/intervals.json").write_text('{"version": 1}')
    for name in there:
        (tmp_path / ".smelt" / name).write_text("")
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == tmp_path.owner() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    (tmp_path / ".smelt").chmod(0o555)
    user = [65534] if os.getuid() == 0 else []
    code, out, err = run(ENTER, tmp_path, *user)
    assert (code, err) == (0, "")
    assert out == "{'version': 1}\n1 .smelt/lock cannot be written: Permission denied\n"
    (tmp_path / ".smelt").chmod(0o755)


def test_a_read_only_file_system_is_refused_to_writers_and_open_to_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file system answers as one that is mounted read-only does; a real mount needs rights that tests lack."""
    put(tmp_path, "targets/dev/intervals.json", '{"version": 1}')
    put(tmp_path, "lock", "")
    put(tmp_path, "meta.json", '{"state_version": 1}')
    really = os.open

    def read_only(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if str(path).startswith(str(tmp_path)) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return really(path, flags, mode)

    monkeypatch.setattr(os, "open", read_only)
    assert reading(tmp_path, "dev", default_target="dev").load("intervals.json") == {"version": 1}
    with (
        pytest.raises(StateError, match=r"\.smelt/lock cannot be written: Read-only file system") as refused,
        locked(tmp_path, "dev", "intervals", "smelt run", FakeClock(), 0, default_target="dev"),
    ):
        raise AssertionError("entered")
    assert refused.value.exit_code == 1


def save_run(files: Files, run_id: str) -> None:
    files.save(f"runs/{run_id}.json", {})


def test_run_ids_count_on_from_the_highest_whatever_the_clock_says(tmp_path: Path) -> None:
    clock = FakeClock()
    with locked(tmp_path, "dev", "intervals", "smelt run", clock, 0, default_target="dev") as files:
        assert next_run_id(files, clock).text == "20250301-120103-000001"
        save_run(files, "20250301-120103-000001")
        save_run(files, "20240101-000000-00000f")
        save_run(files, "20990101-000000-000003")
        put(tmp_path, "targets/dev/runs/notes.json", "{}")
        put(tmp_path, "targets/dev/runs/20990101-000000-ffffff.json.bak", "{}")
        clock.wall = clock.wall.replace(hour=3)
        found = next_run_id(files, clock)
        assert (found.text, found.sequence) == ("20250301-030103-000010", 16)
        assert next_run_id(files, clock, recorded=15).sequence == 16
        assert next_run_id(files, clock, recorded=16).sequence == 17
        assert files.run_ids() == ("20240101-000000-00000f", "20990101-000000-000003", "20250301-120103-000001")


def test_targets_do_not_share_their_files(tmp_path: Path) -> None:
    for target in ("dev", "prod"):
        with locked(tmp_path, target, "intervals", "smelt run", FakeClock(), 0, default_target="dev") as files:
            save_run(files, next_run_id(files, FakeClock()).text)
    assert (tmp_path / ".smelt/targets/dev/runs/20250301-120103-000001.json").exists()
    assert (tmp_path / ".smelt/targets/prod/runs/20250301-120103-000001.json").exists()


@pytest.mark.parametrize(
    "name", ["../../x", "a/b", "..", ".", "a\\b", "a%2Fb", ".hidden", "a\0b", "größe", "a b", "a\ud800"]
)
def test_no_name_leaves_its_folder_and_no_two_share_one(tmp_path: Path, name: str) -> None:
    folder = Layout(tmp_path).target(name)
    folder.mkdir(parents=True)
    assert folder.parent == tmp_path / ".smelt/targets"
    assert folder.name not in ("", ".", "..")
    assert file_stem(name) != file_stem(name + "x")


@pytest.mark.parametrize("letter", ["n", "é", "/", "漢"])
def test_a_name_of_any_length_gives_a_file_of_its_own(tmp_path: Path, letter: str) -> None:
    names = [letter * length for length in (60, 199, 200, 201, 240, 4000)]
    stems = [file_stem(name) for name in names]
    assert len(set(stems)) == len(names)
    for stem in stems:
        (tmp_path / f".{stem}.json.0123abcd.tmp").touch()
    assert file_stem("n" * 200) == "n" * 200


def test_messages_show_paths_from_the_state_folder_on(tmp_path: Path) -> None:
    assert shown(tmp_path / ".smelt/targets/dev/intervals.json") == ".smelt/targets/dev/intervals.json"
    assert shown(Path("/elsewhere/x.json")) == "/elsewhere/x.json"


def test_the_machines_clock_is_utc() -> None:
    assert SystemClock().now().utcoffset() is not None
    assert str(SystemClock().now().tzinfo) == "UTC"
