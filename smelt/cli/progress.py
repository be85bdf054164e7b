"""What a person sees of a run: one line for each model as it ends, or a live table on a terminal."""

from collections.abc import Iterable, Mapping

from smelt.cli.outcome import detail, seconds, word
from smelt.cli.terminal import Terminal
from smelt.diagnostics.cells import one_line
from smelt.diagnostics.model import Severity
from smelt.diagnostics.render import text
from smelt.engines.model import Failure
from smelt.run.model import Begun, Ended, Listener, Retry


class LineProgress(Listener):
    """One line on stderr for each model as it ends; why it failed right under it."""

    def __init__(self, terminal: Terminal, texts: Mapping[str, str]) -> None:
        self._terminal = terminal
        self._texts = texts
        self._width = 0

    def started(self, begun: Begun) -> None:
        """Keep the columns in line."""
        self.align(begun.manifest.selection)

    def align(self, names: Iterable[str]) -> None:
        """Remember how wide the names are, so that the columns stay in line."""
        self._width = max(map(len, names), default=0)

    def model_started(self, name: str) -> None:
        """A line is written when it ends."""

    def model_ended(self, ended: Ended) -> None:
        """Write the line."""
        record = ended.record
        columns = f"{word(record.outcome):<7}  {one_line(ended.name):<{self._width}}"
        self._terminal.say(f"{columns}  {seconds(record.duration_ms):>7}  {detail(record)}".rstrip())
        if ended.failure is not None:
            show_failure(self._terminal, ended.failure, self._texts)

    def retrying(self, retry: Retry) -> None:
        """Write that it is tried again, and why."""
        self._terminal.finding(Severity.WARNING, retry.failure.code, retry_text(retry))

    def notice(self, text: str, about: str | None) -> None:
        """Write what the run wants to say."""
        self._terminal.finding(Severity.INFO, None, text)


def retry_text(retry: Retry) -> str:
    """Why something is tried again, and when."""
    return f"{retry.failure.message}; try {retry.number} of {retry.of} in {retry.pause:g} s"


def failure_text(terminal: Terminal, failure: Failure, texts: Mapping[str, str]) -> str:
    """Why a model failed: code frames if the reason stands in a file, else its message."""
    from smelt.diagnostics.render import plain_text

    if failure.diagnostics:
        return terminal.redacted(text(failure.diagnostics, texts, terminal.err_palette, terminal.err_width))
    return terminal.redacted(
        plain_text(Severity.ERROR, failure.code, failure.message, failure.help, terminal.err_palette)
    )


def show_failure(terminal: Terminal, failure: Failure, texts: Mapping[str, str]) -> None:
    """Write why a model failed to stderr."""
    terminal.say(failure_text(terminal, failure, texts).rstrip("\n"))
