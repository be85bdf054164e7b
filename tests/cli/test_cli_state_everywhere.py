"""What every command does with ``.smelt/``: those that write take the lock, the others leave no trace there."""

import json
import shutil
from pathlib import Path

import pytest

from smelt.cli.catalog import entries
from tests.cli.shell import Shell
from tests.state.children import HOLD, waiting

LOCKED = {
    "run": (),
    "build": (),
    "seed": (),
    "repair": ("--all",),
    "compact": (),
    "clean": ("--runs", "1"),
}
STATE = {"status": (), "history": ()}
DATABASE = {
    "run": ("--dry-run",),
    "show": ("customer_history",),
    "test": (),
    "verify": (),
    "diff": (),
}
FILES = {
    "init": ("another",),
    "check": (),
    "explain": (),
    "list": (),
    "docs": ("StateLocked",),
    "schema": ("model",),
}
NOT_RUN = {"lsp"}
"""The server; the editor's tests see that it opens neither state nor database."""
WRITES = {"repair --state": ("repair", "--state"), **{name: (name, *rest) for name, rest in LOCKED.items()}}
READS = {" ".join((name, *rest)): (name, *rest) for group in (STATE, DATABASE) for name, rest in group.items()}
NEITHER = {name: (name, *rest) for name, rest in FILES.items()}


def tree(root: Path) -> dict[str, tuple[bytes, int]]:
    folder = root / ".smelt"
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in folder.rglob("*")
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("everywhere")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert Shell(folder)("init", "demo").code == 0
        patch.chdir(folder / "demo")
        assert Shell(folder / "demo")("run").code == 0
    return folder / "demo"


@pytest.fixture
def built(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A project that was run once: a copy."""
    root = tmp_path / "demo"
    shutil.copytree(made, root)
    monkeypatch.chdir(root)
    return Shell(root)


def test_every_command_is_here() -> None:
    assert {*LOCKED, *STATE, *DATABASE, *FILES, *NOT_RUN} == {entry.name for entry in entries()}


@pytest.mark.parametrize("name", [*WRITES, *READS])
def test_the_state_of_a_later_smelt_is_refused(built: Shell, name: str) -> None:
    (built.root / ".smelt/meta.json").write_text(json.dumps({"state_version": 7}))
    before = tree(built.root)
    said = built(*{**WRITES, **READS}[name])
    assert said.code == 2
    assert ".smelt/meta.json has version 7; this smelt knows versions up to 1" in said.err
    assert tree(built.root) == before


@pytest.mark.parametrize("name", NEITHER)
def test_what_reads_files_alone_does_not_care(built: Shell, name: str) -> None:
    (built.root / ".smelt/meta.json").write_text(json.dumps({"state_version": 7}))
    before = tree(built.root)
    assert built(*NEITHER[name]).code == 0
    assert tree(built.root) == before


@pytest.mark.parametrize("name", [*READS, *NEITHER])
def test_what_only_reads_takes_no_lock_and_leaves_no_trace(built: Shell, name: str) -> None:
    before = tree(built.root)
    arguments = {**READS, **NEITHER}[name]
    assert built(*arguments).code == 0
    assert tree(built.root) == before
    shutil.rmtree(built.root / ".smelt")
    shutil.rmtree(built.root / "another", ignore_errors=True)
    assert built(*arguments).code == 0
    assert not (built.root / ".smelt").exists()


@pytest.mark.parametrize("name", READS)
def test_what_only_reads_goes_on_beside_a_run(built: Shell, name: str) -> None:
    with waiting(HOLD, built.root):
        assert built(*READS[name]).code == 0


def test_what_writes_waits_for_the_lock(built: Shell) -> None:
    with waiting(HOLD, built.root) as child:
        before = tree(built.root)
        for arguments in WRITES.values():
            said = built(*arguments)
            assert said.code == 4
            assert f"state is locked by PID {child.pid} (smelt run, started " in said.err
        assert tree(built.root) == before
