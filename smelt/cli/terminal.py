"""Where a command speaks: results on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from smelt.cli.faults import Stop

if TYPE_CHECKING:  # the renderer is imported when there is something to render, so that `smelt --help` is quick
    from smelt.diagnostics.model import Severity
    from smelt.diagnostics.render import Palette

HIDDEN = "***"
SHORTEST_SECRET = 4


class Terminal:
    """The two streams of one command.

    A reader that goes away (``smelt show … | head``) ends the output, never the command: a run must not stop
    half-way because nobody reads its progress, and the exit code stays its own.
    """

    def __init__(self, stdout: TextIO, stderr: TextIO, *, plain: bool) -> None:
        self._stdout = _Stream(stdout)
        self._stderr = _Stream(stderr)
        self._plain = plain
        self._hidden: tuple[str, ...] = ()

    @property
    def out_palette(self) -> Palette:
        """Colours for stdout: none unless it is a terminal that may have them."""
        return self._palette(self._stdout)

    @property
    def err_palette(self) -> Palette:
        """Colours for stderr."""
        return self._palette(self._stderr)

    @property
    def out_width(self) -> int | None:
        """Columns of the terminal that stdout is; None if it is none."""
        return _columns() if self._stdout.is_tty else None

    @property
    def err_width(self) -> int | None:
        """Columns of the terminal that stderr is; None if it is none."""
        return _columns() if self._stderr.is_tty else None

    @property
    def out_is_tty(self) -> bool:
        """Whether a person looks at stdout."""
        return self._stdout.is_tty

    @property
    def err_is_tty(self) -> bool:
        """Whether a person looks at stderr."""
        return self._stderr.is_tty

    @property
    def plain(self) -> bool:
        """Whether colours were refused, whatever the streams are."""
        return self._plain

    @property
    def out(self) -> TextIO:
        """The raw stdout, for a renderer that needs a file."""
        return self._stdout.raw

    @property
    def err(self) -> TextIO:
        """The raw stderr."""
        return self._stderr.raw

    def refuse_colours(self) -> None:
        """From now on write plain text, whatever the streams are."""
        self._plain = True

    def hide(self, values: Iterable[str]) -> None:
        """From now on print ``***`` in the place of these values (those that the environment gave).

        Shorter ones than :data:`SHORTEST_SECRET` stay: they are no secrets, and without them no line could be read.
        """
        long = {value for value in values if len(value.strip()) >= SHORTEST_SECRET}
        self._hidden = tuple(sorted(long, key=len, reverse=True))

    def redacted(self, said: str) -> str:
        """The text without the values to hide."""
        for value in self._hidden:
            said = said.replace(value, HIDDEN)
        return said

    def result(self, written: str) -> None:
        """Write to stdout, as it is."""
        self._stdout.write(written)

    def say(self, line: str) -> None:
        """Write a line to stderr."""
        self._stderr.write(self.redacted(line) + "\n")

    def stop(self, stop: Stop) -> None:
        """Say on stderr why a command stops."""
        from smelt.diagnostics.model import Severity
        from smelt.diagnostics.render import text

        if stop.diagnostics:
            self._stderr.write(self.redacted(text(stop.diagnostics, stop.texts, self.err_palette, self.err_width)))
        if stop.message:
            self.finding(Severity.ERROR, stop.code, stop.message, stop.help)

    def finding(self, severity: Severity, code: str | None, message: str, help_text: str = "") -> None:
        """Say on stderr something that stands in no file."""
        from smelt.diagnostics.render import plain_text

        self._stderr.write(self.redacted(plain_text(severity, code, message, help_text, self.err_palette)))

    def _palette(self, stream: _Stream) -> Palette:
        from smelt.diagnostics.render import COLOR, PLAIN

        return COLOR if stream.is_tty and not self._plain else PLAIN


class _Stream:
    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    @property
    def is_tty(self) -> bool:
        return self.raw.isatty()

    def write(self, written: str) -> None:
        try:
            self.raw.write(written)
            self.raw.flush()
        except BrokenPipeError:
            discard(self.raw)


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def discard(stream: TextIO) -> None:
    """Send what is still to be written to a broken pipe nowhere, so that its flush at exit cannot fail either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def wants_no_colour() -> bool:
    """Whether the environment refuses colours (https://no-color.org) or the terminal has none."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def standard() -> Terminal:
    """The process's own streams. What their encoding cannot say is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    return Terminal(sys.stdout, sys.stderr, plain=wants_no_colour())
