"""VS Code for the tests: one served per worker, and its windows."""

import json
import os
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
Picture = Callable[[Workbench, str], None]
IMAGES = tools.CHECKOUT / "docs" / "images"
SEEN = tools.INSTALLED / "seen"
"""Holds a picture of each window at the moment in which its test failed."""


class Windows:
    """The open windows of one VS Code."""

    def __init__(self, browser: "Browser", server: CodeServer) -> None:
        self.server = server
        self._context = browser.new_context(viewport=SIZE)
        self._open: list[Workbench] = []

    def open(self, workspace: Path, file: Path | None = None) -> Workbench:
        """Another window, on a folder or a ``.code-workspace`` file, with a file in its editor."""
        workbench = Workbench(self._context.new_page())
        self._open.append(workbench)
        workbench.page.goto(self.server.url(workspace, file))
        workbench.ready()
        return workbench

    def keep_what_is_seen(self, name: str) -> None:
        """A picture of every window."""
        SEEN.mkdir(parents=True, exist_ok=True)
        for number, workbench in enumerate(self._open):
            workbench.page.screenshot(path=SEEN / f"{name}-{number}.png")

    def close(self) -> None:
        """Close every window."""
        self._context.close()


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
def shared_windows(browser: "Browser", code_server: CodeServer) -> Iterator[Windows]:
    """Windows that stay open for a module."""
    windows = Windows(browser, code_server)
    yield windows
    windows.close()


@pytest.fixture(scope="module")
def shared_workbench(shared_windows: Windows, root: Path) -> Workbench:
    """A window that stays open for a module, on the folder that the module's fixture ``root`` has made."""
    return shared_windows.open(root)


@pytest.fixture
def workbench(shared_workbench: Workbench) -> Iterator[Workbench]:
    """The module's window, without any editor: every test leaves it so."""
    yield shared_workbench
    shared_workbench.close()


@pytest.fixture
def windows(browser: "Browser", code_server: CodeServer) -> Iterator[Windows]:
    """Windows of one test."""
    windows = Windows(browser, code_server)
    yield windows
    windows.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Iterator[None]:
    report = yield
    if report.failed:
        for name in {"windows", "shared_windows"} & set(item.funcargs):
            item.funcargs[name].keep_what_is_seen(item.name.replace("/", "-")[:100])
    return report


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> Picture:
    """Takes the pictures of the documentation, in both themes, under ``--update-images``; else does nothing."""

    def taken(workbench: Workbench, name: str) -> None:
        if request.config.getoption("--update-images"):
            for theme in ("dark", "light"):
                workbench.turn(theme)
                workbench.page.screenshot(path=IMAGES / f"vscode-{name}-{theme}.png", animations="disabled")

    return taken


def with_settings(root: Path, **settings: object) -> Path:
    """A folder whose settings name the environment of these tests, and whatever else is given."""
    folder = root / ".vscode"
    folder.mkdir(exist_ok=True)
    settings = {"smelt.interpreter": tools.interpreter(), **settings}
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return root
