"""What has ended in a run, told to the journal first and then to whoever listens."""

from collections.abc import Mapping

from smelt.engines.model import Failure
from smelt.run.model import Begun, Ended, Listener, Retry, RunSummary
from smelt.run.outcomes import exit_code, skipped
from smelt.state.journal import Journal
from smelt.state.records import ModelRecord, Outcome, TestOutcome

_TEST_OUTCOMES: Mapping[Outcome, TestOutcome] = {"success": "passed", "failed": "failed", "skipped": "skipped"}


class Progress:
    """The state of one execution: what runs now, what has ended and how. Of one thread."""

    def __init__(self, journal: Journal, listener: Listener) -> None:
        self.journal = journal
        self._listener = listener
        self._running: dict[str, None] = {}
        self._places: Mapping[str, int] = {}
        self._ended: dict[str, Ended] = {}
        self._notices: list[tuple[int, str]] = []
        self.has_failure = False
        """Whether anything failed so far."""

    def has_ended(self, name: str) -> bool:
        """Whether a seed, model or test has come to an end."""
        return name in self._ended

    def stands(self, name: str) -> bool:
        """Whether a model is up to date: by this run, or by the one that this run goes on from."""
        ended = self._ended.get(name)
        return ended is not None and (ended.record.outcome == "success" or ended.record.skip_reason == "resumed")

    def started(self, tests: tuple[str, ...]) -> None:
        """The run begins; its manifest and report are written, and what the manifest tells of already has ended."""
        self.journal.flush()
        manifest = self.journal.manifest
        self._places = {name: at for at, name in enumerate((*manifest.selection, *tests))}
        self._listener.started(Begun(manifest, tests))
        for name, record in manifest.models.items():
            self._tell(Ended(name, record))

    def model_started(self, name: str) -> None:
        """A model or seed begins."""
        self._running[name] = None
        self._listener.model_started(name)

    def model_ended(self, name: str, record: ModelRecord, failure: Failure | None = None) -> None:
        """A model or seed came to an end."""
        self.journal.model_ended(name, record)
        self._running.pop(name, None)
        self._tell(Ended(name, record, failure))

    def test_ended(self, name: str, record: ModelRecord, failure: Failure | None = None) -> None:
        """A column test came to an end."""
        self.journal.test_ended(name, _TEST_OUTCOMES[record.outcome])
        self._tell(Ended(name, record, failure))

    def _tell(self, ended: Ended) -> None:
        self._ended[ended.name] = ended
        self.has_failure |= ended.record.outcome == "failed"
        self._listener.model_ended(ended)

    def retrying(self, retry: Retry) -> None:
        """Something is tried again."""
        self._listener.retrying(retry)

    def notice(self, text: str, about: str | None = None) -> None:
        """A line that a person should see; ``about`` names the model it is about."""
        self._notices.append((self._places.get(about, -1) if about is not None else -1, text))
        self._listener.notice(text, about)

    def finish(self, interrupted: int | None) -> RunSummary:
        """The orderly end; ``interrupted`` is the exit code of the signal that brought it, if one did.

        What the summary tells is in the order of the run's models, whatever ended first.
        """
        ended = tuple(sorted(self._ended.values(), key=lambda one: self._places[one.name]))
        code = exit_code(ended, interrupted)
        manifest = self.journal.finish("completed" if interrupted is None else "cancelled", code)
        notices = tuple(text for _, text in sorted(self._notices, key=lambda one: one[0]))
        return RunSummary(manifest, ended, code, notices)

    def abandon(self) -> None:
        """Write down, from a signal handler, that the run ends here; what ran is cancelled."""
        for name in tuple(self._running):
            self.journal.model_ended(name, skipped("cancelled"))
        self.journal.finish("cancelled")
