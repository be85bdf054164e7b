import errno
import json
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from smelt.state.atomic import leftovers, remove_leftovers, write
from smelt.state.errors import StateError
from smelt.state.store import locked
from tests.state.children import run, start
from tests.state.clocks import FakeClock

WRITE = """
import sys
from pathlib import Path
from smelt.state.atomic import write
write(Path(sys.argv[1]), b"new" * 1000)
"""


def test_a_write_leaves_the_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "a.json"
    write(path, b"one")
    write(path, b"two")
    assert path.read_bytes() == b"two"
    assert [one.name for one in path.parent.iterdir()] == ["a.json"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_kill_before_the_rename_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / ".smelt" / "a.json"
    write(path, b"old")
    code, _, _ = run(WRITE, path, SMELT_FAILPOINT="before-rename")
    assert code == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    assert len(list(leftovers(path.parent))) == 1


def test_a_kill_after_the_rename_leaves_the_new_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write(path, b"old")
    code, _, _ = run(WRITE, path, SMELT_FAILPOINT="after-rename:a")
    assert code == -signal.SIGKILL
    assert path.read_bytes() == b"new" * 1000
    assert list(leftovers(tmp_path)) == []


def test_what_a_killed_process_left_goes_with_the_next_locked_open(tmp_path: Path) -> None:
    folders = [".", "targets/dev", "targets/dev/runs", "targets/dev/reports", "targets/dev/schemas"]
    for folder in folders:
        path = tmp_path / ".smelt" / folder / "a.json"
        write(path, b"{}")
        run(WRITE, path, SMELT_FAILPOINT="before-rename")
    (tmp_path / ".smelt/kept.tmp").write_text("not ours")
    write(tmp_path / ".smelt/meta.json", b'{"state_version": 1}')
    assert all(list(leftovers(tmp_path / ".smelt" / folder)) for folder in folders)
    with locked(tmp_path, "dev", "intervals", "smelt run", FakeClock(), 0, default_target="dev"):
        pass
    assert not any(list(leftovers(tmp_path / ".smelt" / folder)) for folder in folders)
    assert (tmp_path / ".smelt/kept.tmp").exists()


REWRITE = """
import sys
from pathlib import Path
from smelt.state.atomic import write
from smelt.state.documents import encode
path = Path(sys.argv[1])
print("ready", flush=True)
for number in range(300):
    write(path, encode({"number": number, "filling": [number] * 2000}))
"""


def test_a_reader_sees_a_whole_old_or_a_whole_new_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write(path, b'{"number": -1, "filling": [-1]}')
    child = start(REWRITE, path)
    seen: list[int] = []
    try:
        assert child.stdout is not None
        child.stdout.readline()
        while child.poll() is None:
            document = json.loads(path.read_bytes())
            assert set(document["filling"]) == {document["number"]}
            seen.append(document["number"])
    finally:
        child.kill()
        with child:
            pass
    assert seen == sorted(seen)
    assert len(set(seen)) > 1
    assert json.loads(path.read_bytes())["number"] == 299


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with a file ``old`` in it, and room for not one more kilobyte: a small tmpfs, else a limit on files."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(tmp_path)], check=False, capture_output=True
    )
    (tmp_path / "a.json").write_bytes(b"old")
    if mounted.returncode == 0:
        (tmp_path / "filler").write_bytes(b"x" * 8192)
        try:
            yield tmp_path
        finally:
            subprocess.run(["umount", "-l", str(tmp_path)], check=True)
    else:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, before[1]))
        try:
            yield tmp_path
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_old_file_and_no_other(full_disk: Path) -> None:
    before = sorted(path.name for path in full_disk.iterdir())
    with pytest.raises(StateError) as refused:
        write(full_disk / "a.json", b"new" * 4000)
    assert (refused.value.code, refused.value.exit_code) == ("StateDiskFull", 1)
    assert "no room to write" in refused.value.message
    assert (full_disk / "a.json").read_bytes() == b"old"
    assert sorted(path.name for path in full_disk.iterdir()) == before


def test_a_limit_on_file_sizes_is_a_full_disk(tmp_path: Path) -> None:
    write(tmp_path / "a.json", b"old")
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))\n"
    code, _, err = run(limit + WRITE, tmp_path / "a.json")
    assert code == 1
    assert "no room to write" in err
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.json", b"old")]


@pytest.mark.parametrize("number", [errno.EIO, errno.EROFS])
def test_a_sync_that_fails_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    write(tmp_path / "a.json", b"old")

    def refuse(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StateError, match="cannot be written") as refused:
        write(tmp_path / "a.json", b"new")
    assert refused.value.code == "StateUnwritable"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.json", b"old")]


def test_file_and_folder_are_synced_around_the_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    sync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda one: (steps.append("folder" if _is_folder(one) else "file"), sync(one))[1])
    monkeypatch.setattr(os, "replace", lambda a, b, **k: (steps.append("rename"), replace(a, b, **k))[1])
    write(tmp_path / "a.json", b"data")
    assert steps == ["file", "rename", "folder"]


def _is_folder(descriptor: int) -> bool:
    return Path(f"/proc/self/fd/{descriptor}").resolve().is_dir()


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(StateError, match="cannot be written"):
        write(tmp_path / "runs" / "a.json", b"{}")


def test_nothing_to_remove_where_there_is_no_folder(tmp_path: Path) -> None:
    remove_leftovers(tmp_path / "absent")
    assert list(leftovers(tmp_path / "absent")) == []


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ".smelt/targets/dev/runs"
    folder.mkdir(parents=True)

    def refuse(path: Path) -> Iterator[os.DirEntry[str]]:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        with pytest.raises(StateError) as caught:
            remove_leftovers(folder)
    assert caught.value.code == "StateUnreadable"
    assert caught.value.message == ".smelt/targets/dev/runs cannot be read: Permission denied"
