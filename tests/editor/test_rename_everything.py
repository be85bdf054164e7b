"""Everything with a name in the examples gets another one: the projects find what they found, give what they gave."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from smelt.analysis.analyze import analyze
from smelt.analysis.model import Analysis
from smelt.editor.definition import given_at, under
from smelt.editor.index import Index
from smelt.editor.occurrences import occurrences
from smelt.editor.readdress import NoRename
from smelt.editor.rename import rename
from smelt.editor.session import Workspace
from smelt.editor.snapshot import Snapshot
from smelt.editor.targets import ColumnTarget, Occurrence, RelationTarget, Target
from smelt.engines.binder import DuckDBBinder
from smelt.project.load import load_project
from smelt.text.edits import apply_edits
from tests.editor.projects import look

EXAMPLES = sorted(path.parent for path in (Path(__file__).parents[2] / "examples").glob("*/smelt.yml"))
NEW = {True: "moved.to_here", False: "quite another"}


@pytest.fixture(params=EXAMPLES, ids=lambda path: path.name, scope="module")
def snapshot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = tmp_path_factory.mktemp("examples") / "project"
    shutil.copytree(request.param, root, ignore=shutil.ignore_patterns("*.parquet"))
    return look(Workspace(), root)


def first_of_each(snapshot: Snapshot) -> dict[Target, Occurrence]:
    """A place for each thing with a name, where a cursor means that thing."""
    index = Index.of(snapshot)
    assert index is not None
    files = sorted(snapshot.addresses.keys() | {"smelt.yml"})
    found: dict[Target, Occurrence] = {}
    for file in files:
        for one in occurrences(index, file):
            if (given_at(index, file, one.span.end) or under(index, file, one.span.end))[0].target == one.target:
                found.setdefault(one.target, one)
    return found


def renamed(snapshot: Snapshot, one: Occurrence, binder: DuckDBBinder) -> Analysis:
    new = NEW[isinstance(one.target, RelationTarget)]
    renaming = rename(snapshot, one.file, one.span.end, new)
    texts = dict(snapshot.texts)
    for file in {edit.file for edit in renaming.edits}:
        texts[file] = apply_edits(texts[file], [edit.edit for edit in renaming.edits if edit.file == file])
    paths = {move.old: move.new for move in renaming.files}
    seeds = [seed.file for seed in snapshot.analysis.project.seeds.values()] if snapshot.analysis else []
    files = {paths.get(file, file): text for file, text in texts.items()}
    return analyze(load_project(files, seeds=[paths.get(file, file) for file in seeds]), binder)


def columns(analysis: Analysis) -> Counter[tuple[tuple[str, str], ...]]:
    """What the models give, whatever they are called."""
    return Counter(tuple((one.name, one.type) for one in model.columns or ()) for model in analysis.models.values())


def test_every_name_can_be_another(snapshot: Snapshot) -> None:
    assert snapshot.analysis is not None
    binder, refused = DuckDBBinder(), []
    known = {address for address, model in snapshot.analysis.models.items() if model.columns is not None}
    before, changed = columns(snapshot.analysis), 0
    for one in first_of_each(snapshot).values():
        try:
            after = renamed(snapshot, one, binder)
        except NoRename as no:
            refused.append(str(no))
            continue
        assert [found.code.name for found in after.diagnostics] == [
            found.code.name for found in snapshot.analysis.diagnostics
        ], one
        lost = (before - columns(after)).total()
        assert lost == (isinstance(one.target, ColumnTarget) and one.target.address in known), one
        changed += 1
    binder.close()
    assert changed > len(refused)
