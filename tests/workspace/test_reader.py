"""Projects on disk: what is read, what is left alone, and what cannot be read."""

import io
import os
from pathlib import Path

import pytest

from smelt.project.model import Project
from smelt.workspace import files as project_files
from smelt.workspace.files import find_root
from smelt.workspace.reader import read_project

SETUP = "name: shop\ntargets:\n  dev: {type: duckdb, database: target/dev.duckdb}\n"


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for path, content in {"smelt.yml": SETUP, **files}.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return root


def read(root: Path, **more: object) -> Project:
    return read_project(root, environment={}, **more)  # type: ignore[arg-type]


def names(project: Project) -> list[str]:
    return sorted(map(str, project.addresses()))


def unreadable(project: Project) -> dict[str, str]:
    found = [one for one in project.diagnostics if one.code.name == "FileUnreadable"]
    assert len(found) == len(project.diagnostics)
    return {one.location.file: one.message.removeprefix("this file cannot be read: ") for one in found}


def test_the_root_is_the_nearest_folder_with_a_project_file(tmp_path: Path) -> None:
    write(tmp_path, {"models/silver/m.sql": "SELECT 1 AS one", "inner/smelt.yml": SETUP})
    assert find_root(tmp_path) == tmp_path
    assert find_root(tmp_path / "models" / "silver") == tmp_path
    assert find_root(tmp_path / "models" / "silver" / "m.sql") == tmp_path
    assert find_root(tmp_path / "inner") == tmp_path / "inner"
    (tmp_path / "inner" / "deep" / "smelt.yml").mkdir(parents=True)
    assert find_root(tmp_path / "inner" / "deep") == tmp_path / "inner"


def test_no_root(tmp_path: Path) -> None:
    assert find_root(tmp_path) is None or not find_root(tmp_path).is_relative_to(tmp_path)  # type: ignore[union-attr]


def test_texts_are_kept_to_the_letter(tmp_path: Path) -> None:
    text = "\ufeff---\r\nowner: '😀'\r\n---\r\nSELECT\t1 AS one\r"
    project = read(write(tmp_path, {"models/m.sql": text}))
    assert project.texts["models/m.sql"] == text
    assert project.diagnostics == ()


def test_only_the_paths_of_the_project_are_looked_at(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "smelt.yml": SETUP + "paths: [sql, ref/]\n",
        "sql/a.sql": "SELECT 1 AS one",
        "ref/b.csv": b"\xff\xfe no text at all",
        "models/c.sql": "SELECT 1 AS one",
        "docs/d.yml": b"\xff",
        "sql/.hidden/e.sql": b"\xff",
        "sql/.f.sql": b"\xff",
        "sql/readme.md": b"\xff",
        "sql/target/g.sql": "SELECT 1 AS one",
    }
    project = read(write(tmp_path, files))
    assert project.diagnostics == ()
    assert names(project) == ["a", "b", "target.g"]


def test_a_project_whose_root_is_its_path_leaves_generated_files_alone(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "smelt.yml": SETUP + "paths: [.]\n",
        "a.sql": "SELECT 1 AS one",
        "target/b.sql": b"\xff",
        ".smelt/c.yml": b"\xff",
        ".git/d.sql": b"\xff",
    }
    project = read(write(tmp_path, files))
    assert project.diagnostics == ()
    assert names(project) == ["a"]


def test_folders_that_are_not_there_are_empty(tmp_path: Path) -> None:
    project = read(write(tmp_path, {"smelt.yml": SETUP + "paths: [models, seeds]\n"}))
    assert (project.diagnostics, names(project)) == ((), [])


def test_data_is_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, str | bytes] = {
        "models/s.yml": "files: data/*.csv\ncolumns: [{name: id, type: INTEGER}]",
        "models/c.csv": "id\n1\n",
        "models/c.yml": "columns: [{name: id, type: INTEGER}]",
        "data/x.csv": "id\n1\n",
    }
    write(tmp_path, files)
    opened: list[str] = []
    original = io.open

    def opening(path: object, *arguments: object, **more: object) -> object:
        opened.append(Path(str(path)).relative_to(tmp_path).as_posix())
        return original(path, *arguments, **more)  # type: ignore[call-overload]

    def refuse(*arguments: object, **more: object) -> None:
        raise AssertionError(f"opened {arguments}")

    monkeypatch.setattr(io, "open", opening)  # what pathlib opens by
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr(os, "open", refuse)
    project = read(tmp_path)
    assert names(project) == ["c", "s"]
    assert sorted(opened) == ["models/c.yml", "models/s.yml", "smelt.yml"]


