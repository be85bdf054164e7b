"""VS Code helps to write: completion while the SQL is broken, names changed everywhere, sources that models follow."""

from pathlib import Path

import pytest

from tests.editor import projects
from tests.pages.reading import default_files
from tests.real_editors import models
from tests.real_editors.conftest import Picture, with_settings
from tests.real_editors.vscode.workbench import Squiggle, Workbench

pytestmark = pytest.mark.real_editor

BROKEN = "SELECT customer_id, \nFROM smelt.sources.customer_changes\nWHERE tier = \n"
CURRENT = """---
materialization: view
---
SELECT customer_id, valid_from
FROM smelt.customer_history
WHERE valid_to IS NULL
"""
SOURCE = default_files()[projects.SOURCE]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of three projects: each test changes its own."""
    root = with_settings(tmp_path_factory.mktemp("writing"))
    for name in ("completed", "renamed", "followed"):
        files = {projects.MODEL: models.RIGHT, "models/current.sql": CURRENT, "models/broken.sql": BROKEN}
        projects.make(root / name, files)
    return root


def test_columns_are_completed_in_a_query_that_does_not_parse(
    root: Path, workbench: Workbench, picture: Picture
) -> None:
    workbench.open(root / "completed/project/models/broken.sql", 1, 21)
    workbench.await_marked(3)
    suggested = workbench.completions()
    assert suggested[:3] == ["customer_id", "tier", "region"]
    picture(workbench, "completion")
    workbench.accept_completion("region")
    workbench.await_text(BROKEN.replace("customer_id, ", "customer_id, region"))


def test_addresses_are_completed_behind_the_dot(root: Path, workbench: Workbench) -> None:
    workbench.open(root / "completed/project/models/broken.sql", 2, 12)
    workbench.await_marked(3)
    assert {"customer_history", "current"} <= set(workbench.completions())


def test_a_model_gets_another_name_in_its_file_and_in_every_query(root: Path, workbench: Workbench) -> None:
    folder = root / "renamed/project/models"
    workbench.open(folder / "current.sql", 5, 15)
    workbench.await_squiggles()
    workbench.rename("history_of_customers")
    workbench.await_text(CURRENT.replace("customer_history", "history_of_customers"))
    workbench.await_lens("view · never run | run | explain")
    workbench.await_file("history_of_customers.sql")
    workbench.open(folder / "history_of_customers.sql")
    workbench.await_text(models.RIGHT)
    workbench.await_squiggles()
    assert not (folder / "customer_history.sql").exists()


def test_a_model_follows_its_source_while_that_is_edited_in_another_tab(root: Path, workbench: Workbench) -> None:
    folder = root / "followed/project"
    workbench.open(folder / projects.MODEL)
    workbench.await_squiggles()
    workbench.await_lens("succession · never run · covers nothing | run | explain | verify")
    line = SOURCE.splitlines().index("  - {name: tier,          type: VARCHAR}") + 1
    workbench.open(folder / projects.SOURCE, line, 16)
    workbench.type("s")
    workbench.open(folder / projects.MODEL)
    workbench.await_squiggles(Squiggle("error", 6, "tier"))
    workbench.await_lens("refused · never run | explain")
    workbench.open(folder / projects.SOURCE, line, 16)
    workbench.undo()
    workbench.open(folder / projects.MODEL)
    workbench.await_squiggles()
    workbench.await_lens("succession · never run · covers nothing | run | explain | verify")
