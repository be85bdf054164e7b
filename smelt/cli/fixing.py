"""Applying fixes to texts until none is left that may be applied. Pure: reading and writing is its caller's."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from smelt.diagnostics.model import Diagnostic, Fix
from smelt.text.edits import Edit, apply_edits
from smelt.text.spans import Span

_MOST_ROUNDS = 10
"""One fix can bring another finding to light; more rounds than this would be two fixes undoing each other."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The texts that fixes changed, by file, and how many findings were fixed."""

    texts: Mapping[str, str]
    count: int


def fix_all(
    look: Callable[[Mapping[str, str]], tuple[tuple[Diagnostic, ...], Mapping[str, str]]],
    may_apply: Callable[[Fix], bool],
) -> Fixed:
    """Apply fixes round by round until a round changes nothing.

    Args:
        look: the findings with the given changed texts laid over the files, and all texts.
        may_apply: which fixes are wanted.
    """
    changed: dict[str, str] = {}
    count = 0
    for _ in range(_MOST_ROUNDS):
        findings, texts = look(changed)
        edits, applied = _chosen(findings, may_apply)
        if not applied:
            break
        for file, file_edits in edits.items():
            changed[file] = apply_edits(texts.get(file, ""), file_edits)
        count += applied
    return Fixed(changed, count)


def difference(file: str, before: str, after: str) -> str:
    """A unified diff of one file, as ``git apply`` reads it."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{file}", f"b/{file}"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _chosen(findings: Iterable[Diagnostic], may_apply: Callable[[Fix], bool]) -> tuple[dict[str, list[Edit]], int]:
    """One fix for each finding, left out where it would touch what another already changes."""
    chosen: dict[str, list[Edit]] = {}
    applied = 0
    for finding in findings:
        fix = next((fix for fix in finding.fixes if may_apply(fix)), None)
        if fix is None or any(_clashes(edit.edit.span, chosen.get(edit.file, ())) for edit in fix.edits):
            continue
        for edit in fix.edits:
            chosen.setdefault(edit.file, []).append(edit.edit)
        applied += 1
    return chosen, applied


def _clashes(span: Span, taken: Iterable[Edit]) -> bool:
    return any(span.start <= edit.span.end and edit.span.start <= span.end for edit in taken)
