"""Literate check cases: a heading is a test, its fenced blocks are files, and marks under a line fix code and span.

    QUALIFY is_deleted = FALSE
            ^^^^^^^^^^^^^^^^^^ SuccessionDeleteFilterMisplaced

A mark line may begin with ``--``. A span that goes on behind its line ends in ``+``. Without marks the model is
admitted. A ``yaml`` block without a path replaces the default source; a ``sql`` block without one is the model.
A ``shape`` block says what was proven of an admitted model, a ``text`` block what a person reads,
a ``diff`` block what all fixes together change.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from smelt.analysis.analyze import analyze
from smelt.analysis.model import Analysis
from smelt.diagnostics.model import Diagnostic
from smelt.grains.succession.shape import SuccessionShape
from smelt.project.load import load_project
from smelt.text.lines import LineIndex
from tests.pages.reading import default_files

CASES = Path(__file__).parents[1] / "cases" / "check"
MODEL = "models/customer_history.sql"
SOURCE = "models/sources/customer_changes.yml"
_MARK = re.compile(r"^(?:--)?([ \t]*)(\^+)(\+?) (\w+)$")
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)

_TOLD = ("shape", "text", "diff")


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A finding expected at a 1-based line and half-open 0-based columns of a file."""

    file: str
    line: int
    start: int
    end: int
    more: bool
    code: str


@dataclass(frozen=True, slots=True)
class Case:
    """One test: the project's files and what is marked in them."""

    name: str
    files: dict[str, str]
    marks: tuple[Mark, ...]
    shape: str | None = None
    text: str | None = None
    diff: str | None = None


@cache
def cases(folder: Path = CASES) -> tuple[Case, ...]:
    """All cases of all files of a folder."""
    return tuple(_cases(folder))


def _cases(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        _, *rest = _HEADING.split(text)
        for title, body in zip(rest[::2], rest[1::2], strict=True):
            yield _case(f"{path.stem}: {title.strip()}", body)


def _case(name: str, body: str) -> Case:
    files = default_files()
    marks: list[Mark] = []
    told: dict[str, str] = {}
    for language, path, text in _BLOCK.findall(body):
        if language in _TOLD:
            told[language] = text
            continue
        file = path or (MODEL if language == "sql" else SOURCE)
        files[file], found = unmarked(file, text)
        marks += found
    return Case(name, files, tuple(sorted(marks)), *(told.get(kind) for kind in _TOLD))


def judged(files: Mapping[str, str]) -> Analysis:
    """What smelt itself finds in a project given as texts, looked for once: texts are all that it takes."""
    return _judged(tuple((path, text) for path, text in files.items() if path.endswith((".sql", ".yml"))))


@cache
def _judged(texts: tuple[tuple[str, str], ...]) -> Analysis:
    return analyze(load_project(dict(texts), environment={}))


def unmarked(file: str, text: str) -> tuple[str, list[Mark]]:
    """The text without mark lines, and the marks."""
    kept: list[str] = []
    marks: list[Mark] = []
    for line in text.splitlines(keepends=True):
        mark = _MARK.match(line.rstrip("\n"))
        if mark is None:
            kept.append(line)
            continue
        start = mark.start(2)
        marks.append(Mark(file, len(kept), start, start + len(mark[2]), bool(mark[3]), mark[4]))
    return "".join(kept), marks


def marked(diagnostic: Diagnostic, text: str) -> Mark:
    """The mark that a finding would have."""
    index = LineIndex(text)
    start, end = index.range(diagnostic.location.span)
    more = end.line > start.line
    stop = len(index.line(start.line)) if more else end.column - 1
    return Mark(diagnostic.location.file, start.line, start.column - 1, stop, more, diagnostic.code.name)


def summary(shape: SuccessionShape | None) -> str:
    """A shape in a few lines."""
    if shape is None:
        return "refused\n"
    lines = [
        f"identity ({', '.join((*shape.key, shape.clock))}) in ({', '.join((*shape.key_outputs, shape.clock_output))})",
        f"clock {shape.clock_type}, run axis {shape.run_axis} by {shape.granularity}, {shape.partitioning}",
        *([f"delete flag {shape.flag}"] if shape.flag is not None else []),
        *([f"filter {shape.pre_filter}"] if shape.pre_filter is not None else []),
        f"reads {', '.join(shape.reads)}",
    ]
    for column in shape.outputs:
        sides = [side for side, reads in (("lead", column.lead), ("lag", column.lag)) if reads]
        kind = " and ".join(sides) if sides else "row-local"
        lines.append(f"{column.name}: {kind} {column.sql}")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Told:
    """What was found of a case."""

    marks: list[Mark]
    shape: str
    text: str
    diff: str


def rewrite(path: Path, actual: dict[str, Told]) -> str:
    """The file's text with the marks, shapes and frames of each case replaced by the actual ones."""
    text = path.read_text(encoding="utf-8")
    head, *rest = _HEADING.split(text)
    pieces = [head]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        name = f"{path.stem}: {title.strip()}"
        pieces += [f"## {title}", _BLOCK.sub(lambda m, n=name: _block(m, actual[n]), body)]
    return "".join(pieces)


def _block(match: re.Match[str], told: Told) -> str:
    language, path, text = match.groups()
    if language in _TOLD:
        return f"```{language}\n{getattr(told, language)}```"
    file = path or (MODEL if language == "sql" else SOURCE)
    plain, _ = unmarked(file, text)
    lines: list[str] = []
    for number, line in enumerate(plain.splitlines(keepends=True), 1):
        lines.append(line)
        for mark in sorted(told.marks):
            if mark.file == file and mark.line == number:
                carets = " " * mark.start + "^" * max(mark.end - mark.start, 1) + ("+" if mark.more else "")
                lines.append(f"{carets} {mark.code}\n")
    return f"```{language}{' ' + path if path else ''}\n{''.join(lines)}```"
