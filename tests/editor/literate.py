"""Literate editor cases: a heading is a test, its first blocks are files, and ``$0`` in one of them is the cursor.

The blocks after them say what the editor offers at the cursor:

- ``findings``: one line each, ``line:column-line:column Code``, of the file with the cursor
- ``hover``: the range's text, then what is shown
- ``actions``: one line each, kind and title; a ``*`` marks the preferred one
- ``fixed``: the file after the first quick fix; ``fixed-all``: after the safe fixes of the file
- ``definition``: one line each, where what is named there is made: file, ``line:column`` and the text there
- ``references``, ``highlights``: the same for every place that means the same
- ``rename``: the new name, then what the project becomes, or why not; its findings must stay what they were
- ``moved``: files that get other paths, one line each, then what the project becomes, or why it does not follow
- ``symbols``: the parts of the file, indented; ``project-symbols``: the text searched for, then what has it
- ``folds``: one line each, first and last line and kind
- ``selections``: what a selection grows to, one line each, line ends as ``⏎``
- ``completions``: what is offered that fits the word at the cursor, one line each, the likeliest first
- ``hints``: the lines of the file that have hints, with them
- ``lenses``: the titles above the file, with their commands; never run
- ``completed``: the file after the likeliest of these, without its places to fill in
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path

from smelt.analysis.analyze import analyze
from smelt.editor.actions import Action, fix_all, quick_fixes
from smelt.editor.complete import completions
from smelt.editor.completion import Completion
from smelt.editor.definition import definition, highlights, references
from smelt.editor.hints import hints
from smelt.editor.hover import hover
from smelt.editor.lens import Past, lenses
from smelt.editor.moving import moved
from smelt.editor.ranges import folds, selections
from smelt.editor.readdress import FileRename, NoRename, Renaming
from smelt.editor.rename import prepare_rename, rename
from smelt.editor.snapshot import Snapshot
from smelt.editor.symbols import Symbol, document_symbols, project_symbols
from smelt.engines.binder import DuckDBBinder
from smelt.project.load import load_project
from smelt.text.edits import Edit, apply_edits
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
    for action in listed:
        _mends(snapshot, action)
    return "".join(f"{action.kind} {action.title}{' *' if action.preferred else ''}\n" for action in listed)


def _mends(snapshot: Snapshot, action: Action) -> None:
    """What an action is offered for is gone when it was taken."""
    seeds = [seed.file for seed in snapshot.analysis.project.seeds.values()] if snapshot.analysis else []
    again = analyze(load_project(_texts_after(snapshot, action), seeds=seeds), DuckDBBinder())
    for found in action.diagnostics:
        left = [one for one in again.diagnostics if one.code is found.code and one.location.file == found.location.file]
        before = [one for one in snapshot.of(found.location.file) if one.code is found.code]
        assert len(left) < len(before), f"{action.title} leaves {found.code.name}"


def _texts_after(snapshot: Snapshot, action: Action) -> dict[str, str]:
    texts = dict(snapshot.texts)
    for file in {edit.file for edit in action.edits}:
        texts[file] = apply_edits(texts[file], [edit.edit for edit in action.edits if edit.file == file])
    if action.creates is not None:
        texts[action.creates.file] = action.creates.text
    return texts


def _fixed(snapshot: Snapshot, case: Case) -> str:
    return _after(snapshot, case, quick_fixes(snapshot, case.file, Span(case.offset, case.offset))[0])


def _fixed_all(snapshot: Snapshot, case: Case) -> str:
    every = fix_all(snapshot, case.file)
    return _after(snapshot, case, every) if every is not None else snapshot.texts[case.file]


def _after(snapshot: Snapshot, case: Case, action: Action) -> str:
    """The file with the cursor; of other files that change, with their paths."""
    texts = _texts_after(snapshot, action)
    changed = [file for file, text in texts.items() if snapshot.texts.get(file) != text]
    if changed == [case.file]:
        return texts[case.file]
    return "".join(f"=== {file}\n{texts[file]}" for file in sorted(changed))


def _definition(snapshot: Snapshot, case: Case) -> str:
    return "".join(_place(snapshot, place.file, place.span) for place in definition(snapshot, case.file, case.offset))


def _references(snapshot: Snapshot, case: Case) -> str:
    found = references(snapshot, case.file, case.offset)
    return "".join(_place(snapshot, one.file, one.span) for one in found)


def _highlights(snapshot: Snapshot, case: Case) -> str:
    found = highlights(snapshot, case.file, case.offset)
    return "".join(f"{one.role} {_place(snapshot, one.file, one.span)}" for one in found)


def _place(snapshot: Snapshot, file: str, span: Span) -> str:
    text = snapshot.texts.get(file, "")
    position = LineIndex(text).position(span.start)
    return f"{file} {position.line}:{position.column} {span.of(text)}".rstrip() + "\n"


def _rename(snapshot: Snapshot, case: Case) -> str:
    new = case.expected["rename"].partition("\n")[0]
    try:
        said = prepare_rename(snapshot, case.file, case.offset).name
        renaming = rename(snapshot, case.file, case.offset, new)
    except NoRename as refused:
        return f"{new}\nrefused: {refused}\n"
    moves = "".join(f"{move.old} -> {move.new}\n" for move in renaming.files)
    paths = {move.old: move.new for move in renaming.files}
    beyond = f"beyond: {renaming.beyond}\n" if renaming.beyond else ""
    return f"{new}\n{said} is renamed\n{beyond}{moves}{_renamed(snapshot, renaming, paths)}"


def _moved(snapshot: Snapshot, case: Case) -> str:
    lines = [line.partition(" -> ") for line in case.expected["moved"].splitlines()]
    moves = [
        FileRename(old, new)
        for old, arrow, new in takewhile(lambda line: line[1] and not line[0].startswith("along: "), lines)
    ]
    told = "".join(f"{move.old} -> {move.new}\n" for move in moves)
    try:
        renaming = moved(snapshot, moves)
    except NoRename as refused:
        return f"{told}refused: {refused}\n"
    if renaming == Renaming(()):
        return f"{told}needs no edit\n"
    seeds = [seed.file for seed in snapshot.analysis.project.seeds.values()] if snapshot.analysis else []
    moves += renaming.files
    paths = {
        file: move.new + file.removeprefix(move.old)
        for file in (*snapshot.texts, *seeds)
        for move in moves
        if file == move.old or file.startswith(f"{move.old}/")
    }
    along = "".join(f"along: {move.old} -> {move.new}\n" for move in renaming.files)
    return f"{told}{along}is followed\n{_renamed(snapshot, renaming, paths)}"


def _renamed(snapshot: Snapshot, renaming: Renaming, paths: dict[str, str]) -> str:
    """The files that change; the project finds what it found before."""
    texts, shown = dict(snapshot.texts), ""
    for file in sorted({edit.file for edit in renaming.edits}):
        texts[file] = apply_edits(texts[file], [edit.edit for edit in renaming.edits if edit.file == file])
        shown += f"=== {paths.get(file, file)}\n{texts[file]}"
    moved = {paths.get(file, file): text for file, text in texts.items()}
    seeds = [seed.file for seed in snapshot.analysis.project.seeds.values()] if snapshot.analysis else []
    again = analyze(load_project(moved, seeds=[paths.get(file, file) for file in seeds]), DuckDBBinder())
    before = sorted(found.code.name for found in snapshot.analysis.diagnostics) if snapshot.analysis else []
    assert sorted(found.code.name for found in again.diagnostics) == before
    return shown


def _symbols(snapshot: Snapshot, case: Case) -> str:
    def lines(symbols: tuple[Symbol, ...], indent: str) -> Iterator[str]:
        for one in symbols:
            text = snapshot.texts[case.file]
            assert one.span.covers(one.name_span)
            yield f"{indent}{one.kind} {one.name} {one.detail}".rstrip() + f" [{one.name_span.of(text)}]\n"
            yield from lines(one.children, indent + "  ")

    return "".join(lines(document_symbols(snapshot, case.file), ""))


def _project_symbols(snapshot: Snapshot, case: Case) -> str:
    query = case.expected["project-symbols"].partition("\n")[0]
    found = project_symbols(snapshot, query)
    places = (_place(snapshot, one.location.file, one.location.span) for one in found)
    shown = (f"{one.kind} {one.name} {one.container}".rstrip() for one in found)
    return f"{query}\n" + "".join(f"{name} {place}" for name, place in zip(shown, places, strict=True))


def _folds(snapshot: Snapshot, case: Case) -> str:
    return "".join(f"{one.first}-{one.last} {one.kind}\n" for one in folds(snapshot, case.file))


def _selections(snapshot: Snapshot, case: Case) -> str:
    text = snapshot.texts[case.file]
    spans = selections(snapshot, case.file, case.offset)
    assert all(outer.covers(inner) for inner, outer in pairwise(spans))
    return "".join(span.of(text).replace("\n", "⏎") + "\n" for span in spans)


def _fitting(snapshot: Snapshot, case: Case) -> list[Completion]:
    """As an editor shows them: those that begin with what is written."""
    found = completions(snapshot, case.file, case.offset)
    text = snapshot.texts[case.file]
    for one in found:
        assert one.span.end == case.offset
        assert "\n" not in one.span.of(text)
    return [one for one in found if one.label.lower().startswith(one.span.of(text).lower())]


def _completions(snapshot: Snapshot, case: Case) -> str:
    lines = (f"{one.kind} {one.label} · {one.detail} · {one.meaning}" for one in _fitting(snapshot, case))
    return "".join(line.rstrip(" ·") + "\n" for line in lines)


def _hints(snapshot: Snapshot, case: Case) -> str:
    text = snapshot.texts[case.file]
    found = hints(snapshot, case.file, Span(0, len(text)))
    edits = [Edit(Span(one.offset, one.offset), f"⟦{one.text}⟧") for one in found]
    merged = {edit.span: "".join(other.text for other in edits if other.span == edit.span) for edit in edits}
    shown = apply_edits(text, [Edit(span, words) for span, words in merged.items()])
    return "".join(f"{line}\n" for line in shown.split("\n") if "⟦" in line)


def _lenses(snapshot: Snapshot, case: Case) -> str:
    return "".join(f"{one.title} -> {one.command} {one.model}\n" for one in lenses(snapshot, case.file, Past()))


def _completed(snapshot: Snapshot, case: Case) -> str:
    first = _fitting(snapshot, case)[0]
    return apply_edits(snapshot.texts[case.file], [Edit(first.span, first.text)])


_ANSWERS: dict[str, Callable[[Snapshot, Case], str]] = {
    "findings": _findings,
    "hover": _hover,
    "actions": _actions,
    "fixed": _fixed,
    "fixed-all": _fixed_all,
    "definition": _definition,
    "references": _references,
    "highlights": _highlights,
    "rename": _rename,
    "moved": _moved,
    "symbols": _symbols,
    "project-symbols": _project_symbols,
    "folds": _folds,
    "completions": _completions,
    "completed": _completed,
    "hints": _hints,
    "lenses": _lenses,
    "selections": _selections,
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