def test_unsaved_texts_count_as_saved(tmp_path: Path) -> None:
    write(tmp_path, {"models/a.sql": "SELECT 1 AS one", "models/b.sql": b"\xff"})
    overlay = {
        "models/a.sql": "SELECT 2 AS two",
        "models/b.sql": "SELECT 3 AS three",
        "models/new.sql": "SELECT * FROM smelt.a",
        "smelt.yml": SETUP + "paths: [models]\n",
        "models/c.csv": "id\n",
        "notes.txt": "x",
    }
    project = read(tmp_path, overlay=overlay)
    assert project.diagnostics == ()
    assert names(project) == ["a", "b", "new"]
    assert project.texts["models/a.sql"] == "SELECT 2 AS two"
    assert project.texts["smelt.yml"] == overlay["smelt.yml"]
    assert "notes.txt" not in project.texts


def test_an_unsaved_project_file_moves_the_paths(tmp_path: Path) -> None:
    write(tmp_path, {"models/a.sql": "SELECT 1 AS one", "sql/b.sql": "SELECT 1 AS one"})
    assert names(read(tmp_path, overlay={"smelt.yml": SETUP + "paths: [sql]\n"})) == ["b"]


def test_the_environment_is_the_process_s_unless_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMELT_TEST_NAME", "ann")
    write(tmp_path, {"smelt.yml": SETUP.replace("shop", "${SMELT_TEST_NAME}")})
    config = read_project(tmp_path).config
    assert config is not None
    assert config.name == "ann"
    assert [one.code.name for one in read(tmp_path).diagnostics] == ["UndefinedVariable"]


def test_what_cannot_be_read_is_told_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_files, "MAX_BYTES", 3_000_000)
    files: dict[str, str | bytes] = {
        "models/latin.sql": "SELECT 1,\n 'Zéro', 'Zürich'".encode().replace("ü".encode(), b"\xfc"),
        "models/utf16.yml": "a: 1".encode("utf-16"),
        "models/large.sql": b"-" * 3_000_001,
        "models/good.sql": "SELECT 1 AS one",
    }
    write(tmp_path, files)
    os.mkfifo(tmp_path / "models" / "pipe.sql")
    project = read(tmp_path)
    assert unreadable(project) == {
        "models/latin.sql": "the byte FC at line 2, column 12 is not UTF-8",
        "models/utf16.yml": "the byte FF at line 1, column 1 is not UTF-8",
        "models/large.sql": "it is larger than 3 MB",
        "models/pipe.sql": "it is no regular file",
    }
    assert names(project) == ["good"]


def test_a_name_that_is_no_text_is_told_in_letters(tmp_path: Path) -> None:
    write(tmp_path, {"models/good.sql": "SELECT 1 AS one"})
    for name in (b"bad\xff.sql", b"worse\xff.csv"):
        (tmp_path / "models" / os.fsdecode(name)).write_bytes(b"SELECT 1")
    found = unreadable(read(tmp_path))
    assert set(found.values()) == {"its name is not UTF-8"}
    assert all(path.encode("utf-8") for path in found)


@pytest.mark.parametrize("mark", ["\x1b[31m", "\n", "\r", "\t", "\x7f", "\x85", "\u2028"])
def test_a_name_that_would_steer_a_terminal_is_told_without_it(tmp_path: Path, mark: str) -> None:
    write(tmp_path, {"models/good.sql": "SELECT 1 AS one", f"models/a{mark}.sql": "SELECT 1 AS one"})
    write(tmp_path, {f"models/b{mark}/seed.csv": "a\n1\n", "models/ünï côde 漢.sql": "SELECT 1 AS one"})
    project = read(tmp_path)
    assert set(unreadable(project).values()) == {"its name holds a control character"}
    assert len(unreadable(project)) == 2
    assert not any(mark in path for path in unreadable(project))
    assert {"good", "ünï côde 漢"} <= set(names(project))


def test_a_folder_that_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read everything, so the refusal is made by hand."""
    write(tmp_path, {"models/good.sql": "SELECT 1 AS one", "models/shut/a.sql": "SELECT 1 AS one"})
    scandir = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    project = read(tmp_path)
    assert unreadable(project) == {"models/shut": "Permission denied"}
    assert names(project) == ["good"]


def test_links_are_followed_and_loops_end(tmp_path: Path) -> None:
    write(tmp_path / "shared", {"deep/x.sql": "SELECT 1 AS one"})
    root = write(tmp_path / "project", {"models/a.sql": "SELECT 1 AS one"})
    (root / "models" / "linked").symlink_to(tmp_path / "shared" / "deep")
    (root / "models" / "loop").symlink_to(root / "models")
    (root / "models" / "dangling.sql").symlink_to(root / "nothing.sql")
    project = read(root)
    assert names(project) == ["a", "linked.x"]
    assert unreadable(project) == {"models/dangling.sql": "it links to a file that is not there"}


def test_a_project_folder_without_its_file(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.sql").write_text("SELECT 1 AS one", encoding="utf-8")
    project = read(tmp_path)
    assert [one.code.name for one in project.diagnostics] == ["ProjectFileMissing"]
    assert names(project) == ["a"]
