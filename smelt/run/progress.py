"""What has ended in a run, told to the journal first and then to whoever listens."""

from collections.abc import Mapping

from smelt.engines.model import Failure
from smelt.run.model import Ended, Listener, RunSummary
from smelt.run.outcomes import exit_code, skipped
from smelt.state.journal import Journal
from smelt.state.records import ModelRecord, Outcome, TestOutcome

_TEST_OUTCOMES: Mapping[Outcome, TestOutcome] = {"success": "passed", "failed": "failed", "skipped": "skipped"}


class Progress:
    """The state of one execution: what runs now, what has ended and how."""

    def __init__(self, journal: Journal, listener: Listener) -> None:
        self.journal = journal
        self._listener = listener
        self._running: str | None = None
        self._ended: list[Ended] = []
        self._notices: list[str] = []

    @property
    def has_failure(self) -> bool:
        """Whether anything failed so far."""
        return any(one.record.outcome == "failed" for one in self._ended)

    def outcome(self, name: str) -> Outcome | None:
        """How a model ended; None if it has not."""
        record = self.journal.manifest.models.get(name)
        return None if record is None else record.outcome

    def stands(self, name: str) -> bool:
        """Whether a model is up to date: by this run, or by the one that this run goes on from."""
        record = self.journal.manifest.models.get(name)
        return record is not None and (record.outcome == "success" or record.skip_reason == "resumed")

    def started(self, names: tuple[str, ...]) -> None:
        """The run begins; its manifest and report are written."""
        self.journal.flush()
        self._listener.started(names)

    def model_started(self, name: str) -> None:
        """A model or seed begins."""
        self._running = name
        self._listener.model_started(name)

    def model_ended(self, name: str, record: ModelRecord, failure: Failure | None = None) -> None:
        """A model or seed came to an end."""
        self._running = None
        self.journal.model_ended(name, record)
        self._tell(Ended(name, record, failure))

    def test_ended(self, name: str, record: ModelRecord, failure: Failure | None = None) -> None:
        """A column test came to an end."""
        self.journal.test_ended(name, _TEST_OUTCOMES[record.outcome])
        self._tell(Ended(name, record, failure))

    def _tell(self, ended: Ended) -> None:
        self._ended.append(ended)
        self._listener.model_ended(ended)

    def notice(self, text: str) -> None:
        """A line that a person should see."""
        self._notices.append(text)
        self._listener.notice(text)

    def finish(self, interrupted: int | None) -> RunSummary:
        """The orderly end; ``interrupted`` is the exit code of the signal that brought it, if one did."""
        ended = tuple(self._ended)
        code = exit_code(ended, interrupted)
        manifest = self.journal.finish("completed" if interrupted is None else "cancelled", code)
        return RunSummary(manifest, ended, code, tuple(self._notices))

    def abandon(self) -> None:
        """Write down, from a signal handler, that the run ends here; what ran is cancelled."""
        if self._running is not None:
            self.journal.model_ended(self._running, skipped("cancelled"))
        self.journal.finish("cancelled")
