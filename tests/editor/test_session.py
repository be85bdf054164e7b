"""Unsaved texts, projects found and lost, and what happens when smelt itself fails."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from smelt.analysis.binding import Binding, Columns, Refusals
from smelt.editor.look import ProjectSession
from smelt.editor.session import Workspace
from smelt.editor.snapshot import Place
from smelt.engines.binder import DuckDBBinder
from smelt.project.model import Address, Project
from tests.editor.projects import MODEL, SOURCE, codes, look, make

MISPLACED = "SuccessionDeleteFilterMisplaced"


def broken(text: str) -> str:
    assert "QUALIFY NOT is_deleted" in text
    return text.replace("QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")


def test_the_unsaved_text_counts_and_the_saved_one_again_after_closing(tmp_path: Path) -> None:
    root = make(tmp_path)
    text = (root / MODEL).read_text()
    workspace = Workspace()
    workspace.put(root / MODEL, broken(text), 4)
    snapshot = look(workspace, root)
    assert codes(snapshot, MODEL) == [MISPLACED]
    assert snapshot.versions == {MODEL: 4}
    assert snapshot.of(MODEL)[0].location.span.of(snapshot.texts[MODEL]) == "is_deleted = FALSE"
    workspace.drop(root / MODEL)
    assert look(workspace, root).findings == {}


def test_a_look_at_an_earlier_state_is_not_accepted(tmp_path: Path) -> None:
    root = make(tmp_path).resolve()
    workspace = Workspace()
    workspace.put(root / MODEL, "SELECT", 1)
    early = workspace.task(root)
    workspace.put(root / MODEL, (root / MODEL).read_text(), 2)
    assert not workspace.accept(early.run())
    assert workspace.current(root) is None
    snapshot = look(workspace, root)
    assert workspace.current(root) is snapshot


def test_a_changed_source_changes_what_is_found_in_its_models(tmp_path: Path) -> None:
    root = make(tmp_path)
    workspace = Workspace()
    workspace.put(root / MODEL, (root / MODEL).read_text(), 1)
    assert codes(look(workspace, root), MODEL) == []
    source = (root / SOURCE).read_text()
    workspace.put(root / SOURCE, source.replace("mutation_profile: append_only\n", ""), 1)
    assert codes(look(workspace, root), MODEL) == ["SuccessionDrivingSourceNotAppendOnly"]


def test_the_last_good_project_file_stands_in_for_a_half_edited_one(tmp_path: Path) -> None:
    good = "name: example\npaths: [warehouse]\ntargets:\n  dev: {type: duckdb}\ndefault_target: dev\n"
    root = make(tmp_path, {"smelt.yml": good, "warehouse/a.sql": "SELECT 1 AS n, nope\n"})
    workspace = Workspace()
    assert codes(look(workspace, root), "warehouse/a.sql") == ["UnknownColumn"]
    workspace.put(root / "smelt.yml", good.replace("paths: [warehouse]", "paths: [ware"), 7)
    snapshot = look(workspace, root)
    assert codes(snapshot, "smelt.yml") == ["YamlSyntax"]
    assert codes(snapshot, "warehouse/a.sql") == ["UnknownColumn"]
    assert snapshot.texts["smelt.yml"].splitlines()[1] == "paths: [ware"


def test_an_emptied_project_file_lacks_what_it_lacks_afresh(tmp_path: Path) -> None:
    root = make(tmp_path)
    workspace = Workspace()
    assert look(workspace, root).findings == {}
    workspace.put(root / "smelt.yml", "", 1)
    fresh = Workspace()
    fresh.put(root / "smelt.yml", "", 1)
    assert look(workspace, root).of("smelt.yml") == look(fresh, root).of("smelt.yml") != ()


def test_a_project_file_that_never_was_good_is_a_finding_and_the_models_are_still_judged(tmp_path: Path) -> None:
    root = make(tmp_path, {"smelt.yml": "name: [\n"})
    workspace = Workspace()
    workspace.put(root / MODEL, broken((root / MODEL).read_text()), 1)
    snapshot = look(workspace, root)
    assert codes(snapshot, "smelt.yml") == ["YamlSyntax"]
    assert codes(snapshot, MODEL) == [MISPLACED]


def test_an_emptied_file_shows_nothing_and_an_emptied_project_file_does(tmp_path: Path) -> None:
    root = make(tmp_path)
    workspace = Workspace()
    for file in (MODEL, SOURCE, "smelt.yml"):
        workspace.put(root / file, " \r\n", 2)
    snapshot = look(workspace, root)
    assert codes(snapshot, MODEL) == []
    assert codes(snapshot, SOURCE) == []
    assert codes(snapshot, "smelt.yml") != []


def test_a_fault_of_smelt_is_the_finding_of_every_open_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    root = make(tmp_path).resolve()
    failing = True

    class Failing(DuckDBBinder):
        def bind(
            self, project: Project, known: Mapping[Address, Columns | None], refused: Refusals | None = None
        ) -> Mapping[Address, Binding]:
            if failing:
                raise RecursionError("too deep")
            return super().bind(project, known, refused)

    workspace = Workspace(lambda folder: ProjectSession(folder, Failing()))
    workspace.put(root / MODEL, (root / MODEL).read_text(), 1)
    workspace.put(root / SOURCE, (root / SOURCE).read_text(), 1)
    snapshot = look(workspace, root)
    assert codes(snapshot, MODEL) == codes(snapshot, SOURCE) == ["InternalError"]
    assert "RecursionError" in snapshot.of(MODEL)[0].message
    assert "Traceback" in caplog.text
    failing = False
    workspace.touch(root / MODEL)
    assert look(workspace, root).findings == {}


def test_files_belong_to_the_nearest_project(tmp_path: Path) -> None:
    outer = make(tmp_path)
    inner = make(outer / "inside")
    workspace = Workspace()
    assert workspace.place(outer / MODEL) == Place(outer.resolve(), MODEL)
    assert workspace.place(inner / MODEL) == Place(inner.resolve(), MODEL)
    assert workspace.place(tmp_path / "elsewhere.sql") is None
    assert workspace.discover(tmp_path) == (outer.resolve(), inner.resolve())
    assert workspace.discover(inner / "models") == (inner.resolve(),)


def test_an_unsaved_project_file_makes_a_project_and_a_deleted_one_unmakes_it(tmp_path: Path) -> None:
    root = make(tmp_path)
    text = (root / "smelt.yml").read_text()
    (root / "smelt.yml").unlink()
    workspace = Workspace()
    assert workspace.place(root / MODEL) is None
    workspace.put(root / "smelt.yml", text, 1)
    assert workspace.place(root / MODEL) == Place(root.resolve(), MODEL)
    look(workspace, root)
    assert workspace.gone() == ()
    workspace.drop(root / "smelt.yml")
    assert workspace.gone() == (root.resolve(),)
    workspace.forget(root.resolve())
    assert workspace.roots() == ()


def test_a_file_reached_through_a_link_keeps_its_place(tmp_path: Path) -> None:
    root = make(tmp_path)
    link = tmp_path / "link"
    link.symlink_to(root, target_is_directory=True)
    workspace = Workspace()
    assert workspace.place(link / "models" / ".." / MODEL) == Place(root.resolve(), MODEL)


def test_a_name_that_no_file_can_have_is_in_no_project(tmp_path: Path) -> None:
    too_long = tmp_path / ("x" * 300)
    workspace = Workspace()
    workspace.put(too_long / MODEL, "SELECT 1 AS a", 1)
    assert workspace.place(too_long / MODEL) is None
    assert workspace.discover(too_long) == ()
    assert workspace.gone() == ()


def test_looking_creates_no_file(tmp_path: Path) -> None:
    root = make(tmp_path)
    before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
    workspace = Workspace()
    look(workspace, root)
    workspace.close()
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("cut", range(0, 260, 7))
def test_half_written_text_never_is_a_fault(tmp_path: Path, cut: int) -> None:
    root = make(tmp_path)
    text = (root / MODEL).read_text()
    workspace = Workspace()
    workspace.put(root / MODEL, text[:cut], 1)
    assert "InternalError" not in codes(look(workspace, root), MODEL)
