"""How a run is shown: as text for people, or as events for programs."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from smelt.cli.outcome import summary_line
from smelt.cli.terminal import Terminal
from smelt.diagnostics.model import Diagnostic
from smelt.run.model import Listener, RunSummary


class Show(Protocol):
    """One way to show a run of the project whose files are ``texts``."""

    def warn(self, found: tuple[Diagnostic, ...]) -> None:
        """Show advice about the models that will be run."""

    def listening(self) -> AbstractContextManager[Listener]:
        """What the run tells of its progress, inside a ``with`` block."""

    def ended(self, summary: RunSummary, seeds: Collection[str], elapsed_ms: int) -> None:
        """Show how the run ended."""


class TextShow:
    """On stderr: a live table on a terminal, else a line for each model; a summary at the end."""

    def __init__(self, terminal: Terminal, texts: Mapping[str, str]) -> None:
        self._terminal = terminal
        self._texts = texts

    def warn(self, found: tuple[Diagnostic, ...]) -> None:
        """Show advice with its lines."""
        from smelt.diagnostics.render import text

        terminal = self._terminal
        terminal.say(text(found, self._texts, terminal.err_palette, terminal.err_width))

    @contextmanager
    def listening(self) -> Iterator[Listener]:
        """The live table, or lines in the order of the project."""
        if self._terminal.err_is_tty and not self._terminal.plain:
            from smelt.cli.live import LiveProgress

            with LiveProgress(self._terminal, self._texts) as live:
                yield live
        else:
            from smelt.cli.progress import LineProgress
            from smelt.run.ordering import InOrder

            lines = InOrder(LineProgress(self._terminal, self._texts))
            try:
                yield lines
            finally:
                lines.flush()

    def ended(self, summary: RunSummary, seeds: Collection[str], elapsed_ms: int) -> None:
        """Show the summary line."""
        self._terminal.say(summary_line(summary, seeds, elapsed_ms))
