"""The editor's bench: the models it edits, and what it makes of its measurements."""

from itertools import pairwise
from pathlib import Path

import pytest

from benches.editor import Arm, Document, document, model_text, percentile, report
from benches.projects import generate
from benches.warehouses.writing import write
from smelt.editor.session import Workspace


@pytest.mark.parametrize("lines", [50, 300])
def test_an_edited_model_has_so_many_lines_and_one_finding(tmp_path: Path, lines: int) -> None:
    warehouse = generate(10)
    root = tmp_path.resolve() / "project"
    write(warehouse, "smelt", root)
    edited = document(root, warehouse, lines)
    assert edited.text.count("\n") == lines
    path = Path(edited.uri.removeprefix("file://"))
    workspace = Workspace()
    workspace.put(path, edited.text, 1)
    found = workspace.task(root).run().of(path.relative_to(root).as_posix())
    assert [one.code.name for one in found] == ["UnknownColumn"]
    workspace.close()


def test_every_edit_is_another_text_under_another_version() -> None:
    source = next(one for one in generate(10).sources if one.is_stream)
    edited = Document("file:///a.sql", model_text(source, 50))
    edited.opened()
    texts = [edited.edited()["contentChanges"][0]["text"] for _ in range(10)]
    assert all(before != after for before, after in pairwise(texts))
    assert edited.version == 11


def test_percentiles() -> None:
    assert percentile([5.0, 1.0, 3.0], 0.5) == 3.0
    assert percentile([float(one) for one in range(100)], 0.95) == 95.0


def test_a_missed_bar_is_told() -> None:
    arm = Arm("smelt", Path("smelt-lsp"), memory=[(10, 2**20)], publications=[1])
    arm.note("index, warm", 2.0)
    arm.note("edit of 300 lines, pushed", 0.1)
    told = report([arm])
    assert "smelt ≤ 1000: MISSED" in told
    assert "smelt ≤ 180: met" in told
    assert "MiB after 10 edits" in told
