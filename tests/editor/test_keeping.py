"""What an editor found at a whole project is there for the next one who looks, as what ``smelt check`` found is."""

from pathlib import Path

import pytest

from smelt.analysis import incremental
from smelt.analysis import surroundings as judging
from smelt.editor.session import Workspace
from smelt.editor.snapshot import Snapshot
from smelt.engines.binder import DuckDBBinder
from smelt.workspace.checking import remembered
from smelt.workspace.inventory import digest
from smelt.workspace.reader import read_files
from tests.editor.projects import make

SETUP = "name: shop\ntargets:\n  dev: {type: duckdb, database: 'target/${NAME}.duckdb'}\n"
FILES = {
    "smelt.yml": SETUP,
    "models/sources/plans.yml": "columns: [{name: id, type: INTEGER}, {name: plan, type: VARCHAR}]\n",
    "models/first.sql": "SELECT id, plan FROM smelt.sources.plans\n",
    "models/second.sql": "SELECT id, lower(plan) AS plan FROM smelt.first\n",
    "models/third.sql": "SELECT nothing FROM smelt.second\n",
}
MODELS = ["models/customer_history.sql", "models/first.sql", "models/second.sql", "models/third.sql"]
RECORDS = "target/.cache/check-records.json"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NAME", "hush-hush")
    return make(tmp_path, FILES)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files of the models that are judged."""
    found: list[str] = []
    judge = judging.judge

    def counted(model: object, *rest: object) -> object:
        found.append(model.file)  # type: ignore[attr-defined]
        return judge(model, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "judge", counted)
    return found


def worked(root: Path, unsaved: dict[str, str] | None = None) -> Snapshot:
    """A whole look by an editor that is then closed."""
    workspace = Workspace()
    for file, text in (unsaved or {}).items():
        workspace.put(root / file, text, 1)
    task = workspace.task(root)
    snapshot = task.run()
    task.remember()
    workspace.close()
    return snapshot


def test_the_next_editor_judges_nothing(root: Path, judged: list[str]) -> None:
    first = worked(root)
    assert sorted(judged) == MODELS
    judged.clear()
    second = worked(root)
    assert judged == []
    assert second.findings == first.findings
    assert [found.code.name for found in second.findings["models/third.sql"]] == ["UnknownColumn"]


def test_it_is_what_a_check_leaves(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worked(root)
    environment = {"NAME": "hush-hush"}
    texts = read_files(root, {}, environment).texts
    digests = {file: digest(text.encode()) for file, text in texts.items()}
    binder = DuckDBBinder()
    checked = incremental.check(incremental.Texts(texts, digests, (), {}, environment), {}, binder)
    binder.close()
    assert remembered(root, SETUP, environment) == checked.records


def test_an_unsaved_text_is_not_taken_for_the_saved_one(root: Path, judged: list[str]) -> None:
    worked(root, {"models/third.sql": "SELECT plan FROM smelt.second\n"})
    judged.clear()
    again = worked(root)
    assert judged == ["models/third.sql"]
    assert [found.code.name for found in again.findings["models/third.sql"]] == ["UnknownColumn"]


def test_what_little_is_new_is_not_worth_writing(root: Path) -> None:
    for number in range(20):
        (root / f"models/more_{number}.sql").write_text(f"SELECT id + {number} AS id FROM smelt.first\n")
    worked(root)
    before = (root / RECORDS).stat().st_mtime_ns
    worked(root, {"models/third.sql": "SELECT plan FROM smelt.second\n"})
    assert (root / RECORDS).stat().st_mtime_ns == before
    (root / "models/first.sql").write_text("SELECT id, plan, 1 AS one FROM smelt.sources.plans\n")
    worked(root)
    assert (root / RECORDS).stat().st_mtime_ns > before


def test_nothing_is_kept_under_a_project_file_that_cannot_be_used(root: Path) -> None:
    workspace = Workspace()
    workspace.task(root).run()
    workspace.put(root / "smelt.yml", SETUP + "targets: [\n", 1)
    task = workspace.task(root)
    assert [found.code.name for found in task.run().findings["smelt.yml"]] == ["YamlSyntax"]
    task.remember()
    workspace.close()
    assert not (root / RECORDS).exists()


def test_no_secret_is_written_down(root: Path) -> None:
    (root / "models/third.sql").write_text('SELECT "hush-hush" FROM smelt.second\n')
    snapshot = worked(root)
    assert "hush-hush" in snapshot.findings["models/third.sql"][0].message
    assert not (root / RECORDS).exists()


def test_a_folder_that_cannot_be_written_goes_without(root: Path, judged: list[str]) -> None:
    (root / "target").write_text("in the way")
    first = worked(root)
    judged.clear()
    assert worked(root).findings == first.findings
    assert sorted(judged) == MODELS
