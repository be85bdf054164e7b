"""The documents of one target: on disk, or nowhere for a project that keeps no state."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from smelt.state import atomic
from smelt.state.documents import JsonObject, MalformedDocument, decode, encode
from smelt.state.rules import corrupt, unreadable

_DATED = len("20250101-000000-")
_RUN_FILE = re.compile(r"\d{8}-\d{6}-([0-9a-f]{6,})\.json")


class Files(Protocol):
    """Documents by their path under the target's folder, such as ``runs/<run_id>.json``.

    Each method raises :class:`smelt.state.errors.StateError`.
    """

    def path(self, name: str) -> Path:
        """Where a document lies, for messages."""

    def load(self, name: str) -> JsonObject | None:
        """The document; None if there is none."""

    def save(self, name: str, document: Mapping[str, object]) -> None:
        """Write the document whole."""

    def put(self, name: str, data: bytes) -> None:
        """Write a document whole that is encoded already."""

    def remove(self, name: str) -> None:
        """Delete the document, if it is there."""

    def names(self, folder: str) -> tuple[str, ...]:
        """The documents in a folder, such as ``schemas``, sorted."""

    def run_ids(self) -> tuple[str, ...]:
        """The runs that left a manifest, newest first by sequence."""

    def newest_run_id(self) -> str | None:
        """The newest of them; None if there is none."""


class TargetFiles:
    """The documents in one folder under ``.smelt/targets/``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """Where a document lies."""
        return self._folder / name

    def load(self, name: str) -> JsonObject | None:
        """The document; None if there is none."""
        return read_document(self.path(name))

    def save(self, name: str, document: Mapping[str, object]) -> None:
        """Write the document whole, by rename."""
        self.put(name, encode(document))

    def put(self, name: str, data: bytes) -> None:
        """Write a document whole that is encoded already, by rename."""
        atomic.write(self.path(name), data)

    def remove(self, name: str) -> None:
        """Delete the document, if it is there."""
        atomic.remove(self.path(name))

    def names(self, folder: str) -> tuple[str, ...]:
        """The documents in a folder, sorted."""
        found = [
            name for name in folder_names(self._folder / folder) if name.endswith(".json") and not name.startswith(".")
        ]
        return tuple(f"{folder}/{name}" for name in sorted(found))

    def run_ids(self) -> tuple[str, ...]:
        """The runs that left a manifest, newest first by sequence."""
        return ordered_runs(folder_names(self._folder / "runs"))

    def newest_run_id(self) -> str | None:
        """The newest of them, by a look at the folder alone."""
        return newest_run(folder_names(self._folder / "runs"))

    def remove_leftovers(self) -> None:
        """Delete what killed processes left; only for the holder of the lock."""
        for folder in (".", "runs", "reports", "schemas"):
            atomic.remove_leftovers(self._folder / folder)


class NoFiles:
    """The posture ``stateless``: nothing is there and nothing is kept."""

    def path(self, name: str) -> Path:
        """A path that is never made."""
        return Path(name)

    def load(self, name: str) -> JsonObject | None:
        """Nothing."""
        return None

    def save(self, name: str, document: Mapping[str, object]) -> None:
        """Keeps nothing."""

    def put(self, name: str, data: bytes) -> None:
        """Keeps nothing."""

    def remove(self, name: str) -> None:
        """Nothing is there."""

    def names(self, folder: str) -> tuple[str, ...]:
        """None."""
        return ()

    def run_ids(self) -> tuple[str, ...]:
        """None."""
        return ()

    def newest_run_id(self) -> str | None:
        """None."""
        return None


def newest_run(names: Collection[str]) -> str | None:
    """The run id with the highest sequence in the names of some files; None if there is none.

    A name is looked at closely only if it would win: the folder may hold a file for every run there ever was.
    """
    # All but the sequence number has the same length in every name of a run.
    best = max(names, key=lambda name: (len(name), name[_DATED:]), default="")
    if _RUN_FILE.fullmatch(best):
        return best.removesuffix(".json")
    ordered = ordered_runs(names)
    return ordered[0] if ordered else None


def ordered_runs(names: Iterable[str]) -> tuple[str, ...]:
    """The run ids in the names of some files, newest first by sequence; other files are passed over."""
    found = [name for name in names if _RUN_FILE.fullmatch(name)]
    return tuple(name.removesuffix(".json") for name in sorted(found, key=_sequence_in, reverse=True))


def sequence_of(run_id: str) -> int:
    """The sequence number in a run id."""
    return int(run_id.rpartition("-")[2], 16)


def _sequence_in(file_name: str) -> int:
    return sequence_of(file_name.removesuffix(".json"))


def folder_names(folder: Path) -> list[str]:
    """The names of what is in a folder, in no order; none if it is not there.

    Raises:
        StateError: it cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise unreadable.error(folder, error.strerror or str(error)) from error


def read_document(path: Path) -> JsonObject | None:
    """The JSON object at ``path``; None if no file is there.

    Raises:
        StateError: it cannot be read, or does not hold a JSON object.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable.error(path, error.strerror or str(error)) from error
    with corrupt_at(path):
        return decode(data)


@contextmanager
def corrupt_at(path: Path) -> Iterator[None]:
    """Turns a malformed document into the named error with its file."""
    try:
        yield
    except MalformedDocument as error:
        raise corrupt.error(path, error) from error
