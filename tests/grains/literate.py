"""Literate check cases: a heading is a test, its fenced blocks are files, and marks under a line fix code and span.

    QUALIFY is_deleted = FALSE
            ^^^^^^^^^^^^^^^^^^ SuccessionDeleteFilterMisplaced

A mark line may begin with ``--``. A span that goes on behind its line ends in ``+``. Without marks the model is
admitted. A ``yaml`` block without a path replaces the default source; a ``sql`` block without one is the model.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smelt.diagnostics.model import Diagnostic
from smelt.text.lines import LineIndex
from tests.pages.reading import default_files

CASES = Path(__file__).parents[1] / "cases" / "check"
MODEL = "models/customer_history.sql"
SOURCE = "models/sources/customer_changes.yml"
_MARK = re.compile(r"^(?:--)?([ \t]*)(\^+)(\+?) (\w+)$")
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


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


def cases() -> Iterator[Case]:
    """All cases of all files."""
    for path in sorted(CASES.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        _, *rest = _HEADING.split(text)
        for title, body in zip(rest[::2], rest[1::2], strict=True):
            yield _case(f"{path.stem}: {title.strip()}", body)


def _case(name: str, body: str) -> Case:
    files = default_files()
    marks: list[Mark] = []
    for language, path, text in _BLOCK.findall(body):
        file = path or (MODEL if language == "sql" else SOURCE)
        files[file], found = unmarked(file, text)
        marks += found
    return Case(name, files, tuple(sorted(marks)))


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


def rewrite_marks(path: Path, actual: dict[str, list[Mark]]) -> str:
    """The file's text with the marks of each case replaced by the actual ones."""
    text = path.read_text(encoding="utf-8")
    head, *rest = _HEADING.split(text)
    pieces = [head]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        marks = actual.get(f"{path.stem}: {title.strip()}")
        pieces += [f"## {title}", body if marks is None else _BLOCK.sub(lambda m, k=marks: _block(m, k), body)]
    return "".join(pieces)


def _block(match: re.Match[str], marks: list[Mark]) -> str:
    language, path, text = match.groups()
    file = path or (MODEL if language == "sql" else SOURCE)
    plain, _ = unmarked(file, text)
    lines: list[str] = []
    for number, line in enumerate(plain.splitlines(keepends=True), 1):
        lines.append(line)
        for mark in sorted(marks):
            if mark.file == file and mark.line == number:
                carets = " " * mark.start + "^" * max(mark.end - mark.start, 1) + ("+" if mark.more else "")
                lines.append(f"{carets} {mark.code}\n")
    return f"```{language}{' ' + path if path else ''}\n{''.join(lines)}```"
