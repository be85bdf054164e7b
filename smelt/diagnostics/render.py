"""Findings as a person reads them: the one renderer behind every command.

error[SuccessionDeleteFilterMisplaced]: QUALIFY must be exactly NOT <boolean column>
  --> models/customer_history.sql:11:9
   |
11 | QUALIFY is_deleted = FALSE
   |         ^^^^^^^^^^^^^^^^^^ compares the delete flag instead of negating it
   |
   = help: write QUALIFY NOT is_deleted
   = fix available: smelt check --fix
"""

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from smelt.diagnostics.cells import harmless, one_line
from smelt.diagnostics.model import Diagnostic, Location, Severity
from smelt.diagnostics.snippet import Snippet, snippet
from smelt.text.lines import LineIndex


@dataclass(frozen=True, slots=True)
class Palette:
    """The escape sequences that begin each kind of text; ``reset`` ends it. All empty: plain text."""

    error: str = ""
    warning: str = ""
    info: str = ""
    gutter: str = ""
    strong: str = ""
    reset: str = ""

    def paint(self, style: str, text: str) -> str:
        """The text in a style of this palette."""
        return f"{style}{text}{self.reset}" if text and style else text

    def of(self, severity: Severity) -> str:
        """The style of a severity."""
        return {Severity.ERROR: self.error, Severity.WARNING: self.warning, Severity.INFO: self.info}[severity]


_GUTTER = 8
"""Columns that a line number, its bar and a margin may take."""
_NARROWEST = 32
"""A narrower screen wraps: less of a line would tell nothing."""

PLAIN = Palette()
COLOR = Palette(
    error="\x1b[1;31m",
    warning="\x1b[1;33m",
    info="\x1b[1;36m",
    gutter="\x1b[1;34m",
    strong="\x1b[1m",
    reset="\x1b[0m",
)


def text(
    diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], palette: Palette = PLAIN, width: int | None = None
) -> str:
    """The code frames of findings, in the order given, a blank line between two.

    Args:
        diagnostics: what to show.
        texts: the files' texts by project-relative path; a finding in a file that is not here has no frame.
        palette: colours; none unless asked for.
        width: columns of the screen; lines that are longer are shown in part. None shows them whole.
    """
    indexes: dict[str, LineIndex] = {}
    for diagnostic in (diagnostics := tuple(diagnostics)):
        for location in (diagnostic.location, *(related.location for related in diagnostic.related)):
            if location.file in texts and location.file not in indexes:
                indexes[location.file] = LineIndex(texts[location.file])
    return "\n".join(_frame(diagnostic, indexes, palette, width) for diagnostic in diagnostics)


def plain_text(severity: Severity, code: str | None, message: str, help: str = "", palette: Palette = PLAIN) -> str:  # noqa: A002 - the word people read
    """A finding that stands in no file (a held lock, a failed statement), in the same style."""
    return "".join(
        f"{line}\n" for line in (_header(severity, code, message, palette), *_notes("", help, "", palette, None))
    )


def _frame(diagnostic: Diagnostic, indexes: Mapping[str, LineIndex], palette: Palette, width: int | None) -> str:
    room = None if width is None else max(_NARROWEST, width - _GUTTER)
    first = _Placed.of(diagnostic.location, diagnostic.label, "^", indexes, room)
    rest = [_Placed.of(related.location, related.message, "-", indexes, room) for related in diagnostic.related]
    pad = " " * max(placed.digits for placed in (first, *rest))
    style = palette.of(diagnostic.severity)
    lines = [_header(diagnostic.severity, diagnostic.code.name, diagnostic.message, palette)]
    lines += _place(first, "-->", pad, style, palette)
    bar = palette.paint(palette.gutter, f"{pad} |")
    for placed in rest:
        lines.append(bar)
        lines += _place(placed, ":::", pad, palette.gutter, palette)
    notes = list(_notes(pad, diagnostic.help, _fix_command(diagnostic), palette, width))
    if notes and any(placed.snippet for placed in (first, *rest)):
        lines.append(bar)
    return "".join(f"{line}\n" for line in (*lines, *notes))


@dataclass(frozen=True, slots=True)
class _Placed:
    """A location with what there is to show of it; ``snippet`` is None if the file's text is not known."""

    where: str
    label: str
    snippet: Snippet | None

    @staticmethod
    def of(location: Location, label: str, mark: str, indexes: Mapping[str, LineIndex], room: int | None) -> "_Placed":
        index = indexes.get(location.file)
        file = one_line(location.file)
        if index is None:
            return _Placed(file, label, None)
        start = index.position(location.span.start)
        return _Placed(f"{file}:{start.line}:{start.column}", label, snippet(index, location.span, mark, label, room))

    @property
    def digits(self) -> int:
        return self.snippet.digits if self.snippet else 1


def _place(placed: _Placed, arrow: str, pad: str, style: str, palette: Palette) -> Iterator[str]:
    yield f"{pad}{palette.paint(palette.gutter, arrow)} {placed.where}"
    if placed.snippet is None:
        if placed.label:
            yield f"{pad} {palette.paint(palette.gutter, '=')} note: {one_line(placed.label)}"
        return
    bar = palette.paint(palette.gutter, f"{pad} |")
    yield bar
    for row in placed.snippet.rows:
        if row.gap:
            yield palette.paint(palette.gutter, "...".ljust(len(pad) + 3)) + palette.paint(style, row.mark)
            continue
        gutter = bar if row.number is None else palette.paint(palette.gutter, f"{row.number:>{len(pad)}} |")
        body = row.before + palette.paint(style, row.mark) + row.after
        yield f"{gutter} {body}".rstrip()


def _header(severity: Severity, code: str | None, message: str, palette: Palette) -> str:
    label = f"{severity.value}[{code}]" if code else severity.value
    return palette.paint(palette.of(severity), label) + palette.paint(palette.strong, f": {one_line(message)}")


def _notes(pad: str, help_text: str, fix_command: str, palette: Palette, width: int | None) -> Iterator[str]:
    sign = palette.paint(palette.gutter, "=")
    if help_text:
        indent = len(f"{pad} = help: ")
        lines = _wrapped(harmless(help_text), None if width is None else max(_NARROWEST, width - indent))
        said = ("\n" + " " * indent).join(lines)
        yield f"{pad} {sign} {palette.paint(palette.strong, 'help')}: {said}"
    if fix_command:
        yield f"{pad} {sign} {palette.paint(palette.strong, 'fix available')}: {fix_command}"


def _wrapped(written: str, width: int | None) -> Iterator[str]:
    for line in written.split("\n"):
        if width is None:
            yield line
        else:
            yield from textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]


def _fix_command(diagnostic: Diagnostic) -> str:
    if any(fix.safe for fix in diagnostic.fixes):
        return "smelt check --fix"
    return "smelt check --fix --unsafe" if diagnostic.fixes else ""
