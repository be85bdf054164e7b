"""VS Code starts the server, says what keeps it from starting with the button that helps, and starts it again."""

import json
import os
import signal
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.editor import projects
from tests.real_editors import models, tools
from tests.real_editors.conftest import Windows, with_settings
from tests.real_editors.vscode.workbench import Squiggle, Workbench

pytestmark = pytest.mark.real_editor

NEGATED = Squiggle("warning", 9, "NOT is_deleted")


def _project(folder: Path, **settings: object) -> Path:
    return with_settings(projects.make(folder, {projects.MODEL: models.FILTERED}), **settings)


def test_a_missing_interpreter_is_told_and_another_one_is_entered(tmp_path: Path, windows: Windows) -> None:
    nowhere = tmp_path / "nowhere" / "python"
    root = _project(tmp_path, **{"smelt.interpreter": str(nowhere)})
    workbench = windows.open(root, root / projects.MODEL)
    workbench.notification(f"smelt: {nowhere} does not start: there is no such program.").wait_for()
    assert workbench.buttons("does not start") == ["Select Interpreter"]
    assert workbench.squiggles() == []

    workbench.press_button("does not start", "Select Interpreter")
    workbench.pick("Enter a path…")
    workbench.enter(tools.interpreter())
    workbench.await_squiggles(NEGATED)
    assert _settings(root) == {"smelt.interpreter": tools.interpreter()}


def test_another_program_is_no_interpreter_and_one_that_is_found_is_picked(tmp_path: Path, windows: Windows) -> None:
    root = _project(tmp_path)
    (root / ".venv").symlink_to(Path(tools.interpreter()).parents[1])
    scripts = root / ".venv" / "bin"
    with_settings(root, **{"smelt.interpreter": str(scripts / "smelt-lsp")})
    workbench = windows.open(root, root / projects.MODEL)
    told = f"smelt: {scripts}/smelt-lsp is no Python interpreter; set smelt.interpreter to {scripts}/python."
    workbench.notification(told).wait_for()

    workbench.run("smelt: Select Interpreter")
    workbench.pick(f"{scripts}/python")
    workbench.await_squiggles(NEGATED)
    assert _settings(root) == {"smelt.interpreter": "${workspaceFolder}/.venv/bin/python"}


def test_the_missing_package_is_installed_by_its_button(tmp_path: Path, windows: Windows) -> None:
    python = _environment_without_smelt(tmp_path)
    wheel = _wheel(tmp_path)
    windows.server.set(**{"smelt.package": str(wheel)})
    root = _project(tmp_path, **{"smelt.interpreter": str(python)})
    workbench = windows.open(root, root / projects.MODEL)
    workbench.notification(f"smelt is not installed in {python}.").wait_for()
    assert workbench.buttons("is not installed") == ["Install", "Select Interpreter"]
    workbench.press_button("is not installed", "Install")
    workbench.await_squiggles(NEGATED)


def test_a_killed_server_is_started_again_and_left_alone_when_it_keeps_ending(tmp_path: Path, windows: Windows) -> None:
    root = _project(tmp_path)
    workbench = windows.open(root, root / projects.MODEL)
    workbench.await_squiggles(NEGATED)
    (first,) = windows.server.language_servers()
    os.kill(first, signal.SIGKILL)
    second = _next_server(workbench, windows, {first})
    workbench.open(root / projects.MODEL, 9, 36)
    workbench.type(" ")
    workbench.await_squiggles(NEGATED)

    gone = {first, second}
    os.kill(second, signal.SIGKILL)

    def given_up() -> bool:
        for server in set(windows.server.language_servers()) - gone:
            os.kill(server, signal.SIGKILL)
            gone.add(server)
        return workbench.notification("keeps ending").count() > 0

    workbench.await_that("the end of restarts", given_up)
    assert workbench.buttons("keeps ending") == ["Restart", "Show Log"]
    workbench.press_button("keeps ending", "Restart")
    _next_server(workbench, windows, gone)
    workbench.await_squiggles(NEGATED)


def test_two_folders_have_one_server_and_each_its_own_findings(tmp_path: Path, windows: Windows) -> None:
    first = _project(tmp_path / "first")
    second = projects.make(tmp_path / "second", {projects.MODEL: models.COMPARED})
    workspace = tmp_path / "both.code-workspace"
    folders = [{"path": str(root), "name": root.parent.name} for root in (first, second)]
    settings = {"smelt.interpreter": tools.interpreter()}
    workspace.write_text(json.dumps({"folders": folders, "settings": settings}), encoding="utf-8")

    workbench = windows.open(workspace, first / projects.MODEL)
    workbench.await_squiggles(NEGATED)
    workbench.open(second / projects.MODEL, 2, 3)
    workbench.await_squiggles(Squiggle("error", 10, "is_deleted = FALSE"))
    workbench.show_problems()
    workbench.await_problem("SuccessionPreFilterNegatesFlag")
    workbench.await_problem("SuccessionDeleteFilterMisplaced")
    assert len(workbench.problems()) == 4  # two files with one finding each
    assert len(windows.server.language_servers()) == 1


def _settings(root: Path) -> object:
    return json.loads((root / ".vscode" / "settings.json").read_text(encoding="utf-8"))


def _next_server(workbench: Workbench, windows: Windows, gone: set[int]) -> int:
    return workbench.await_that("a server", lambda: set(windows.server.language_servers()) - gone).pop()


def _environment_without_smelt(folder: Path) -> Path:
    """An environment with all that smelt needs, but not smelt: pip finds that there, and asks no registry."""
    environment, needed = folder / "environment", folder / "needed"
    needed.mkdir()
    for there in Path(sysconfig.get_path("purelib")).iterdir():
        if "smelt_lsp" not in there.name:
            (needed / there.name).symlink_to(there)
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "needed.pth").write_text(f"{needed}\n", encoding="utf-8")
    return environment / "bin" / "python"


def _wheel(folder: Path) -> Path:
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(folder), str(tools.CHECKOUT)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("*.whl")
    return wheel
