"""What attrs compiles for the protocol's classes is compiled once, and never trusted blindly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from smelt_lsp import compiled
from smelt_lsp.compiled import Compiled

SCRIPTS = {f"<{number}>": f"def f():\n    return {number}" for number in range(3)}


def run(kept: Compiled, scripts: dict[str, str]) -> list[object]:
    found: list[object] = []
    for filename, script in scripts.items():
        names: dict[str, object] = {}
        exec(kept.compile(script, filename, "exec"), names)
        function = names["f"]
        assert callable(function)
        found.append(function())
    return found


@pytest.fixture(autouse=True)
def _bytecode_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The file names that were compiled."""
    found: list[str] = []

    def counting(script: str, filename: str, mode: str) -> object:
        found.append(filename)
        return compile(script, filename, mode)

    monkeypatch.setattr(compiled, "compile", counting, raising=False)
    return found


def test_a_second_start_compiles_nothing(tmp_path: Path, counted: list[str]) -> None:
    path = tmp_path / "cache" / "kept"
    first = Compiled(path)
    assert run(first, SCRIPTS) == [0, 1, 2]
    first.save()
    assert counted == [*SCRIPTS]
    second = Compiled(path)
    assert run(second, SCRIPTS) == [0, 1, 2]
    assert counted == [*SCRIPTS]
    written = path.stat().st_mtime_ns
    second.save()
    assert path.stat().st_mtime_ns == written


def test_another_script_under_the_same_name_is_compiled(tmp_path: Path, counted: list[str]) -> None:
    path = tmp_path / "kept"
    first = Compiled(path)
    run(first, SCRIPTS)
    first.save()
    changed = {**SCRIPTS, "<1>": "def f():\n    return 'another'"}
    second = Compiled(path)
    assert run(second, changed) == [0, "another", 2]
    assert counted == [*SCRIPTS, "<1>"]
    second.save()
    assert run(Compiled(path), changed) == [0, "another", 2]
    assert counted == [*SCRIPTS, "<1>"]


@pytest.mark.parametrize("cut", [0, 3, 20, 60])
def test_a_damaged_file_is_as_none(tmp_path: Path, cut: int, counted: list[str]) -> None:
    path = tmp_path / "kept"
    first = Compiled(path)
    run(first, SCRIPTS)
    first.save()
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    assert run(Compiled(path), SCRIPTS) == [0, 1, 2]
    path.write_bytes(whole[:cut] + bytes([whole[cut] ^ 0xFF]) + whole[cut + 1 :])
    again = Compiled(path)
    assert run(again, SCRIPTS) == [0, 1, 2]
    again.save()
    assert counted == [*SCRIPTS] * 3
    assert run(Compiled(path), SCRIPTS) == [0, 1, 2]
    assert counted == [*SCRIPTS] * 3


def test_where_python_keeps_no_bytecode_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept = Compiled(tmp_path / "kept")
    run(kept, SCRIPTS)
    kept.save()
    assert not (tmp_path / "kept").exists()


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for path in (tmp_path / "file" / "kept", None):
        kept = Compiled(path)
        assert run(kept, SCRIPTS) == [0, 1, 2]
        kept.save()
    assert (tmp_path / "file").read_text() == "in the way"


def test_the_servers_classes_are_made_from_what_was_kept(tmp_path: Path) -> None:
    program = """
import builtins, sys
from smelt_lsp.compiled import kept_compiled
import attr
compiled = []
real = builtins.compile
def counting(script, filename, *rest, **options):
    if "attrs generated" in str(filename):
        compiled.append(filename)
    return real(script, filename, *rest, **options)
builtins.compile = counting
with kept_compiled():
    from lsprotocol import types
assert types.Position(1, 2) == types.Position(1, 2) != types.Position(1, 3)
print(len(compiled), repr(types.Position(1, 2)))
"""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    told = [
        subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
        for _ in range(2)
    ]
    first, second = (one.stdout.split(" ", 1) for one in told)
    assert int(first[0]) > 500
    assert int(second[0]) == 0
    assert first[1] == second[1]
