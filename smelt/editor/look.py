"""One project over time: reading and judging it, again and again.

This is the heavy half of the editor layer: importing it brings the parser and the engine's binder along.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock

from smelt.analysis.binding import Binder
from smelt.analysis.incremental import Record
from smelt.analysis.piecewise import PiecewiseAnalysis
from smelt.editor.snapshot import Buffer, Snapshot, worth_showing
from smelt.engines.binder import DuckDBBinder
from smelt.project.config import read_config
from smelt.project.layout import PROJECT_FILE
from smelt.project.piecewise import Files
from smelt.workspace.checking import remember, remembered
from smelt.workspace.files import TEXTS
from smelt.workspace.inventory import digest
from smelt.workspace.reader import ProjectFiles, read_files

SLICE_SECONDS = 0.01
"""What is left to do is done in slices of this length, so that an edit does not wait long for its turn."""

WORTH_KEEPING = 0.1
"""With a smaller share of models that had to be judged, what an earlier look left is good enough."""


class ProjectSession:
    """One project over time: what is kept between two looks at it. May be called from any thread."""

    def __init__(self, root: Path, binder: Binder | None = None) -> None:
        self._root = root
        self._own = DuckDBBinder()
        self._binder = binder or self._own
        self._lock = Lock()
        self._live: PiecewiseAnalysis | None = None
        self._read: ProjectFiles | None = None
        self._disk = -1
        self._texts: Mapping[str, str] = {}
        self._overlaid: frozenset[str] = frozenset()
        self._good_setup: str | None = None

    def begin(self, buffers: Mapping[str, Buffer], revision: int, disk: int) -> Snapshot:
        """Look at the project with the texts an editor holds in place of those on disk: at the open files first.

        Args:
            buffers: the editor's texts.
            revision: numbers the state of the project that is looked at.
            disk: numbers the state of the files on disk; they are read again only if it is another one.
        """
        with self._lock:
            try:
                files = self._files({file: buffer.text for file, buffer in buffers.items()}, disk)
                live = self._live or PiecewiseAnalysis(self._binder, _digest, self._remembered(files))
                self._live = None
                live.update(files)
                live.attend(buffers)
                self._live = live
            except BaseException:
                self._read = None  # what went wrong may be half done: the next look begins anew
                raise
            return self._snapshot(live, buffers, revision)

    def go_on(self, buffers: Mapping[str, Buffer], revision: int) -> Snapshot | None:
        """Do a slice of what is left to look at since :meth:`begin`; the whole look once nothing is."""
        with self._lock:
            live, self._live = self._live, None
            if live is None:
                raise RuntimeError("the look was not begun")
            until = time.monotonic() + SLICE_SECONDS
            while not live.is_settled and time.monotonic() < until:
                live.step()
            self._live = live
            return self._snapshot(live, buffers, revision) if live.is_settled else None

    def remember(self) -> None:
        """Leave what was found to the next one who looks, as ``smelt check`` does, if little of it was left to us."""
        with self._lock:
            live, setup = self._live, self._texts.get(PROJECT_FILE)
            if live is None or setup is None or not live.is_settled or live.share_judged < WORTH_KEEPING:
                return
            config = live.view().analysis.project.config
            secrets = config.redacted if config is not None else frozenset[str]()
            left = live.left()
            if left:
                remember(self._root, setup, os.environ, left, secrets)

    def close(self) -> None:
        """Give back what the project held."""
        self._own.close()

    def _snapshot(self, live: PiecewiseAnalysis, buffers: Mapping[str, Buffer], revision: int) -> Snapshot:
        view = live.view()
        project = view.analysis.project
        return Snapshot(
            root=self._root,
            revision=revision,
            analysis=view.analysis,
            texts=project.texts,
            versions={file: buffer.version for file, buffer in buffers.items()},
            findings=worth_showing(view.findings, project.texts),
            addresses=view.addresses,
            columns=view.columns,
            summaries=view.summaries,
            pending=view.pending,
        )

    def _files(self, overlay: Mapping[str, str], disk: int) -> Files:
        environment = dict(os.environ)
        held = {file: text for file, text in overlay.items() if file.lower().endswith(TEXTS)}
        is_same = disk == self._disk and held.keys() == self._overlaid
        if (
            self._read is None
            or not is_same
            or self._texts.get(PROJECT_FILE) != held.get(PROJECT_FILE, self._texts.get(PROJECT_FILE))
        ):
            self._read = self._from_disk(overlay, environment)
            self._disk, self._overlaid = disk, frozenset(held)
            self._texts = self._read.texts
        else:
            self._texts = {**self._texts, **held}
        return Files(self._texts, self._read.seeds, self._read.unreadable, environment)

    def _from_disk(self, overlay: Mapping[str, str], environment: Mapping[str, str]) -> ProjectFiles:
        """The files as they are, in the folders that the last good ``smelt.yml`` names while it is half written."""
        found = read_files(self._root, overlay, environment)
        present = found.texts.get(PROJECT_FILE)
        if present is not None and read_config(PROJECT_FILE, present, environment).config is not None:
            self._good_setup = present
        elif self._good_setup is not None:
            good = read_files(self._root, {**overlay, PROJECT_FILE: self._good_setup}, environment)
            texts = {file: text for file, text in good.texts.items() if file != PROJECT_FILE}
            found = replace(good, texts=texts if present is None else {**texts, PROJECT_FILE: present})
        return found

    def _remembered(self, files: Files) -> Mapping[str, Record]:
        setup = files.texts.get(PROJECT_FILE)
        records = remembered(self._root, setup, files.environment) if setup is not None else {}
        return {
            file: record
            for file, record in records.items()
            if file in files.texts and record.digest == _digest(files.texts[file])
        }


def _digest(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass"))
