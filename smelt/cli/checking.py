"""One project looked at for ``smelt check``: all that its formats, baseline and filters need, and no more."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from smelt.workspace.checking import Findings, findings_of, findings_with

if TYPE_CHECKING:  # it brings the parser along
    from smelt.engines.binder import DuckDBBinder


def judged(root: Path, overlay: Mapping[str, str] | None = None) -> Findings:
    """Read and judge the project in a folder; no database of it is opened.

    Args:
        root: the folder of ``smelt.yml``.
        overlay: texts that count as the files', by project-relative path. Without one, what an earlier check found
            is taken where it still holds.
    """
    environment = dict(os.environ)
    with _growing():
        if overlay is None:
            return findings_of(root, environment, _binder)
        return findings_with(root, overlay, environment, _binder)


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
