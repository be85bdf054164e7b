"""One project looked at for ``smelt check``: all that its formats, baseline and filters need, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smelt.diagnostics.model import Diagnostic
from smelt.project.layout import DEFAULT_PATHS, PROJECT_FILE
from smelt.text.identifiers import fold

if TYPE_CHECKING:  # it brings the parser along
    from smelt.analysis.model import Analysis
    from smelt.project.model import Model


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found in a project.

    Attributes:
        findings: everything, in order.
        texts: the files' texts by project-relative path.
        files: the files looked at, sorted.
        reads: for each model's file the folded names of what it reads, without ``smelt.``.
        prefixes: the project's ``paths:``.
        hidden: values that must not be printed.
    """

    findings: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    files: tuple[str, ...]
    reads: Mapping[str, frozenset[str]]
    prefixes: tuple[str, ...]
    hidden: frozenset[str]


def judged(root: Path, overlay: Mapping[str, str] | None = None) -> Judged:
    """Read and judge the project in a folder; no database of it is opened.

    Args:
        root: the folder of ``smelt.yml``.
        overlay: texts that count as the files', by project-relative path.
    """
    from smelt.cli.opening import Opened, analysed
    from smelt.workspace.reader import read_project

    return _judged(analysed(Opened(root, read_project(root, overlay))))


def _judged(analysis: Analysis) -> Judged:
    project = analysis.project
    config = project.config
    return Judged(
        findings=analysis.diagnostics,
        texts=project.texts,
        files=_looked_at(analysis),
        reads={model.file: frozenset(_names_read(model)) for model in project.models.values()},
        prefixes=config.paths if config is not None else DEFAULT_PATHS,
        hidden=config.redacted if config is not None else frozenset(),
    )


def _looked_at(analysis: Analysis) -> tuple[str, ...]:
    project = analysis.project
    files = {
        PROJECT_FILE,
        *(model.file for model in project.models.values()),
        *(source.marks.file for source in project.sources.values()),
        *(finding.location.file for finding in analysis.diagnostics),
    }
    return tuple(sorted(files))


def _names_read(model: Model) -> Iterator[str]:
    for relation in model.parsed.relations:
        if relation.is_address:
            yield fold(".".join(relation.parts[1:]))
    for column in model.frontmatter.columns:
        for test in column.tests:
            if test.to is not None:
                yield fold(test.to).removeprefix("smelt.")
