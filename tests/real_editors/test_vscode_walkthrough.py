"""VS Code's walkthrough leads from an empty folder to a table; what did not work is not ticked."""

from pathlib import Path

import pytest

from tests.real_editors import tools
from tests.real_editors.conftest import Windows, with_settings

pytestmark = pytest.mark.real_editor

MODEL = "models/customer_history.sql"


def test_the_buttons_of_the_walkthrough_lead_from_an_empty_folder_to_a_table(tmp_path: Path, windows: Windows) -> None:
    root = with_settings(tmp_path)
    workbench = windows.open(root)
    workbench.open_walkthrough("Get started with smelt")
    workbench.press_in_step("explain", "Explain the model")
    workbench.notification("The smelt server is not running (no project).").wait_for()
    assert workbench.done() == []

    workbench.press_in_step("project", "New project")
    workbench.await_done("install", "project")
    assert workbench.done() == ["install", "project"]

    workbench.press_in_step("refusal", "Open the model")
    workbench.await_open(root / MODEL)
    text = (root / MODEL).read_text(encoding="utf-8")
    (line,) = (number for number, one in enumerate(text.splitlines(), 1) if one == "QUALIFY NOT is_deleted")
    workbench.open(root / MODEL, line, len("QUALIFY ") + 1)
    workbench.press("Shift+End")
    workbench.type("is_deleted = FALSE")
    workbench.await_marked(line)
    workbench.offered()
    workbench.choose("Write NOT is_deleted")
    workbench.await_squiggles()

    workbench.press_in_step("explain", "Show the timeline")
    workbench.await_in_webview("patched: valid_to")
    workbench.await_done("refusal", "explain")
    assert "run" not in workbench.done()
    workbench.press_in_step("explain", "Explain the model")
    workbench.await_document("smelt-explain", "model customer_history", "grain: succession")

    workbench.press_in_step("run", "Run the model")
    workbench.await_done("run")
    workbench.type_in_terminal("command -v smelt > found")
    found = root / "found"
    wanted = f"{Path(tools.interpreter()).parent / 'smelt'}\n"
    workbench.await_that("the terminal's smelt", lambda: found.is_file() and found.read_text() == wanted)
