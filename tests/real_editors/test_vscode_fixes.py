"""VS Code offers every kind of quick fix under its title, makes exactly its edits, and takes them back."""

from pathlib import Path

import pytest

from smelt.text.lines import LineIndex
from tests.real_editors import fixable
from tests.real_editors.conftest import with_settings
from tests.real_editors.vscode.workbench import Workbench

pytestmark = pytest.mark.real_editor


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a project in a folder of its own for each kind."""
    root = with_settings(tmp_path_factory.mktemp("fixes"))
    for kind in fixable.KINDS:
        fixable.write(_folder(root, kind), fixable.fixable(*kind).files)
    return root


@pytest.mark.parametrize("kind", fixable.KINDS, ids=": ".join)
def test_a_quick_fix_is_applied_and_undone(kind: tuple[str, str], root: Path, workbench: Workbench) -> None:
    case = fixable.fixable(*kind)
    folder, file = _folder(root, kind), case.finding.location.file
    start = LineIndex(case.files[file]).position(case.finding.location.span.start)
    workbench.open(folder / file, start.line, start.column)
    workbench.await_marked(start.line)

    assert case.title in workbench.offered()
    workbench.choose(case.title)
    ((changed, text),) = case.mended().items()
    if changed != file:
        workbench.open(folder / changed)
    workbench.await_text(text)
    if changed != file:
        workbench.open(folder / file)
    workbench.await_squiggles()

    if changed != file:
        workbench.open(folder / changed)
    workbench.undo()
    workbench.await_text(case.files[changed])
    if changed != file:
        workbench.open(folder / file)
    workbench.await_marked(start.line)


def test_every_kind_that_a_page_shows_is_tried() -> None:
    assert fixable.of_the_pages() == fixable.SHOWN


def _folder(root: Path, kind: tuple[str, str]) -> Path:
    return root / f"{kind[0]}-{len(kind[1])}"
