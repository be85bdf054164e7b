"""VS Code for the tests: one served per worker, one window for each workspace of a module."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.real_editors import tools
from tests.real_editors.vscode.code_server import CodeServer
from tests.real_editors.vscode.workbench import Workbench

if TYPE_CHECKING:
    from playwright.sync_api import Browser

UNASKED = ("gpu", "quic", "background-networking", "component-update", "sync")
SIZE = {"width": 1200, "height": 800}

Open = Callable[..., Workbench]


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in UNASKED)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(tools.chromium()), args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def code_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeServer]:
    server = CodeServer(tmp_path_factory.mktemp("code-server"), os.environ["PATH"])
    yield server
    server.stop()


@pytest.fixture(scope="module")
def window(browser: "Browser", code_server: CodeServer, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a window on a workspace with a file in its editor."""
    context = browser.new_context(viewport=SIZE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    failed = request.session.testsfailed

    def opened(workspace: Path, file: Path | None = None) -> Workbench:
        workbench = Workbench(context.new_page())
        workbench.page.goto(code_server.url(workspace, file))
        workbench.ready()
        return workbench

    yield opened
    if request.session.testsfailed > failed:
        _keep_what_was_seen(context.pages, code_server.home, request.node.name)
    context.close()


def _keep_what_was_seen(pages: list, home: Path, name: str) -> None:
    seen = tools.INSTALLED / "seen" / Path(name).stem
    shutil.rmtree(seen, ignore_errors=True)
    seen.mkdir(parents=True)
    for number, page in enumerate(pages):
        page.screenshot(path=seen / f"{number}.png")
    shutil.copytree(home / "user" / "logs", seen / "logs", dirs_exist_ok=True)


def with_settings(root: Path, **settings: object) -> Path:
    """A folder whose settings name the environment of these tests, and whatever else is given."""
    folder = root / ".vscode"
    folder.mkdir(exist_ok=True)
    settings = {"smelt.interpreter": sys.executable, **settings}
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return root
