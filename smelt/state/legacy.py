"""The layout from before versions: files at the root of ``.smelt/``, read in place or moved to where they belong.

A manifest belongs to the target that it names, a report where its manifest does, and everything else to the project's
default target. Each file is moved by one rename, and ``meta.json`` is written after all of them; so whatever is killed
on the way, the next one to hold the lock finds the rest and goes on.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from smelt.state import atomic
from smelt.state.documents import JsonObject
from smelt.state.files import TargetFiles, folder_names, ordered_runs, read_document
from smelt.state.layout import LEGACY, Layout
from smelt.state.rules import legacy_layout

_OF_RUNS = ("reports", "runs")
"""Folders whose documents name their target. Reports come first: they are placed by the manifests beside them."""


def has_legacy(layout: Layout) -> bool:
    """Whether ``.smelt/`` has files from before versions, and no version.

    Raises:
        StateError: the folder cannot be read.
    """
    return not layout.meta.exists() and not set(folder_names(layout.folder)).isdisjoint(LEGACY)


@dataclass(frozen=True, slots=True)
class _Move:
    """A file or folder, and where it belongs."""

    source: Path
    destination: Path


def migrate(layout: Layout, default_target: str) -> None:
    """Move everything to where it belongs. Only for the holder of the lock, who writes ``meta.json`` afterwards.

    Raises:
        StateError: a manifest or report is damaged, or a name is taken already, and nothing is moved; or a file cannot
            be moved.
    """
    for name in LEGACY:
        atomic.remove_leftovers(layout.folder / name)
    moves = _moves(layout, default_target)
    taken = [move for move in moves if os.path.lexists(move.destination)]
    if taken:
        raise legacy_layout.error(taken[0].source, taken[0].destination)
    for move in moves:
        atomic.move(move.source, move.destination)
    for name in LEGACY:
        atomic.remove_folder(layout.folder / name)


def _moves(layout: Layout, default_target: str) -> list[_Move]:
    old = _Old(layout, default_target)
    found: list[_Move] = []
    for name in sorted(LEGACY, key=lambda name: name == "runs"):
        path = layout.folder / name
        if not path.is_dir():
            if path.exists():
                found.append(_Move(path, layout.target(default_target) / name))
            continue
        for inner in sorted(folder_names(path)):
            target = (old.target_of(f"{name}/{inner}") if name in _OF_RUNS else None) or default_target
            found.append(_Move(path / inner, layout.target(target) / name / inner))
    return found


@dataclass(frozen=True, slots=True)
class _Old:
    """The files at the root."""

    layout: Layout
    default_target: str

    def load(self, name: str) -> JsonObject | None:
        """A document."""
        return read_document(self.layout.folder / name)

    def target_of(self, name: str) -> str | None:
        """The target that a manifest or report belongs to; None if it is gone."""
        if not name.endswith(".json"):
            return self.default_target
        document = self.load(name)
        if document is None:
            return None
        found = _target_in(document)
        if found is None and name.startswith("reports/"):
            found = _target_in(self.load(f"runs/{name.rpartition('/')[2]}"))
        return found if found is not None else self.default_target


def _target_in(document: JsonObject | None) -> str | None:
    target = None if document is None else document.get("target")
    return target if isinstance(target, str) and target else None


class LegacyFiles:
    """The documents of one target where some or all are still at the root: to read, in place."""

    def __init__(self, layout: Layout, target: str, default_target: str) -> None:
        self._layout = layout
        self._old = _Old(layout, default_target)
        self._target = target
        self._moved = TargetFiles(layout.target(target))

    def path(self, name: str) -> Path:
        """Where a document lies now."""
        moved = self._moved.path(name)
        old = self._layout.folder / name
        return old if not moved.exists() and old.exists() else moved

    def load(self, name: str) -> JsonObject | None:
        """The document; None if there is none of this target."""
        moved = self._moved.load(name)
        if moved is not None:
            return moved
        old = self._old.load(name) if self._belongs(name) else None
        # What is at neither place may have been moved between the two looks.
        return old if old is not None else self._moved.load(name)

    def names(self, folder: str) -> tuple[str, ...]:
        """The documents in a folder, sorted."""
        # The old place first: what is moved meanwhile is seen at the new one.
        old = [name for name in TargetFiles(self._layout.folder).names(folder) if self._belongs(name)]
        return tuple(sorted({*old, *self._moved.names(folder)}))

    def run_ids(self) -> tuple[str, ...]:
        """The runs that left a manifest, newest first by sequence."""
        return ordered_runs(name.rpartition("/")[2] for name in self.names("runs"))

    def newest_run_id(self) -> str | None:
        """The newest of them; None if there is none."""
        return next(iter(self.run_ids()), None)

    def save(self, name: str, document: Mapping[str, object]) -> None:
        """Never: only the holder of the lock writes, and for it everything has been moved."""
        raise PermissionError(f"{name} is read in place")

    def put(self, name: str, data: bytes) -> None:
        """Never, either."""
        raise PermissionError(f"{name} is read in place")

    def remove(self, name: str) -> None:
        """Never, either."""
        raise PermissionError(f"{name} is read in place")

    def _belongs(self, name: str) -> bool:
        of_run = name.split("/")[0] in _OF_RUNS
        return (self._old.target_of(name) if of_run else self._old.default_target) == self._target
