"""One project over time: reading and judging it, again and again.

This is the heavy half of the editor layer: importing it brings the parser and the engine's binder along.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock

from smelt.analysis.analyze import analyze
from smelt.analysis.binding import Binder, declared
from smelt.analysis.model import Analysis
from smelt.analysis.reported import reported
from smelt.diagnostics.model import in_order
from smelt.editor.snapshot import Buffer, Snapshot, by_file
from smelt.engines.binder import DuckDBBinder
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Project
from smelt.workspace.reader import read_project

Judge = Callable[[Project, Binder], Analysis]


class ProjectSession:
    """One project over time: what is kept between two looks at it."""

    def __init__(self, root: Path, judge: Judge = analyze) -> None:
        self._root = root
        self._judge = judge
        self._binder = DuckDBBinder()
        self._good: str | None = None
        self._lock = Lock()

    def look(self, buffers: Mapping[str, Buffer], revision: int) -> Snapshot:
        """Read and judge the project, with the texts an editor holds in place of those on disk."""
        overlay = {file: buffer.text for file, buffer in buffers.items()}
        with self._lock:
            analysis = self._judge(self._read(overlay), self._binder)
        texts = analysis.project.texts
        versions = {file: buffer.version for file, buffer in buffers.items()}
        shown = reported(analysis.diagnostics, texts).findings
        project = analysis.project
        addresses = {model.file: model.address for model in project.models.values()}
        addresses.update({source.marks.file: source.address for source in project.sources.values()})
        addresses.update({seed.file: seed.address for seed in project.seeds.values()})
        columns = declared(project)
        columns.update({at: one.columns for at, one in analysis.models.items() if one.columns is not None})
        found = by_file(shown, texts)
        return Snapshot(self._root, revision, analysis, texts, versions, found, addresses, columns)

    def close(self) -> None:
        """Give back what the project held."""
        self._binder.close()

    def _read(self, overlay: Mapping[str, str]) -> Project:
        project = read_project(self._root, overlay)
        if project.config is not None:
            self._good = project.texts.get(PROJECT_FILE)
            return project
        if self._good is None:
            return project
        return _with_good_config(project, read_project(self._root, {**overlay, PROJECT_FILE: self._good}))


def _with_good_config(broken: Project, good: Project) -> Project:
    """The models as the last good ``smelt.yml`` has them, with the findings about the present one."""
    present = broken.texts.get(PROJECT_FILE)
    texts = {file: text for file, text in good.texts.items() if file != PROJECT_FILE}
    if present is not None:
        texts[PROJECT_FILE] = present
    findings = [found for found in broken.diagnostics if found.location.file == PROJECT_FILE]
    findings += [found for found in good.diagnostics if found.location.file != PROJECT_FILE]
    return replace(good, texts=texts, diagnostics=in_order(findings))
