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
COMPLETED, RENAMED, FOLLOWED, MOVED = "customers", "orders", "support", "visits"
SOURCE = default_files()[projects.SOURCE]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of four projects: each test changes its own."""
    root = tmp_path_factory.mktemp("writing") / "analytics"
    for name in (COMPLETED, RENAMED, FOLLOWED, MOVED):
        files = {projects.MODEL: models.RIGHT, "models/current.sql": CURRENT, "models/tiers.sql": BROKEN}
        projects.make(root, files).rename(root / name)
    return with_settings(root, **{"files.exclude": {"**/.vscode": True}})


def test_columns_are_completed_in_a_query_that_does_not_parse(
    root: Path, workbench: Workbench, picture: Picture
) -> None:
    workbench.open(root / COMPLETED / "models/tiers.sql", 1, 21)
    workbench.await_marked(3)
    suggested = workbench.completions()
    assert suggested[:3] == ["customer_id", "tier", "region"]
    picture(workbench, "completion")
    workbench.accept_completion("region")
    workbench.await_text(BROKEN.replace("customer_id, ", "customer_id, region"))


def test_addresses_are_completed_behind_the_dot(root: Path, workbench: Workbench) -> None:
    workbench.open(root / COMPLETED / "models/tiers.sql", 2, 12)
    workbench.await_marked(3)
    assert {"customer_history", "current"} <= set(workbench.completions())


def test_a_model_gets_another_name_in_its_file_and_in_every_query(root: Path, workbench: Workbench) -> None:
    folder = root / RENAMED / "models"
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


def test_what_names_a_file_follows_when_it_gets_another_name_in_the_explorer(root: Path, workbench: Workbench) -> None:
    folder = root / MOVED / "models"
    workbench.open(folder / "current.sql", 5, 15)
    workbench.await_squiggles()
    workbench.open(folder / "customer_history.sql")
    workbench.rename_file("customer_history.sql", "visitors.sql")
    workbench.agree("Extension 'smelt' wants to make refactoring changes")
    workbench.await_file("visitors.sql")
    workbench.await_open(folder / "visitors.sql")
    workbench.open(folder / "current.sql")
    workbench.await_text(CURRENT.replace("customer_history", "visitors"))
    workbench.await_lens("view · never run | run | explain")
    workbench.await_squiggles()
    assert (folder / "visitors.sql").is_file()


def test_a_model_follows_its_source_while_that_is_edited_in_another_tab(root: Path, workbench: Workbench) -> None:
    folder = root / FOLLOWED
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
