"""Pages of diagnostic codes as projects."""

import re
from dataclasses import dataclass
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
    return {
        path.relative_to(DEFAULT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(DEFAULT.rglob("*"))
        if path.is_file()
    }


def read_page(text: str) -> Page:
    """The page of a code."""
    title, *rest = _SECTION.split(text)
    return Page(title.strip(), dict(zip(rest[::2], rest[1::2], strict=True)))


def findings(files: dict[str, str]) -> tuple[Diagnostic, ...]:
    """What is shown of a project given as texts, DuckDB's own findings included."""
    seeds = [path for path in files if path.endswith(".csv") and path.startswith("models/")]
    texts = {path: text for path, text in files.items() if path.endswith((".sql", ".yml"))}
    analysis = analyze(load_project(texts, seeds=seeds, environment={}), DuckDBBinder())
    return reported(analysis.diagnostics, texts).findings
