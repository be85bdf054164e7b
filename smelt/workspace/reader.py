"""Project files from disk, with unsaved texts laid over them.

Never opens the data that sources and seeds name: of a CSV only its path is taken.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from smelt.project.addresses import PROJECT_FILE
from smelt.project.config import DEFAULT_PATHS, source_paths
from smelt.project.load import load_project
from smelt.project.model import Project

MAX_BYTES = 10_000_000
"""A larger text is none that a person wrote; it becomes a finding."""

_TEXTS = (".sql", ".yml", ".yaml")
_SEEDS = (".csv",)
_GENERATED = "target"


def find_root(start: Path) -> Path | None:
    """The nearest folder, from ``start`` (a folder or a file) upwards, that holds a ``smelt.yml``."""
    here = start.resolve()
    return next((folder for folder in (here, *here.parents) if (folder / PROJECT_FILE).is_file()), None)


def read_project(
    root: Path,
    overlay: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    previous: Project | None = None,
) -> Project:
    """The project in a folder.

    Texts are kept exactly as they are, a byte order mark and every kind of line end included, so that positions are
    those an editor shows.

    Args:
        root: the folder of ``smelt.yml``.
        overlay: texts of unsaved buffers, by path relative to the root, with ``/``. They count as saved, and one
            without a file counts as a file.
        environment: for ``${NAME}``; the process's own if None.
        previous: an earlier state of the project, to save work; see :func:`~smelt.project.load.load_project`.
    """
    unsaved = dict(overlay or {})
    variables = dict(os.environ) if environment is None else environment
    found = _Found(root, unsaved)
    found.take(PROJECT_FILE)
    setup = found.files.get(PROJECT_FILE)
    folders = source_paths(setup, variables) if setup is not None else DEFAULT_PATHS
    for folder in folders:
        for path in _walk(root, folder, found.unreadable):
            found.take(path)
    found.files.update({path: text for path, text in unsaved.items() if path.lower().endswith(_TEXTS)})
    return load_project(
        found.files,
        seeds=sorted(found.seeds),
        unreadable=found.unreadable,
        environment=variables,
        previous=previous,
    )


@dataclass(slots=True)
class _Found:
    """The files met so far."""

    root: Path
    unsaved: Mapping[str, str]
    files: dict[str, str] = field(default_factory=dict)
    seeds: set[str] = field(default_factory=set)
    unreadable: dict[str, str] = field(default_factory=dict)

    def take(self, path: str) -> None:
        """Read one file, unless its text is unsaved or it is data."""
        if path in self.unsaved:
            self.files[path] = self.unsaved[path]
            return
        if path != _printable(path):
            self.unreadable[_printable(path)] = "its name is not UTF-8"
            return
        if path.lower().endswith(_SEEDS):
            self.seeds.add(path)
            return
        try:
            self.files[path] = _text(self.root / path)
        except FileNotFoundError:
            # Else it is gone since its folder was listed, or a smelt.yml that never was: missing, not unreadable.
            if (self.root / path).is_symlink():
                self.unreadable[path] = "it links to a file that is not there"
        except UnicodeError as error:
            self.unreadable[path] = str(error)
        except OSError as error:
            self.unreadable[path] = error.strerror or str(error)


def _text(path: Path) -> str:
    """The text of a file.

    Raises:
        OSError: it is not there, no regular file, too large, or the system refuses.
        UnicodeError: it is not UTF-8; the message says where.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is no regular file")
    if status.st_size > MAX_BYTES:
        raise OSError(f"it is larger than {MAX_BYTES // 1_000_000} MB")
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, len(before.rpartition(b"\n")[2].decode("utf-8")) + 1
        raise UnicodeError(f"the byte {data[error.start]:02X} at line {line}, column {column} is not UTF-8") from error


def _walk(root: Path, folder: str, unreadable: dict[str, str]) -> Iterator[str]:
    """Paths, relative to the root, of the files below a folder that can belong to a project, sorted.

    Links are followed, but each real folder is entered once, so that a loop ends.
    """

    def refused(error: OSError) -> None:
        # A folder of `paths:` that does not exist is an empty one.
        if not isinstance(error, FileNotFoundError):
            place = Path(error.filename).relative_to(root).as_posix()
            unreadable[_printable(place)] = error.strerror or str(error)

    seen: set[tuple[int, int]] = set()
    for here, folders, names in os.walk(root / folder, followlinks=True, onerror=refused):
        status = Path(here).stat()
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        at_root = Path(here) == root
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and not (at_root and name == _GENERATED)
        )
        for name in sorted(names):
            if name.lower().endswith((*_TEXTS, *_SEEDS)) and not name.startswith("."):
                yield (Path(here) / name).relative_to(root).as_posix()


def _printable(path: str) -> str:
    """A path that any terminal and any JSON can show, also where the file's name is no UTF-8."""
    return path.encode("utf-8", "replace").decode("utf-8")
