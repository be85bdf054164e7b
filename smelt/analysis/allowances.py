"""Comments that allow a finding: ``-- smelt: allow CODE reason`` on the line above it, ``#`` in YAML.

What they do is said in :mod:`smelt.analysis.reported`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from smelt.diagnostics.model import Diagnostic
from smelt.project.comments import yaml_comments
from smelt.project.frontmatter import split
from smelt.sql.lexer import line_comments
from smelt.text.lines import LineIndex
from smelt.text.spans import Span

_ALLOW = re.compile(r"(?:--+|#+)[ \t]*smelt:[ \t]*allow\b[ \t]*(?P<code>\w*)[ \t:,\-–—]*(?P<reason>.*)", re.IGNORECASE)
_NEAR = re.compile(r"smelt:[ \t]*allow", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Allowance:
    """A comment that allows a code.

    Attributes:
        span: the comment, from its mark to its last character.
        line: the line that holds nothing else, its end included; None if there is code before the comment.
        covered: the line whose findings it allows; None if there is none below.
        code: as written; may be empty, or no code at all.
        code_span: where the code stands, or would stand.
        reason: as written; may be empty.
    """

    file: str
    span: Span
    line: Span | None
    covered: Span | None
    code: str
    code_span: Span
    reason: str

    def allows(self, finding: Diagnostic) -> bool:
        """Whether a finding is the one it is about."""
        covered = self.covered
        start = finding.location.span.start
        return (
            covered is not None
            and finding.code.name == self.code
            and finding.location.file == self.file
            and covered.start <= start < covered.end
        )


def mentions(text: str) -> bool:
    """Whether a text may hold such a comment: without its words it holds none."""
    return _NEAR.search(text) is not None


def allowances(file: str, text: str) -> tuple[Allowance, ...]:
    """The comments of a file that allow something, or mean to."""
    if not mentions(text):
        return ()
    index = LineIndex(text)
    matched = [(span, match) for span in _comments(file, text) if (match := _ALLOW.match(span.of(text))) is not None]
    alone = {line for span, _ in matched if (line := _line_alone(index, span)) is not None}
    return tuple(_allowance(file, index, span, match, alone) for span, match in matched)


def _comments(file: str, text: str) -> Iterator[Span]:
    if not file.lower().endswith(".sql"):
        yield from _shifted(yaml_comments, text, Span(1 if text.startswith("\ufeff") else 0, len(text)))
        return
    parts = split(text)
    if parts.yaml is not None:
        yield from _shifted(yaml_comments, text, parts.yaml)
    yield from _shifted(line_comments, text, parts.sql)


def _shifted(find: Callable[[str], Iterator[tuple[int, int]]], text: str, part: Span) -> Iterator[Span]:
    if not mentions(written := part.of(text)):
        return
    for start, end in find(written):
        yield Span(start, end).shift(part.start)


def _line_alone(index: LineIndex, span: Span) -> int | None:
    """The number of the line that a comment has for itself."""
    number = index.position(span.start).line
    before = index.text[index.starts[number - 1] : span.start]
    return None if before.strip(" \t\ufeff") else number


def _allowance(file: str, index: LineIndex, span: Span, match: re.Match[str], alone: set[int]) -> Allowance:
    own = _line_alone(index, span)
    below = own + 1 if own is not None else index.count + 1
    while below in alone:  # several of them stand above one line
        below += 1
    code = Span(*match.span("code")).shift(span.start)
    return Allowance(
        file=file,
        span=Span(span.start, span.start + len(match[0].rstrip())),
        line=_line(index, own) if own is not None else None,
        covered=_line(index, below) if below <= index.count else None,
        code=match["code"],
        code_span=code,
        reason=match["reason"].strip(),
    )


def _line(index: LineIndex, number: int) -> Span:
    """A line with its end; the last one takes in the end of the text, where a finding may stand too."""
    start = index.starts[number - 1]
    return Span(start, index.starts[number]) if number < index.count else Span(start, len(index.text) + 1)
