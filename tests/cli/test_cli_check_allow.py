"""Comments that allow a finding, on the command line: they silence ``check``, and never let a run fold a model."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from smelt.cli import looking
from smelt.cli.checking import judged
from smelt.workspace.checking import Findings
from tests.cli.shell import Shell

MODEL = "models/customer_history.sql"
CODE = "SuccessionDeleteFilterMisplaced"
LINE = "QUALIFY is_deleted = FALSE"


@pytest.fixture
def allowed(shell: Shell) -> Shell:
    """A project whose one refused model is allowed to be so."""
    shell.edit(MODEL, "QUALIFY NOT is_deleted", f"-- smelt: allow {CODE} the flag is never NULL\n{LINE}")
    return shell


def test_a_check_is_silent(allowed: Shell) -> None:
    said = allowed("check", "--fail-on", "warning")
    assert (said.code, said.out) == (0, "")
    assert said.err == "nothing found in 4 files; comments allow 1 more\n"
    for format_ in ("json", "sarif", "github", "junit"):
        assert CODE not in allowed("check", "--format", format_).out


def test_a_run_refuses_the_model_all_the_same(allowed: Shell) -> None:
    said = allowed("run")
    assert said.code == 1
    assert f"error[{CODE}]" in said.err
    assert allowed("show", "customer_history").code != 0


def test_a_fault_of_the_project_stops_a_run_all_the_same(shell: Shell) -> None:
    shell.edit(
        "smelt.yml", "version: 1", "# smelt: allow UnknownKey a later release reads it\nowners: data\nversion: 1"
    )
    assert shell("check").code == 0
    said = shell("run")
    assert said.code == 2
    assert "error[UnknownKey]" in said.err


def test_what_is_allowed_is_not_fixed(allowed: Shell) -> None:
    before = (allowed.root / MODEL).read_bytes()
    assert allowed("check", "--fix").code == 0
    assert (allowed.root / MODEL).read_bytes() == before


def test_what_is_allowed_is_in_no_baseline(allowed: Shell) -> None:
    assert "wrote 0 findings" in allowed("check", "--baseline", "known.json", "--write-baseline").err


def test_an_unused_comment_is_a_warning_that_a_fix_removes(allowed: Shell) -> None:
    allowed.edit(MODEL, LINE, "QUALIFY NOT is_deleted")
    said = allowed("check")
    assert (said.code, said.err) == (0, "1 warning in 4 files\n")
    assert "warning[UnusedAllow]" in said.out
    assert allowed("check", "--fail-on", "warning").code == 1
    assert allowed("check", "--ignore", "UnusedAllow", "--fail-on", "warning").code == 0
    assert allowed("check", "--fix").err == "fixed 1 finding in 1 file\nnothing found in 4 files\n"
    assert "allow" not in (allowed.root / MODEL).read_text()


def test_the_answer_is_the_same_when_nothing_changed_since(allowed: Shell) -> None:
    first, second = allowed("check"), allowed("check")
    assert first == second
    allowed.edit(MODEL, " the flag is never NULL", "")
    assert allowed("check").out == allowed("check").out
    assert "warning[InvalidAllow]" in allowed("check").out


_WITHOUT_PARSER = """
import atexit, sys
from smelt.cli.main import main
heavy = ("duckdb", "pydantic", "sqlglot", "yaml")
atexit.register(lambda: print(*(name for name in heavy if name in sys.modules)))
main()
"""


def test_a_comment_costs_no_parser_when_nothing_changed(allowed: Shell) -> None:
    assert allowed("check").code == 0
    command = [sys.executable, "-c", _WITHOUT_PARSER, "check"]
    ended = subprocess.run(command, cwd=allowed.root, capture_output=True, text=True, check=True)
    assert ended.stdout == "\n"
    assert ended.stderr == "nothing found in 4 files; comments allow 1 more\n"


def test_only_the_files_that_were_changed_are_searched_again(allowed: Shell) -> None:
    assert allowed("check").code == 0
    allowed.edit("models/current_customers.sql", "SELECT", "-- smelt: allow UnknownColumn not any more\nSELECT")
    said = allowed("check")
    assert "warning[UnusedAllow]" in said.out
    assert said.err == "1 warning in 4 files; comments allow 1 more\n"
    allowed.edit("models/current_customers.sql", "-- smelt: allow UnknownColumn not any more\n", "")
    assert allowed("check").err == "nothing found in 4 files; comments allow 1 more\n"


def test_a_file_that_changes_meanwhile_is_read_again(allowed: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[object] = []

    def judged_and_edited(root: Path, overlay: Mapping[str, str] | None = None) -> Findings:
        seen = judged(root, overlay)
        if not looks:
            allowed.edit(MODEL, "the flag", "a flag")
        looks.append(overlay)
        return seen

    assert allowed("check").code == 0
    monkeypatch.setattr(looking, "judged", judged_and_edited)
    said = allowed("check")
    assert (said.code, said.err) == (0, "nothing found in 4 files; comments allow 1 more\n")
    assert looks == [None, {}]
