"""A fresh project from the template, with the process standing in it."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The template's project, nothing built."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "demo"
    assert Shell(root)("init", "demo").code == 0
    monkeypatch.chdir(root)
    return Shell(root)


@pytest.fixture
def built(shell: Shell) -> Shell:
    """The same, built."""
    said = shell("run")
    assert said.code == 0, said.err
    return shell
