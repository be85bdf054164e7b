"""How many files a source's pattern finds, on the key that names it."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from smelt.editor import data_files
from smelt.editor.data_files import count_files, pattern_at
from smelt.editor.hover import hover
from smelt.editor.session import Workspace
from smelt.engines.duckdb.files import find
from smelt.engines.duckdb.session import Session
from tests.editor.projects import MODEL, SOURCE, look, make

NONE = "Matches no file now; a run needs at least one."


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    workspace = Workspace()
    yield workspace
    workspace.close()


def told(workspace: Workspace, root: Path, pattern: str, word: str = "files") -> str:
    """The hover's last line over a word of the source's file."""
    text = (root / SOURCE).read_text()
    named = next(line for line in text.splitlines() if line.startswith(("files:", "name:")))
    text = text.replace(named, f"files: {pattern}")
    workspace.put(root / SOURCE, text, 1)
    snapshot = look(workspace, root)
    offset = text.index(word)
    found = pattern_at(snapshot, SOURCE, offset)
    matching = count_files(snapshot.root, found) if found is not None else None
    shown = hover(snapshot, SOURCE, offset, matching)
    return shown.markdown.splitlines()[-1] if shown is not None else ""


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("lake/*.parquet", NONE),
        ("lake/*.csv", "Matches 2 files now."),
        ("'lake/**/*.csv'", "Matches 3 files now."),
        ("lake/*/c.csv", "Matches 1 file now."),
        ("lake/deep", NONE),
        ("ROOT/lake/*.csv", "Matches 2 files now."),
    ],
)
def test_the_key_tells_how_many_match(pattern: str, line: str, workspace: Workspace, tmp_path: Path) -> None:
    root = make(tmp_path, {"lake/a.csv": "n\n1\n", "lake/b.csv": "", "lake/deep/c.csv": "n\n"})
    pattern = pattern.replace("ROOT", root.as_posix())
    assert told(workspace, root, pattern) == line
    assert told(workspace, root, pattern, word=pattern) == line
    assert [found.code.name for found in look(workspace, root).of(SOURCE)] == []


@pytest.mark.parametrize("pattern", ["lake/*.csv", "lake/**/*.csv", "lake/*/c.csv", "lake/[ab].csv", "lake/de*"])
def test_a_run_finds_as_many(pattern: str, tmp_path: Path) -> None:
    root = make(tmp_path / "a [b]", {f"lake/{name}.csv": "n\n1\n" for name in ("a", "b", "deep/c")})
    found = find(cast(Session, None), root, pattern)  # a database is asked for files that lie elsewhere
    assert count_files(root, pattern) == (len(found.paths) if found is not None else 0)


def test_what_lies_elsewhere_is_not_counted(workspace: Workspace, tmp_path: Path) -> None:
    root = make(tmp_path)
    assert "Matches" not in told(workspace, root, "s3://bucket/*.parquet")
    assert "Matches" not in told(workspace, root, "lake/*.csv", word="columns")
    assert pattern_at(look(workspace, root), MODEL, 0) is None


def test_a_folder_that_the_environment_names_is_not_counted(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMELT_TEST_FOLDER", "models")
    setup = "name: example\npaths: ['${SMELT_TEST_FOLDER}']\ntargets: {dev: {type: duckdb}}\ndefault_target: dev\n"
    snapshot = look(workspace, make(tmp_path, {"smelt.yml": setup}))
    assert MODEL in snapshot.addresses
    assert hover(snapshot, "smelt.yml", setup.index("SMELT")) is None


def test_counting_ends(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(tmp_path, {f"lake/{at}.csv": "" for at in range(9)})
    monkeypatch.setattr(data_files, "MANY", 7)
    assert count_files(root, "lake/*.csv") == 8


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    assert count_files(tmp_path, "x" * 5000) == 0
    assert count_files(tmp_path, "a\0b*") in (None, 0)
