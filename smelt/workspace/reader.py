"""Project files from disk, with unsaved texts laid over them. Never opens the data that sources and seeds name."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from smelt.project.load import PROJECT_FILE, load_project
from smelt.project.model import Project

MAX_BYTES = 10_000_000
"""A larger text file is no hand-written one; it becomes a finding."""

_TEXTS = (".sql", ".yml", ".yaml")
_SKIPPED = {"target", "node_modules", "__pycache__", "venv"}


def find_root(start: Path) -> Path | None:
    """The nearest folder, from ``start`` upwards, that holds a ``smelt.yml``."""
    here = start.resolve()
    for folder in (here, *here.parents):
        if (folder / PROJECT_FILE).is_file():
            return folder
    return None


def read_project(
    root: Path, overlay: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None
) -> Project:
    """The project in a folder.

    Args:
        root: the folder of ``smelt.yml``.
        overlay: texts of unsaved buffers, by path relative to the root.
        environment: for ``${NAME}``; the process's own if None.
    """
    files: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    seeds: list[str] = []
    laid = dict(overlay or {})
    for path in _paths(root):
        if path.lower().endswith(".csv"):
            seeds.append(path)
        elif path in laid:
            continue
        else:
            _read(root, path, files, unreadable)
    files.update({path: text for path, text in laid.items() if path.lower().endswith(_TEXTS)})
    variables = dict(os.environ) if environment is None else environment
    return load_project(files, seeds=sorted(seeds), unreadable=unreadable, environment=variables)


def _read(root: Path, path: str, files: dict[str, str], unreadable: dict[str, str]) -> None:
    full = root / path
    try:
        if full.stat().st_size > MAX_BYTES:
            unreadable[path] = f"it is larger than {MAX_BYTES // 1_000_000} MB"
            return
        files[path] = full.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        unreadable[path] = f"it is not UTF-8 text (byte {error.start + 1})"
    except OSError as error:
        unreadable[path] = error.strerror or "the file system refused"


def _paths(root: Path) -> Iterator[str]:
    """Relative paths of the files that can belong to a project, sorted; each real folder is entered once."""
    seen: set[tuple[int, int]] = set()
    for folder, folders, names in os.walk(root, followlinks=True):
        here = Path(folder)
        status = here.stat()
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = sorted(name for name in folders if not _is_skipped(here, root, name))
        for name in sorted(names):
            if name.lower().endswith((*_TEXTS, ".csv")) and not name.startswith("."):
                yield (here / name).relative_to(root).as_posix()


def _is_skipped(here: Path, root: Path, name: str) -> bool:
    return name.startswith(".") or (name in _SKIPPED and here == root)
