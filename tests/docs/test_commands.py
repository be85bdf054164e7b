"""Every command that a page shows does what the page says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.commands import Command, File, Setup, folder, matches, pages, steps
from tests.docs.typed import forked_or_typed, typed
from tests.examples.projects import ROOT, copy

TYPED = "README.md"
"""The page all of whose commands go through a shell to the installed program."""
PAGES = {path.relative_to(ROOT).as_posix(): path for path in pages(ROOT)}


def _scratch(name: str, text: str, tmp_path: Path) -> Path:
    """Where the page's commands run: a copy of the example it belongs to or names, else an empty folder."""
    place = folder(text) or (name.rpartition("/")[0] if name.startswith("examples/") else None)
    if place is None:
        empty = tmp_path / "somewhere"
        empty.mkdir()
        return empty
    assert place.startswith("examples/")
    return copy(place.removeprefix("examples/"), tmp_path).root


@pytest.mark.parametrize("name", PAGES)
def test_commands_do_what_the_page_says(name: str, tmp_path: Path) -> None:
    text = PAGES[name].read_text(encoding="utf-8")
    place = _scratch(name, text, tmp_path)
    for step in steps(text):
        if isinstance(step, File):
            target = place / step.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(step.text, encoding="utf-8")
        elif isinstance(step, Command) and step.text.startswith("cd "):
            place = place / step.text.removeprefix("cd ")
            assert place.is_dir(), f"{name}:{step.line}: no such folder"
        elif isinstance(step, Command):
            _run(name, step, place)


def _run(name: str, step: Command, place: Path) -> None:
    ended = typed(step.text, place) if name == TYPED else forked_or_typed(step.text, place)
    where = f"{name}:{step.line}: $ {step.text}"
    assert ended.returncode == step.exit_code, f"{where}\nended with {ended.returncode}\n{ended.stdout}"
    if step.output is not None:
        assert matches(step.output, ended.stdout), f"{where}\nprinted\n{ended.stdout}\ninstead of\n{step.output}"


@pytest.mark.parametrize("name", PAGES)
def test_set_up_commands_are_those_that_ci_runs(name: str) -> None:
    ci = re.findall(r"^bash \S+$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    shown = [step.text for step in steps(PAGES[name].read_text(encoding="utf-8")) if isinstance(step, Setup)]
    assert set(shown) <= {*ci, "bash .ci/run"}


def test_the_readme_sets_up_with_exactly_two_commands() -> None:
    shown = [step.text for step in steps(PAGES["README.md"].read_text(encoding="utf-8")) if isinstance(step, Setup)]
    assert shown == ["bash .ci/demo", "bash .ci/test"]


def test_the_readme_shows_the_model_as_it_is() -> None:
    shown = [step for step in steps(PAGES["README.md"].read_text(encoding="utf-8")) if isinstance(step, File)]
    model = ROOT / "examples" / "scd2_succession" / shown[0].path
    assert shown[0].text == model.read_text(encoding="utf-8")


@pytest.mark.parametrize("script", sorted(path.name for path in (ROOT / ".ci").iterdir()))
def test_scripts_are_valid_shell(script: str) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    ended = subprocess.run([bash, "-n", str(ROOT / ".ci" / script)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("one\n", "one\n", True),
        ("one\n", "one\ntwo\n", False),
        ("one\n…\n", "one\ntwo\nthree\n", True),
        ("took … s\n", "took 0.3 s\n", True),
        ("took … s\n", "took 0.3 s or\n so\n", False),
        ("…\nthree\n", "one\ntwo\n", False),
    ],
)
def test_what_is_elided_matches_anything_and_the_rest_exactly(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same
