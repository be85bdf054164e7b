"""URIs as clients write them."""

from pathlib import Path

import pytest

from smelt.editor.session import Workspace
from smelt.editor.snapshot import Buffer, Place
from smelt_lsp.documents import Documents, path_of
from tests.editor.projects import MODEL, make


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.sql", "/a/b.sql"),
        ("file:///a%20b/c%23.sql", "/a b/c#.sql"),
        ("file:///%C3%A9/%F0%9F%98%80.sql", "/é/😀.sql"),
        ("file://localhost/a.sql", "/a.sql"),
        ("file://[half/a.sql", None),
        ("http://[half/a.sql", None),
        ("file:///c%3A/a.sql", "c:/a.sql"),
        ("file:///C:/a.sql", "C:/a.sql"),
        ("untitled:Untitled-1", None),
        ("git:/a/b.sql?ref=HEAD", None),
        ("vscode-notebook-cell:/a.ipynb#x", None),
        ("file:///a%00b", None),
        ("", None),
    ],
)
def test_path_of_a_uri(uri: str, path: str | None) -> None:
    assert path_of(uri) == (Path(path) if path is not None else None)


def test_answers_use_the_name_the_client_gave(tmp_path: Path) -> None:
    root = make(tmp_path)
    place = Place(root.resolve(), MODEL)
    documents = Documents(Workspace())
    odd = f"file://{root}/models/customer%5Fhistory.sql"
    assert documents.put(odd, "SELECT 1", 3) == place
    assert documents.uri(place) == odd
    assert documents.version(odd) == 3
    documents.drop(odd)
    assert documents.version(odd) is None
    assert documents.uri(place) == (root.resolve() / MODEL).as_uri()


def test_a_file_is_open_while_one_of_its_names_is(tmp_path: Path) -> None:
    root = make(tmp_path)
    workspace = Workspace()
    documents = Documents(workspace)
    plain, odd = f"file://{root}/{MODEL}", f"file://{root}/models/customer%5Fhistory.sql"
    documents.put(plain, "SELECT 1 AS one", 1)
    documents.put(odd, "SELECT 2 AS two", 7)
    assert workspace.task(root.resolve()).buffers[MODEL].text == "SELECT 2 AS two"
    documents.drop(odd)
    assert workspace.task(root.resolve()).buffers[MODEL] == Buffer("SELECT 1 AS one", 1)
    documents.put(odd, "SELECT 3 AS three", 8)
    documents.drop(plain)
    assert workspace.task(root.resolve()).buffers[MODEL] == Buffer("SELECT 3 AS three", 8)
    documents.drop(odd)
    assert MODEL not in workspace.task(root.resolve()).buffers


def test_a_deleted_file_is_open_under_no_name(tmp_path: Path) -> None:
    root = make(tmp_path)
    workspace = Workspace()
    documents = Documents(workspace)
    names = [f"file://{root}/{MODEL}", f"file://{root}/models/customer%5Fhistory.sql"]
    for uri in names:
        documents.put(uri, "SELECT 1 AS one", 1)
    documents.deleted(root / MODEL)
    assert [documents.version(uri) for uri in names] == [None, None]
    assert MODEL not in workspace.task(root.resolve()).buffers


def test_half_a_surrogate_pair_becomes_text_of_the_same_width(tmp_path: Path) -> None:
    root = make(tmp_path)
    workspace = Workspace()
    Documents(workspace).put((root / MODEL).as_uri(), "SELECT '\ud83d' AS x", 1)
    assert workspace.task(root.resolve()).buffers[MODEL].text == "SELECT '\ufffd' AS x"
