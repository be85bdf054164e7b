"""One look at a project: what every feature of an editor answers from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smelt.diagnostics.model import Diagnostic
from smelt.project.layout import PROJECT_FILE

if TYPE_CHECKING:  # a server must answer before the parser is loaded
    from smelt.analysis.model import Analysis, ModelAnalysis
    from smelt.project.model import Source


@dataclass(frozen=True, slots=True)
class Buffer:
    """The text an editor holds of a file, and the editor's number for this state of it."""

    text: str
    version: int


@dataclass(frozen=True, slots=True)
class Place:
    """A file of a project: the project's folder, and the path below it with ``/``."""

    root: Path
    file: str

    @property
    def path(self) -> Path:
        """The file's path."""
        return self.root / self.file


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A project as it was looked at.

    Attributes:
        root: the project's folder.
        revision: the state of the project's files this was made from; a later state has a higher one.
        analysis: what was found out; None if smelt itself failed, which then is the finding of every open file.
        texts: every file's text, unsaved ones as the editor holds them.
        versions: the editor's numbers of the unsaved texts.
        findings: by file, in order; a file without any is absent.
    """

    root: Path
    revision: int
    analysis: "Analysis | None"
    texts: Mapping[str, str]
    versions: Mapping[str, int]
    findings: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)

    def of(self, file: str) -> tuple[Diagnostic, ...]:
        """The findings of one file."""
        return self.findings.get(file, ())

    def model(self, file: str) -> "ModelAnalysis | None":
        """The model a file holds, if it holds one."""
        models = self.analysis.models.values() if self.analysis is not None else ()
        return next((model for model in models if model.model.file == file), None)

    def source(self, file: str) -> "Source | None":
        """The source a file declares, if it declares one."""
        sources = self.analysis.project.sources.values() if self.analysis is not None else ()
        return next((source for source in sources if source.marks.file == file), None)


def by_file(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> dict[str, tuple[Diagnostic, ...]]:
    """Findings by file.

    A file without a word in it is being begun, not wrong, and shows none. The project file is the exception: an
    empty one makes all the others mean something else.
    """
    grouped: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        file = diagnostic.location.file
        if file == PROJECT_FILE or file not in texts or texts[file].strip("\ufeff \t\r\n"):
            grouped.setdefault(file, []).append(diagnostic)
    return {file: tuple(found) for file, found in grouped.items()}
