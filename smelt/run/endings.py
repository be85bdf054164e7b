"""What is written and told when something ends: by the thread that runs, whichever worker did it."""

from dataclasses import dataclass, field, replace

from smelt.analysis.model import ModelAnalysis
from smelt.engines.model import Built, Failure
from smelt.project.model import Address
from smelt.run.interruption import Interruption
from smelt.run.outcomes import failed, granularity_of, joined, schema_of, skipped, succeeded, with_work
from smelt.run.progress import Progress
from smelt.run.retrying import Tried
from smelt.state.clock import Clock
from smelt.state.codec import instant
from smelt.state.records import Landed, ModelRecord


@dataclass(slots=True)
class Endings:
    """The outcomes of one run. ``blocked`` grows: what failed, and everything that reads it."""

    progress: Progress
    interruption: Interruption
    clock: Clock
    blocked: set[Address] = field(default_factory=set)

    def built(self, address: Address, tried: Tried[Built], duration_ms: int, analysis: ModelAnalysis | None) -> None:
        """A success, a failure, or the end of a run that was interrupted; what was committed stays and is told.

        ``analysis`` is None for a seed.
        """
        name, granularity = str(address), granularity_of(analysis)
        definition_hash = analysis.definition_hash if analysis is not None else None
        done = joined((*tried.committed, *(() if tried.value is None else (tried.value,))))
        if done is not None and analysis is not None:
            self._mirror(name, analysis, done)
        failure: Failure | None = None
        if tried.failure is None:
            for text in tried.value.notices if tried.value is not None else ():
                self.progress.notice(text, name)
            record = succeeded(done, granularity, duration_ms, definition_hash)
        elif self.interruption.exit_code is not None:
            record = with_work(skipped("cancelled", definition_hash), done, granularity)
        else:
            failure = tried.failure
            record = with_work(failed(failure, duration_ms, definition_hash), done, granularity)
            self.blocked.add(address)
        self.progress.model_ended(name, replace(record, retry_count=tried.retries), failure)

    def tested(self, name: str, tried: Tried[None], duration_ms: int) -> None:
        """A test passed or failed, or the run was interrupted."""
        failure = tried.failure
        if failure is None:
            record = ModelRecord(outcome="success", duration_ms=duration_ms)
        elif self.interruption.exit_code is not None:
            record, failure = skipped("cancelled"), None
        else:
            record = failed(failure, duration_ms, None)
        self.progress.test_ended(name, replace(record, retry_count=tried.retries), failure)

    def _mirror(self, name: str, analysis: ModelAnalysis, built: Built) -> None:
        """Copy what the warehouse recorded."""
        journal, granularity = self.progress.journal, granularity_of(analysis)
        if analysis.kind == "succession":
            journal.cover(name, granularity, built.coverage)
        for source, partitions in built.landed:
            journal.land(source, granularity, (Landed(one.interval, one.rows) for one in partitions))
        if built.columns:
            journal.deploy(name, schema_of(analysis, built, instant(self.clock.now())))
