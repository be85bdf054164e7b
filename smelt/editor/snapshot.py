"""One look at a project: what every feature of an editor answers from."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smelt.diagnostics.model import Diagnostic
from smelt.project.layout import PROJECT_FILE

if TYPE_CHECKING:  # a server must answer before the parser is loaded
    from smelt.analysis.binding import Columns
    from smelt.analysis.model import Analysis, ModelAnalysis, Summary
    from smelt.project.model import Address, Project, Source


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
    """A project as it was looked at. Whatever is asked of it, it answers about one and the same state of the files.

    Attributes:
        root: the project's folder.
        revision: the state of the project's files this was made from; a later state has a higher one.
        analysis: what was found out; None if smelt itself failed, which then is the finding of every open file.
            A model of ``analysis.models`` that is in no open file may be read and judged only when it is asked for,
            a few milliseconds each: do not walk over all of them where ``analysis.project`` tells enough. There every
            model has its references and its relation, but one that was not read has neither text nor query.
        texts: every file's text, unsaved ones as the editor holds them.
        versions: the editor's numbers of the unsaved texts.
        findings: by file, in order; a file without any is absent.
        addresses: by file what it is the model, source, seed or sidecar of.
        columns: by address what a model gives, a source declares; absent where that is not known.
        summaries: by address a model in short; absent where that is not known.
        pending: the files whose findings are those of an earlier state, because something they read has changed and
            they were not judged since. A look at the same state that is later has none.
        kept: what features worked out once for all their questions about this state; each under its own name.
    """

    root: Path
    revision: int
    analysis: "Analysis | None"
    texts: Mapping[str, str]
    versions: Mapping[str, int]
    findings: Mapping[str, tuple[Diagnostic, ...]] = field(default_factory=dict)
    addresses: "Mapping[str, Address]" = field(default_factory=dict)
    columns: "Mapping[Address, Columns]" = field(default_factory=dict)
    summaries: "Mapping[Address, Summary]" = field(default_factory=dict)
    pending: Set[str] = frozenset()
    kept: dict[str, object] = field(init=False, default_factory=dict, repr=False, compare=False)

    @property
    def project(self) -> "Project | None":
        """What the files say; see ``analysis`` about its models."""
        return self.analysis.project if self.analysis is not None else None

    def of(self, file: str) -> tuple[Diagnostic, ...]:
        """The findings of one file."""
        return self.findings.get(file, ())

    def model(self, file: str) -> "ModelAnalysis | None":
        """The model a file holds, read and judged, if it holds one."""
        address = self.addresses.get(file)
        return self.analysis.models.get(address) if self.analysis is not None and address is not None else None

    def source(self, file: str) -> "Source | None":
        """The source a file declares, if it declares one."""
        address = self.addresses.get(file)
        found = (
            self.analysis.project.sources.get(address) if self.analysis is not None and address is not None else None
        )
        return found if found is not None and found.marks.file == file else None


def worth_showing(
    findings: Mapping[str, tuple[Diagnostic, ...]], texts: Mapping[str, str]
) -> dict[str, tuple[Diagnostic, ...]]:
    """The findings by file as they are shown.

    A file without a word in it is being begun, not wrong, and shows none. The project file is the exception: an
    empty one makes all the others mean something else.
    """
    return {
        file: found
        for file, found in findings.items()
        if file == PROJECT_FILE or file not in texts or texts[file].strip("\ufeff \t\r\n")
    }
