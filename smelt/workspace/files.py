"""The files of a project on disk: where they lie and what is in them. Nothing is understood here, so nothing heavy
is imported.

The data that sources and seeds name is never opened: of a CSV only its path is taken.
"""

import os
import stat
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from smelt.project.layout import PROJECT_FILE

MAX_BYTES = 10_000_000
"""A larger text is none that a person wrote; it becomes a finding."""

TEXTS = (".sql", ".yml", ".yaml")
SEEDS = (".csv",)
_KINDS = (*TEXTS, *SEEDS)
_STEERING = {"Cc", "Zl", "Zp"}
_STAND_IN = "\N{REPLACEMENT CHARACTER}"
_GENERATED = "target"


def find_root(start: Path) -> Path | None:
    """The nearest folder, from ``start`` (a folder or a file) upwards, that holds a ``smelt.yml``."""
    here = start.resolve()
    return next((folder for folder in (here, *here.parents) if (folder / PROJECT_FILE).is_file()), None)


def read_text(path: Path) -> str:
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


def walk(root: Path, folder: str, unreadable: dict[str, str]) -> Iterator[str]:
    """Paths, relative to the root, of the files below a folder that can belong to a project, sorted.

    Links are followed, but each real folder is entered once, so that a loop ends.
    """

    def refused(error: OSError) -> None:
        # A folder of `paths:` that does not exist is an empty one.
        if not isinstance(error, FileNotFoundError):
            place = Path(error.filename).relative_to(root).as_posix()
            unreadable[printable(place)] = error.strerror or str(error)

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
        place = Path(os.path.relpath(here, root)).as_posix()
        prefix = "" if place == "." else f"{place}/"
        for name in sorted(names):
            if name.lower().endswith(_KINDS) and not name.startswith("."):
                yield prefix + name


def printable(path: str) -> str:
    """A path that any terminal and any JSON can show, also where a name is no UTF-8 or would steer a terminal."""
    if path.isprintable():
        return path
    shown = path.encode("utf-8", "replace").decode("utf-8")
    return "".join(_STAND_IN if unicodedata.category(char) in _STEERING else char for char in shown)


def unprintable(path: str) -> str | None:
    """Why a path is none of a project's, in words; None if it is one."""
    if path == printable(path):
        return None
    is_text = path == path.encode("utf-8", "replace").decode("utf-8")
    return "its name holds a control character" if is_text else "its name is not UTF-8"
