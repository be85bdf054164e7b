"""``--log-format json``: a run's progress as lines of JSON on stdout."""

import json
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, nullcontext

from smelt.cli.faults import Stop
from smelt.cli.terminal import Terminal
from smelt.diagnostics.model import Diagnostic
from smelt.diagnostics.render_json import diagnostic_objects
from smelt.run import events
from smelt.run.model import Begun, Ended, Listener, Retry, RunSummary
from smelt.state.clock import Clock, SystemClock

_CLOCK = SystemClock()


class EventLog(Listener):
    """One line for each event, as it happens."""

    def __init__(self, terminal: Terminal, texts: Mapping[str, str], clock: Clock = _CLOCK) -> None:
        self._terminal = terminal
        self._texts = texts
        self._clock = clock
        self._run_id: str | None = None
        self._tests: frozenset[str] = frozenset()

    def started(self, begun: Begun) -> None:
        """The run begins."""
        self._run_id = begun.manifest.run_id
        self._tests = frozenset(begun.tests)
        self._write(events.run_started(begun))

    def model_started(self, name: str) -> None:
        """A seed or model begins."""
        self._write(events.model_started(name))

    def model_ended(self, ended: Ended) -> None:
        """A seed, a model or a test came to an end."""
        found = ended.failure.diagnostics if ended.failure is not None else ()
        event = events.test_ended if ended.name in self._tests else events.model_ended
        self._write(event(ended, diagnostic_objects(found, self._texts)))

    def retrying(self, retry: Retry) -> None:
        """Something is tried again."""
        self._write(events.retrying(retry))

    def notice(self, text: str, about: str | None) -> None:
        """Something worth a line."""
        self._write(events.notice(text, about))

    def warn(self, found: tuple[Diagnostic, ...]) -> None:
        """Advice about the models to come."""
        self._write(events.warnings(diagnostic_objects(found, self._texts)))

    def listening(self) -> AbstractContextManager[Listener]:
        """This itself."""
        return nullcontext(self)

    def ended(self, summary: RunSummary, seeds: Collection[str], elapsed_ms: int) -> None:
        """The run ended in an orderly way."""
        self._write(events.run_ended(summary))

    def stopped(self, stop: Stop) -> None:
        """The command stopped, before a run began or without an end of it."""
        error: events.Json | None = None
        if stop.message:
            error = {"code": stop.code, "message": stop.message, "help": stop.help}
        self._write(events.stopped(int(stop.exit), error, diagnostic_objects(stop.diagnostics, stop.texts)))

    def _write(self, event: events.Event) -> None:
        line = json.dumps(events.stamped(event, self._clock.now(), self._run_id), ensure_ascii=False)
        self._terminal.result(self._terminal.redacted(line) + "\n")
