"""Literate editor cases: a heading is a test, its first blocks are files, and ``$0`` in one of them is the cursor.

The blocks after them say what the editor offers at the cursor:

- ``findings``: one line each, ``line:column-line:column Code``, of the file with the cursor
- ``hover``: the range's text, then what is shown
- ``actions``: one line each, kind and title; a ``*`` marks the preferred one
- ``fixed``: the file after the first quick fix; ``fixed-all``: after the safe fixes of the file
- ``definition``: the file that the reference names
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from smelt.editor.actions import Action, fix_all, quick_fixes
from smelt.editor.definition import definition
from smelt.editor.hover import hover
from smelt.editor.snapshot import Snapshot
from smelt.text.edits import apply_edits
from smelt.text.lines import LineIndex
from smelt.text.spans import Span
from tests.editor.projects import CURSOR

CASES = Path(__file__).parents[1] / "cases" / "editor"
_BLOCK = re.compile(r"^(`{3,})(\S+)(?: (\S+))?\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """One test. ``expected`` maps a question to its right answer."""

    path: Path
    title: str
    files: dict[str, str]
    file: str
    offset: int
    expected: dict[str, str]

    def __str__(self) -> str:
        return f"{self.path.stem}: {self.title}"


def cases() -> Iterator[Case]:
    """All cases of all files."""
    for path in sorted(CASES.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for title, span in _sections(text):
            yield _case(path, title, span.of(text))


def _sections(text: str) -> list[tuple[str, Span]]:
    """Titles with the spans of what follows them; a heading inside a block is part of an answer."""
    blocks = [block.span() for block in _BLOCK.finditer(text)]
    found = [
        heading
        for heading in _HEADING.finditer(text)
        if not any(start <= heading.start() < end for start, end in blocks)
    ]
    ends = [*(heading.start() for heading in found[1:]), len(text)]
    return [(heading[1], Span(heading.end(), end)) for heading, end in zip(found, ends, strict=True)]


def _case(path: Path, title: str, body: str) -> Case:
    files: dict[str, str] = {}
    expected: dict[str, str] = {}
    cursor: tuple[str, int] | None = None
    for _, kind, name, text in _BLOCK.findall(body):
        if not name:
            expected[kind] = text
            continue
        at = text.find(CURSOR)
        if at >= 0:
            cursor = (name, at)
        files[name] = text.replace(CURSOR, "")
    assert cursor is not None, f"{path}: {title}: no {CURSOR}"
    return Case(path, title, files, *cursor, expected)


def answer(question: str, snapshot: Snapshot, case: Case) -> str:
    """What the editor says."""
    return _ANSWERS[question](snapshot, case)


def _findings(snapshot: Snapshot, case: Case) -> str:
    index = LineIndex(snapshot.texts[case.file])
    lines = []
    for found in snapshot.of(case.file):
        start, end = index.range(found.location.span)
        lines.append(f"{start.line}:{start.column}-{end.line}:{end.column} {found.code.name}\n")
    return "".join(lines)


def _hover(snapshot: Snapshot, case: Case) -> str:
    found = hover(snapshot, case.file, case.offset)
    return f"{found.span.of(snapshot.texts[case.file])}\n{found.markdown.rstrip()}\n" if found is not None else ""


def _actions(snapshot: Snapshot, case: Case) -> str:
    offered = [*quick_fixes(snapshot, case.file, Span(case.offset, case.offset))]
    every = fix_all(snapshot, case.file)
    listed = [*offered, every] if every is not None else offered
    return "".join(f"{action.kind} {action.title}{' *' if action.preferred else ''}\n" for action in listed)


def _fixed(snapshot: Snapshot, case: Case) -> str:
    return _after(snapshot, case, quick_fixes(snapshot, case.file, Span(case.offset, case.offset))[0])


def _fixed_all(snapshot: Snapshot, case: Case) -> str:
    every = fix_all(snapshot, case.file)
    return _after(snapshot, case, every) if every is not None else snapshot.texts[case.file]


def _after(snapshot: Snapshot, case: Case, action: Action) -> str:
    return apply_edits(snapshot.texts[case.file], [edit.edit for edit in action.edits if edit.file == case.file])


def _definition(snapshot: Snapshot, case: Case) -> str:
    target = definition(snapshot, case.file, case.offset)
    return f"{target.file}\n" if target is not None else ""


_ANSWERS: dict[str, Callable[[Snapshot, Case], str]] = {
    "findings": _findings,
    "hover": _hover,
    "actions": _actions,
    "fixed": _fixed,
    "fixed-all": _fixed_all,
    "definition": _definition,
}


def rewrite(case: Case, answers: dict[str, str]) -> None:
    """Put the editor's own answers in the place of a case's expectations."""
    text = case.path.read_text(encoding="utf-8")
    span = dict(_sections(text))[case.title]
    body = span.of(text)
    for question, said in answers.items():
        block = re.compile(rf"^(`{{3,}}){question}\n.*?^\1$", re.MULTILINE | re.DOTALL)
        fence = "````" if "```" in said else "```"
        body = block.sub(lambda _, q=question, s=said, f=fence: f"{f}{q}\n{s}{f}", body)
    case.path.write_text(text[: span.start] + body + text[span.end :], encoding="utf-8")
