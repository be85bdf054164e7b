"""One part of a check looked at: the findings that comments leave, before anything is filtered."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from smelt.cli.checking import judged
from smelt.cli.scope import Part
from smelt.diagnostics.model import Diagnostic
from smelt.workspace.checking import Findings
from smelt.workspace.inventory import NotPlain


@dataclass(frozen=True, slots=True)
class Look:
    """A part as it was looked at.

    Attributes:
        seen: its project; ``findings`` are those that no comment allows, ``texts`` those of the files they name.
        allowed: how many a comment does allow.
    """

    part: Part
    seen: Findings
    allowed: int


def look_at(part: Part, overlay: Mapping[str, str] | None = None) -> Look:
    """Judge the project of a part; see :func:`smelt.cli.checking.judged` for ``overlay``."""
    try:
        return _look(part, judged(part.root, overlay))
    except NotPlain:  # a file was changed since it was judged: read all of them at once
        return _look(part, judged(part.root, overlay or {}))


def _look(part: Part, seen: Findings) -> Look:
    if not seen.commented:
        return Look(part, replace(seen, texts=_texts(seen.findings, seen.texts)), 0)
    from smelt.analysis.reported import reported

    shown = reported(seen.findings, {file: seen.texts[file] for file in seen.commented})
    return Look(part, replace(seen, findings=shown.findings, texts=_texts(shown.findings, seen.texts)), shown.allowed)


def _texts(findings: Iterable[Diagnostic], texts: Mapping[str, str]) -> Mapping[str, str]:
    """The texts that the findings are shown with, read now, so that what is printed is what was judged.

    Raises:
        NotPlain: one of them was changed meanwhile.
    """
    files = dict.fromkeys(file for finding in findings for file in _named(finding))
    return {file: texts[file] for file in files if file in texts}


def _named(finding: Diagnostic) -> Iterator[str]:
    yield finding.location.file
    for related in finding.related:
        yield related.location.file
    for fix in finding.fixes:
        for edit in fix.edits:
            yield edit.file
