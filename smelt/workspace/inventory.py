"""The files of a project as the file system tells them: which there are, and which are surely as they were.

A file is as it was if size, times and inode are, and if it was at rest when they were noted: a file system's clock
ticks coarsely, so a file that changed in the tick in which it was noted could change again and look the same. Of
every other file the content decides.
"""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from smelt.project.layout import PROJECT_FILE
from smelt.workspace.files import MAX_BYTES, SEEDS, printable, walk

TICK_NANOSECONDS = 20_000_000
"""Longer than the clock of any file system that keeps fractions of a second."""

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Noted:
    """What was noted of a file: its stamp, if that can be trusted later, and the digest of its content."""

    stamp: Stamp | None
    digest: str


class NotPlain(Exception):
    """The project has something in it that must be looked at with care: a file that cannot be read, an odd name."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """The files of a project.

    Attributes:
        stamps: of every file that holds text.
        seeds: paths of CSV files.
    """

    root: Path
    stamps: Mapping[str, Stamp]
    seeds: tuple[str, ...]

    def digests(self, earlier: Mapping[str, Noted]) -> dict[str, str]:
        """The digest of every file's content; the file is read only if ``earlier`` does not tell.

        Raises:
            NotPlain: a file cannot be read.
        """
        return {path: self._digest(path, stamp, earlier.get(path)) for path, stamp in self.stamps.items()}

    def _digest(self, path: str, stamp: Stamp, noted: Noted | None) -> str:
        return noted.digest if noted is not None and noted.stamp == stamp else _digest_of(self.root / path)

    def noted(self, digests: Mapping[str, str], began: int) -> dict[str, Noted]:
        """What to note of the files for the next time.

        Args:
            digests: of all files, taken after the stamps.
            began: the file system's time, in nanoseconds, before the first stamp was taken.
        """
        return {
            path: Noted(stamp if max(stamp[1], stamp[2]) < began - TICK_NANOSECONDS else None, digests[path])
            for path, stamp in self.stamps.items()
        }


def take(root: Path, folders: Iterable[str]) -> Inventory:
    """The files in the folders of a project, and its ``smelt.yml``.

    Raises:
        NotPlain: a folder cannot be read, a file has an odd name, or is no regular file of a usual size.
    """
    stamps: dict[str, Stamp] = {}
    seeds: set[str] = set()
    for path in _paths(root, folders):
        if path != printable(path):
            raise NotPlain(path)
        if path.lower().endswith(SEEDS):
            seeds.add(path)
        else:
            stamps[path] = _stamp(root / path)
    return Inventory(root, stamps, tuple(sorted(seeds)))


def _paths(root: Path, folders: Iterable[str]) -> Iterator[str]:
    unreadable: dict[str, str] = {}
    yield PROJECT_FILE
    for folder in folders:
        yield from walk(root, folder, unreadable)
    if unreadable:
        raise NotPlain(", ".join(unreadable))


def _stamp(path: Path) -> Stamp:
    try:
        status = os.stat(path)  # noqa: PTH116 - half the time of Path.stat, thousands of times
    except OSError as error:
        raise NotPlain(str(path)) from error
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
        raise NotPlain(str(path))
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _digest_of(path: Path) -> str:
    try:
        return digest(path.read_bytes())
    except OSError as error:
        raise NotPlain(str(path)) from error


def digest(content: bytes) -> str:
    """Names a content."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class LazyTexts(Mapping[str, str]):
    """Texts by path, each read when it is first asked for.

    Raises:
        NotPlain: from every access to a text that cannot be read, or is not the one that was taken down.
    """

    def __init__(self, root: Path, digests: Mapping[str, str]) -> None:
        self._root = root
        self._digests = digests
        self._texts: dict[str, str] = {}

    def __getitem__(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = self._read(path, self._digests[path])
        return self._texts[path]

    def _read(self, path: str, expected: str) -> str:
        try:
            content = (self._root / path).read_bytes()
            if digest(content) != expected:
                raise NotPlain(f"{path} was changed meanwhile")
            return content.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise NotPlain(path) from error

    def __contains__(self, path: object) -> bool:
        return path in self._digests

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)
