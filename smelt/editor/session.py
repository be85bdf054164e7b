"""The projects an editor has files of, with its unsaved texts laid over the files on disk."""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from smelt.analysis.rules import internal_error
from smelt.editor.snapshot import Buffer, Place, Snapshot
from smelt.project.layout import PROJECT_FILE

if TYPE_CHECKING:  # a server must answer before the parser is loaded
    from smelt.editor.look import ProjectSession

log = logging.getLogger(__name__)

_SEARCH_DEPTH = 4
_NOT_SEARCHED = {"node_modules", "target", "venv", "__pycache__"}


@dataclass(frozen=True, slots=True)
class Task:
    """A look at a project that is due: everything it needs, so that it can be taken on another thread.

    No method raises: a fault of smelt becomes the finding of every file the editor holds.
    """

    root: Path
    session: "Callable[[], ProjectSession]"
    buffers: Mapping[str, Buffer]
    revision: int
    disk: int

    def begin(self) -> Snapshot:
        """Look at the files that the editor holds, and at what they read."""
        try:
            return self.session().begin(self.buffers, self.revision, self.disk)
        except Exception as fault:  # the worker's boundary: an editor must not show a clean file
            log.exception("looking at %s failed", self.root)
            return self._failed(fault)

    def go_on(self) -> Snapshot | None:
        """Do a slice of what :meth:`begin` has left; the whole look once nothing is."""
        try:
            return self.session().go_on(self.buffers, self.revision)
        except Exception as fault:  # as above
            log.exception("looking further at %s failed", self.root)
            return self._failed(fault)

    def remember(self) -> None:
        """Leave what was found at the whole project to the next one who looks at it."""
        try:
            self.session().remember()
        except Exception:  # as above; nobody waits for it
            log.exception("keeping what was found in %s failed", self.root)

    def run(self) -> Snapshot:
        """Take the whole look."""
        snapshot: Snapshot | None = self.begin()
        if snapshot is not None and snapshot.analysis is not None:
            while (snapshot := self.go_on()) is None:
                pass
        assert snapshot is not None
        return snapshot

    def _failed(self, fault: Exception) -> Snapshot:
        texts = {file: buffer.text for file, buffer in self.buffers.items()}
        versions = {file: buffer.version for file, buffer in self.buffers.items()}
        findings = {file: (internal_error.finding(file, fault),) for file in self.buffers}
        return Snapshot(self.root, self.revision, None, texts, versions, findings)


