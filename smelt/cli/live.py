"""The live table of a run on a terminal."""

import time
from collections.abc import Mapping
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from smelt.cli.outcome import detail, seconds, word
from smelt.cli.progress import failure_text, retry_text
from smelt.cli.terminal import Terminal
from smelt.diagnostics.cells import one_line
from smelt.diagnostics.model import Severity
from smelt.diagnostics.render import plain_text
from smelt.run.model import Begun, Ended, Listener, Retry

_STYLES = {"success": "green", "failed": "bold red", "skipped": "yellow"}
_MARGIN = 4
"""Lines of the terminal that the table leaves free."""


class LiveProgress(Listener):
    """A table of models: waiting, running with its elapsed time, ended with its counts.

    Used as a context manager; failures and notices scroll by above the table.
    """

    def __init__(self, terminal: Terminal, texts: Mapping[str, str]) -> None:
        self._terminal = terminal
        self._texts = texts
        self._console = Console(file=terminal.err, no_color=terminal.plain, highlight=False)
        self._live = Live(
            self, console=self._console, refresh_per_second=8, redirect_stdout=False, redirect_stderr=False
        )
        self._names: list[str] = []
        self._ended: dict[str, Ended] = {}
        self._running: dict[str, float] = {}

    def __enter__(self) -> "LiveProgress":
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.clear()
        self._live.stop()

    def started(self, begun: Begun) -> None:
        """Show all models as waiting."""
        self._names = list(begun.manifest.selection)

    def model_started(self, name: str) -> None:
        """Show a model as running."""
        self._running[name] = time.monotonic()

    def model_ended(self, ended: Ended) -> None:
        """Show how a model, a seed or a test ended."""
        self._running.pop(ended.name, None)
        if ended.name not in self._ended and ended.name not in self._names:
            self._names.append(ended.name)
        self._ended[ended.name] = ended
        if ended.failure is not None:
            self._print(failure_text(self._terminal, ended.failure, self._texts))

    def retrying(self, retry: Retry) -> None:
        """Show that something is tried again, above the table."""
        code, palette = retry.failure.code, self._terminal.err_palette
        self._print(self._terminal.redacted(plain_text(Severity.WARNING, code, retry_text(retry), "", palette)))

    def notice(self, text: str, about: str | None) -> None:
        """Show what the run wants to say, above the table."""
        self._print(self._terminal.redacted(plain_text(Severity.INFO, None, text, "", self._terminal.err_palette)))

    def __rich__(self) -> Table:
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column()
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(no_wrap=True)
        names = self._names_in_view()
        for name in names:
            table.add_row(*self._row(name))
        hidden = len(self._names) - len(names)
        if hidden:
            table.add_row("", Text(f"… {hidden} more", style="dim"), "", "")
        return table

    def _names_in_view(self) -> list[str]:
        """As many models as fit, around those that run."""
        room = max(3, self._console.height - _MARGIN)
        if len(self._names) <= room:
            return self._names
        first = min(max(0, len(self._ended) - room // 2), len(self._names) - room)
        return self._names[first : first + room]

    def _row(self, name: str) -> tuple[Text, Text, Text, Text]:
        ended = self._ended.get(name)
        if ended is not None:
            outcome = ended.record.outcome
            return (
                Text(word(outcome), style=_STYLES[outcome]),
                Text(one_line(name)),
                Text(seconds(ended.record.duration_ms)),
                Text(detail(ended.record)),
            )
        since = self._running.get(name)
        if since is not None:
            elapsed = round((time.monotonic() - since) * 1000)
            return Text("running", style="cyan"), Text(one_line(name)), Text(seconds(elapsed)), Text("")
        return Text("waiting", style="dim"), Text(one_line(name), style="dim"), Text(""), Text("")

    def _print(self, written: str) -> None:
        self._console.print(Text.from_ansi(written), soft_wrap=True)
