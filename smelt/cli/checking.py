"""One project looked at for ``smelt check``: all that its formats, baseline and filters need, and no more."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from smelt.diagnostics.model import Diagnostic
from smelt.workspace.checking import Findings, findings_of, findings_with

if TYPE_CHECKING:  # it brings the parser along
    from smelt.engines.binder import DuckDBBinder


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
        commented: the files with a comment that may allow a finding.
    """

    findings: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    files: tuple[str, ...]
    reads: Mapping[str, frozenset[str]]
    prefixes: tuple[str, ...]
    hidden: frozenset[str]
    commented: tuple[str, ...]


def judged(root: Path, overlay: Mapping[str, str] | None = None) -> Judged:
    """Read and judge the project in a folder; no database of it is opened.

    Args:
        root: the folder of ``smelt.yml``.
        overlay: texts that count as the files', by project-relative path. Without one, what an earlier check found
            is taken where it still holds.
    """
    environment = dict(os.environ)
    with _growing():
        if overlay is None:
            return _judged(findings_of(root, environment, _binder))
        return _judged(findings_with(root, overlay, environment, _binder))


def _judged(found: Findings) -> Judged:
    return Judged(
        findings=found.findings,
        texts=found.texts,
        files=found.files,
        reads={file: frozenset(names) for file, names in found.reads.items()},
        prefixes=found.folders,
        hidden=found.hidden,
        commented=found.commented,
    )


def _binder() -> AbstractContextManager[DuckDBBinder]:
    from smelt.engines.binder import DuckDBBinder

    return closing(DuckDBBinder())


@contextmanager
def _growing() -> Iterator[None]:
    """Inside, nothing is searched for garbage: syntax trees are made by the thousand, and all are kept."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
