"""VS Code draws what a model is: small print and hints in the text, timeline and graph, and documents beside it."""

from pathlib import Path

import pytest

from smelt.version import VERSION
from tests.editor import projects
from tests.real_editors import models, tools
from tests.real_editors.conftest import SIZE, Picture, with_settings
from tests.real_editors.vscode.workbench import Workbench

pytestmark = pytest.mark.real_editor

WIDE = {"width": 1760, "height": 520}
"""Holds a graph of three layers beside a model."""
CURRENT = """---
materialization: view
---
SELECT customer_id, tier, valid_from AS since
FROM smelt.customer_history
WHERE valid_to IS NULL
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {projects.MODEL: models.RIGHT, "models/current.sql": CURRENT, "models/compared.sql": models.COMPARED}
    root = projects.make(tmp_path_factory.mktemp("views"), files)
    return with_settings(root, **{"editor.inlayHints.enabled": "on"})


def test_small_print_says_what_a_model_is_and_hints_say_what_its_columns_are(root: Path, workbench: Workbench) -> None:
    workbench.open(root / projects.MODEL)
    workbench.await_lens("succession · never run · covers nothing | run | explain | verify")
    workbench.await_shown(
        "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to: TIMESTAMP"
    )
    assert "tier: VARCHAR" in workbench.text()


def test_the_timeline_says_what_one_new_event_patches(root: Path, workbench: Workbench, picture: Picture) -> None:
    workbench.open(root / projects.MODEL)
    workbench.run("smelt: Show Succession Timeline")
    drawn = workbench.await_in_webview("patched: valid_to")
    shown = drawn.locator("svg text").all_text_contents()
    assert {"predecessor", "new event", "successor", "tombstone, no row", "if is_deleted"} <= set(shown)
    assert "Its predecessor is patched in valid_to." in drawn.inner_text("body")
    picture(workbench, "timeline")
    workbench.run("View: Hide Panel")


def test_the_log_says_which_interpreter_was_taken(root: Path, workbench: Workbench) -> None:
    workbench.open(root / projects.MODEL)
    workbench.await_lens("succession · never run · covers nothing | run | explain | verify")
    workbench.run("smelt: Show Server Log")
    workbench.await_output("[info]", f"{tools.interpreter()} (", f"smelt {VERSION}")
    workbench.run("View: Hide Panel")


def test_the_graph_shows_every_model_with_its_grain_and_opens_it(
    root: Path, workbench: Workbench, picture: Picture
) -> None:
    workbench.open(root / projects.MODEL)
    workbench.run("smelt: Show Graph")
    drawn = workbench.await_in_webview("customer_history")
    boxes = {box.locator("text").first.text_content(): box for box in drawn.locator("svg .node").all()}
    assert set(boxes) == {"sources.customer_changes", "customer_history", "current", "compared"}
    assert "succession" in boxes["customer_history"].all_text_contents()[0]
    assert "SuccessionDeleteFilterMisplaced" in boxes["compared"].all_text_contents()[0]
    assert drawn.locator("svg path.line").count() == 3
    workbench.press("Control+B")  # the keyboard is still in the model; the side bar makes room
    workbench.resize(**WIDE)
    picture(workbench, "graph")
    workbench.resize(**SIZE)
    workbench.press("Control+B")
    boxes["current"].click()
    workbench.await_open(root / "models/current.sql")


def test_a_document_beside_the_model_explains_it(root: Path, workbench: Workbench) -> None:
    workbench.open(root / projects.MODEL)
    workbench.run("smelt: Explain Model")
    workbench.await_document("smelt-explain", "grain: succession", "identity: (customer_id, effective_ts)")


def test_a_document_beside_the_model_shows_the_sql_that_runs(root: Path, workbench: Workbench) -> None:
    workbench.open(root / "models/current.sql")
    workbench.run("smelt: Show Compiled SQL")
    workbench.await_document("smelt-sql", 'CREATE VIEW "main"."current" AS', 'FROM "main"."customer_history"')


def test_the_walkthrough_ticks_what_was_there_before_it_was_opened(root: Path, workbench: Workbench) -> None:
    workbench.open(root / projects.MODEL)
    workbench.await_lens("succession · never run · covers nothing | run | explain | verify")
    workbench.open_walkthrough("Get started with smelt")
    workbench.await_done("install", "project")
    assert not {"refusal", "run"} & set(workbench.done())