class Workspace:
    """Every project of an editor. Its methods are for one thread; only those of :class:`Task` are for another."""

    def __init__(self, begin: "Callable[[Path], ProjectSession] | None" = None) -> None:
        """A workspace without a file.

        Args:
            begin: makes the session of a project; left out, the usual one.
        """
        self._begin = begin or _begin
        self._buffers: dict[Path, Buffer] = {}
        self._sessions: dict[Path, ProjectSession] = {}
        self._sessions_lock = Lock()
        self._revisions: dict[Path, int] = {}
        self._snapshots: dict[Path, Snapshot] = {}
        self._revision = 0
        self._disk = 0

    def place(self, path: Path) -> Place | None:
        """Where a file belongs: the nearest folder above it with a ``smelt.yml``, on disk or unsaved."""
        path = absolute(path)
        for folder in path.parents:
            project_file = folder / PROJECT_FILE
            if project_file in self._buffers or _is_there(project_file):
                return Place(folder.resolve(), path.relative_to(folder).as_posix())
        return None

    def put(self, path: Path, text: str, version: int) -> None:
        """The editor has opened a file, or changed its text."""
        known = absolute(path) in self._buffers
        self._buffers[absolute(path)] = Buffer(text, version)
        if not known:
            self._disk += 1  # an editor that does not watch files at least opens them
            self._came_or_went(path)
        self._changed(path)

    def drop(self, path: Path) -> None:
        """The editor has closed a file, or the file was deleted: only what is on disk counts."""
        if self._buffers.pop(absolute(path), None) is not None:
            self.touch(path)

    def touch(self, path: Path) -> None:
        """A file has changed, appeared or vanished on disk."""
        self._disk += 1
        self._changed(path)
        self._came_or_went(path)

    def discover(self, folder: Path) -> tuple[Path, ...]:
        """The projects in a folder and not too far below it, or the one it is part of."""
        above = self.place(folder / PROJECT_FILE)
        roots = [above.root] if above is not None else []
        roots += [found.resolve() for found in _project_folders(absolute(folder), _SEARCH_DEPTH)]
        return tuple(dict.fromkeys(roots))

    def open_files(self, root: Path) -> tuple[str, ...]:
        """The files of a project that the editor holds."""
        return tuple(place.file for place in self._open(root))

    def open(self, root: Path) -> None:
        """Open a project, if it is not."""
        self._revisions.setdefault(root, self._revision)

    def is_open(self, root: Path) -> bool:
        """Whether a project was opened, by its name or by a change of one of its files, and not closed since."""
        return root in self._revisions

    def task(self, root: Path) -> Task:
        """The look that is due at a project. Opens it."""
        self.open(root)
        buffers = {place.file: self._buffers[path] for place, path in self._open(root).items()}
        revision = self._revisions[root]
        return Task(root, partial(self._session, root), buffers, revision, self._disk)

    @property
    def revision(self) -> int:
        """Numbers the state of all files of all projects; it grows with every change."""
        return self._revision

    def is_due(self, task: Task) -> bool:
        """Whether a task is about the present state of its project."""
        return task.revision == self._revisions.get(task.root)

    def accept(self, snapshot: Snapshot) -> bool:
        """Keep a look if it is of the present state; False if it is stale."""
        if snapshot.revision != self._revisions.get(snapshot.root):
            return False
        self._snapshots[snapshot.root] = snapshot
        return True

    def current(self, root: Path) -> Snapshot | None:
        """The look at a project's present state, if it was taken."""
        snapshot = self._snapshots.get(root)
        return snapshot if snapshot is not None and snapshot.revision == self._revisions.get(root) else None

    def roots(self) -> tuple[Path, ...]:
        """The projects that are open."""
        return tuple(self._revisions)

    def gone(self) -> tuple[Path, ...]:
        """The open projects that have lost their ``smelt.yml``."""
        unsaved = {place.root for path in self._buffers if (place := self.place(path)) is not None}
        return tuple(root for root in self._revisions if root not in unsaved and not _is_there(root / PROJECT_FILE))

    def forget(self, root: Path) -> None:
        """Close a project."""
        with self._sessions_lock:
            session = self._sessions.pop(root, None)
        if session is not None:
            session.close()
        self._revisions.pop(root, None)
        self._snapshots.pop(root, None)

    def close(self) -> None:
        """Close every project."""
        for root in self.roots():
            self.forget(root)

    def _session(self, root: Path) -> "ProjectSession":
        with self._sessions_lock:
            session = self._sessions.get(root)
            if session is None:
                session = self._sessions[root] = self._begin(root)
            return session

    def _changed(self, path: Path) -> None:
        self._revision += 1
        place = self.place(path)
        if place is not None:
            self._revisions[place.root] = self._revision

    def _came_or_went(self, path: Path) -> None:
        if path.name == PROJECT_FILE:  # files above and below may belong to another project now
            self._revisions = dict.fromkeys(self._revisions, self._revision)

    def _open(self, root: Path) -> dict[Place, Path]:
        places = ((self.place(path), path) for path in self._buffers)
        return {place: path for place, path in places if place is not None and place.root == root}


def _begin(root: Path) -> "ProjectSession":
    from smelt.editor.look import ProjectSession

    return ProjectSession(root)


def absolute(path: Path) -> Path:
    """The path from the file system's root on, ``..`` resolved by name, links kept: as the editor names it."""
    return Path(os.path.normpath(path.absolute()))


def _is_there(file: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return file.is_file()
    except OSError:
        return False


def _project_folders(folder: Path, depth: int) -> Iterator[Path]:
    """The folders with a ``smelt.yml``, each before those below it."""
    if _is_there(folder / PROJECT_FILE):
        yield folder
    if depth == 0:
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        hidden = entry.name.startswith(".") or entry.name in _NOT_SEARCHED
        if not hidden and entry.is_dir(follow_symlinks=False):
            yield from _project_folders(folder / entry.name, depth - 1)
