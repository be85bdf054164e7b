"""Pages of diagnostic codes as projects."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from smelt.analysis.analyze import analyze
from smelt.analysis.reported import reported
from smelt.diagnostics.model import Diagnostic
from smelt.engines.binder import DuckDBBinder
from smelt.project.load import load_project

DEFAULT = Path(__file__).parent / "default"
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Page:
    """The parts of a page; examples are file texts by path."""

    title: str
    sections: dict[str, str]

    def example(self, section: str) -> dict[str, str]:
        """The files of an example: those it gives, over the default project's."""
        given = {path: text for _, path, text in _BLOCK.findall(self.sections[section])}
        return {**default_files(), **given}


def default_files() -> dict[str, str]:
    """The project that examples change."""
    return dict(_default_files())


@cache
def _default_files() -> tuple[tuple[str, str], ...]:
    return tuple(
        (path.relative_to(DEFAULT).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(DEFAULT.rglob("*"))
        if path.is_file()
    )


def read_page(text: str) -> Page:
    """The page of a code."""
    title, *rest = _SECTION.split(text)
    return Page(title.strip(), dict(zip(rest[::2], rest[1::2], strict=True)))


def findings(files: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """What is shown of a project given as texts, DuckDB's own findings included."""
    return _findings(tuple(files.items()))


@cache
def _findings(files: tuple[tuple[str, str], ...]) -> tuple[Diagnostic, ...]:
    """Looked for once: each of a project's tests begins with what is found in it, and texts are all that it takes."""
    seeds = [path for path, _ in files if path.endswith(".csv") and path.startswith("models/")]
    texts = {path: text for path, text in files if path.endswith((".sql", ".yml"))}
    analysis = analyze(load_project(texts, seeds=seeds, environment={}), _binder())
    return reported(analysis.diagnostics, texts).findings


@cache
def _binder() -> DuckDBBinder:
    """One for all projects, as an editor has one: to open a database takes longer than to ask it."""
    return DuckDBBinder()
