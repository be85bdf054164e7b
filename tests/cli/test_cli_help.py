"""Help, versions and names: what is shown before any project is looked at."""

import subprocess
import sys
from pathlib import Path

import pytest

from smelt.cli.catalog import LATER, TASKS, entries
from tests.cli.shell import Shell

HEAVY = ("sqlglot", "duckdb", "pydantic", "pygls", "lsprotocol", "rich", "yaml")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_help_imports_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from smelt.cli.main import cli\n"
        "try:\n"
        "    cli.main(sys.argv[1:])\n"
        "except SystemExit as end:\n"
        "    assert end.code == 0, end.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ended.stderr == "[]\n"
    assert "smelt" in ended.stdout


def test_without_arguments_the_commands_stand_by_task(tmp_path: Path) -> None:
    said = Shell(tmp_path)()
    assert said.code == 0
    at = -1
    for task in TASKS:
        at = said.out.index(f"{task.title}:", at + 1)
        for entry in task.entries:
            at = said.out.index(f"  {entry.name} ", at)
    assert "_SMELT_COMPLETE=bash_source" in said.out


@pytest.mark.parametrize("name", [entry.name for entry in entries()])
def test_every_command_has_an_example_and_the_common_options(name: str, tmp_path: Path) -> None:
    said = Shell(tmp_path)(name, "--help")
    assert said.code == 0
    assert f"Example:\n    smelt {name}" in said.out
    for option in ("--project-dir", "--target", "--no-color", "--debug"):
        assert option in said.out


@pytest.mark.parametrize("name", LATER)
def test_commands_of_later_releases_say_so(name: str, tmp_path: Path) -> None:
    said = Shell(tmp_path)(name, "x", "--json")
    assert (said.code, said.out) == (2, "")
    assert said.err == f"error: smelt {name}: not available yet\n"
    assert f"  {name} " not in Shell(tmp_path)("--help").out


def test_an_unknown_command_is_answered_with_the_nearest(tmp_path: Path) -> None:
    said = Shell(tmp_path)("chekc")
    assert said.code == 2
    assert said.err == "error: no such command: chekc\n = help: did you mean `check`?\n"


def test_an_unknown_option_is_a_usage_error(tmp_path: Path) -> None:
    said = Shell(tmp_path)("check", "--nonsense")
    assert said.code == 2
    assert "--nonsense" in said.err
    assert "`smelt check --help` shows the options" in said.err


def test_the_version_is_the_distributions(tmp_path: Path) -> None:
    from importlib.metadata import version

    assert Shell(tmp_path)("--version").out == f"smelt {version('smelt-lsp')}\n"


def test_bash_completes_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SMELT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "smelt ex")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert "explain" in Shell(tmp_path)().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["clean", "--help"], ("[1 or more]", "[0 to a year]")),
        (["run", "--help"], ("[1 to 256]", "[0 to 100]")),
        (["clean", "--runs", "0"], ("'--runs': 0 is not in the range 1 or more.",)),
        (["run", "--lock-timeout", "-1"], ("'--lock-timeout': -1.0 is not in the range 0 to a year.",)),
    ],
)
def test_ranges_of_numbers_are_said_in_words(arguments: list[str], words: tuple[str, ...], tmp_path: Path) -> None:
    said = Shell(tmp_path)(*arguments)
    shown = " ".join((said.out + said.err).split())
    assert [word for word in words if word not in shown] == []
