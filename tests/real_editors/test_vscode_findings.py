"""VS Code shows findings where they are while a person types, says what they are, and mends them on save."""

import json
from pathlib import Path

import pytest

from tests.editor import projects
from tests.real_editors import models, tools
from tests.real_editors.conftest import Picture, with_settings
from tests.real_editors.vscode.workbench import Squiggle, Workbench

pytestmark = pytest.mark.real_editor

NEGATED = Squiggle("warning", 9, "NOT is_deleted")
COMPARED = Squiggle("error", 10, "is_deleted = FALSE")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {
        projects.MODEL: models.RIGHT,
        "models/filtered.sql": models.FILTERED,
        "models/compared.sql": models.COMPARED,
        "models/saved.sql": models.COMPARED,
    }
    root = projects.make(tmp_path_factory.mktemp("findings"), files)
    (root / ".venv").symlink_to(Path(tools.interpreter()).parents[1])
    return with_settings(root, **json.loads((tools.CONFIGURATIONS / "vscode.json").read_text(encoding="utf-8")))


def test_a_finding_is_underlined_and_its_hover_says_what_and_why(
    root: Path, workbench: Workbench, picture: Picture
) -> None:
    workbench.open(root / "models/compared.sql", 10, 12)
    workbench.await_squiggles(COMPARED)
    hover = workbench.hover()
    assert "QUALIFY must be exactly NOT <boolean column>" in hover
    assert "SuccessionDeleteFilterMisplaced" in hover
    picture(workbench, "finding")
    workbench.press("Escape")
    assert "Write NOT is_deleted" in workbench.offered()
    picture(workbench, "fix")


def test_a_hover_says_what_the_model_is(root: Path, workbench: Workbench) -> None:
    workbench.open(root / projects.MODEL, 2, 3)
    workbench.await_squiggles()
    hover = workbench.hover()
    assert "grain: succession" in hover
    assert "identity: (customer_id, effective_ts)" in hover


def test_an_unsafe_fix_is_offered_applied_and_undone_behind_an_emoji(root: Path, workbench: Workbench) -> None:
    workbench.open(root / "models/filtered.sql", 9, 55)
    workbench.await_squiggles(NEGATED)
    assert "Move the filter into QUALIFY (unsafe)" in workbench.offered()
    workbench.choose("Move the filter into QUALIFY")
    workbench.await_text(models.FILTERED_MENDED)
    workbench.await_squiggles()
    workbench.undo()
    workbench.await_text(models.FILTERED)
    workbench.await_squiggles(NEGATED)


def test_saving_makes_the_safe_fixes_and_undo_takes_them_back(root: Path, workbench: Workbench) -> None:
    file = root / "models/saved.sql"
    workbench.open(file)
    workbench.await_squiggles(COMPARED)
    workbench.type("-")
    workbench.await_changed(file)
    workbench.press("Backspace")
    workbench.save()
    workbench.await_text(models.COMPARED_MENDED)
    workbench.await_saved(file)
    assert file.read_text(encoding="utf-8") == models.COMPARED_MENDED
    workbench.undo()
    workbench.await_text(models.COMPARED)
    workbench.await_squiggles(COMPARED)


def test_the_problems_panel_lists_the_findings_of_files_that_were_never_opened(
    root: Path, workbench: Workbench
) -> None:
    workbench.show_problems()
    workbench.await_problem(
        "QUALIFY must be exactly NOT <boolean column>", "SuccessionDeleteFilterMisplaced", "[Ln 10, Col 9]"
    )
    workbench.await_problem(
        "WHERE drops the rows in which `is_deleted`", "SuccessionPreFilterNegatesFlag", "[Ln 9, Col 54]"
    )
    workbench.hide_problems()


def test_findings_follow_what_is_typed(root: Path, workbench: Workbench) -> None:
    file = root / projects.MODEL
    workbench.open(file, 6, 9)
    workbench.await_squiggles()
    workbench.type("s")
    workbench.await_squiggles(Squiggle("error", 6, "tiers"))
    workbench.undo()
    workbench.await_squiggles()
    assert file.read_text(encoding="utf-8") == models.RIGHT


def test_findings_of_what_was_thrown_away_go_with_it(root: Path, workbench: Workbench) -> None:
    workbench.open(root / projects.MODEL, 6, 9)
    workbench.await_squiggles()
    workbench.type("less")
    workbench.await_squiggles(Squiggle("error", 6, "tierless"))
    workbench.show_problems()
    workbench.await_problem("there is no column `tierless`")
    workbench.close()
    workbench.await_no_problem("there is no column `tierless`")
    workbench.hide_problems()
