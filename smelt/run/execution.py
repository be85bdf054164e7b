"""One execution: every seed, model and test of a schedule, each in its turn."""

from collections.abc import Callable
from dataclasses import dataclass, field

from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.engines.model import Built, Failure, FoldRequest, Warehouse, WarehouseError
from smelt.project.model import Address, Seed, Target
from smelt.run.interruption import Interruption
from smelt.run.model import RunRequest, RunSummary
from smelt.run.outcomes import failed, granularity_of, refusal, schema_of, skipped, succeeded, with_work
from smelt.run.progress import Progress
from smelt.run.schedule import Schedule, TestStep, reads_any
from smelt.run.tests import run_test
from smelt.state.clock import Clock
from smelt.state.codec import instant
from smelt.state.records import Landed, ModelRecord, SkipReason
from smelt.state.store import RunId


@dataclass(slots=True)
class Execution:
    """A run in progress. ``blocked`` grows: what failed, and everything that reads it."""

    analysis: Analysis
    request: RunRequest
    target: Target
    run_id: RunId
    warehouse: Warehouse
    interruption: Interruption
    progress: Progress
    clock: Clock
    samples: int
    blocked: set[Address] = field(default_factory=set)

    def run(self, steps: Schedule) -> RunSummary:
        """Run everything; the manifest's end is written when this returns."""
        self.progress.started(steps.names)
        self._resume(steps)
        for seed in steps.seeds:
            if self.progress.outcome(str(seed.address)) is None:
                self._seed(seed)
        chosen = frozenset(address for address in steps.models if self.progress.outcome(str(address)) is None)
        for address in self.analysis.project.order:
            if reads_any(self.analysis.project, address, self.blocked):
                self.blocked.add(address)
            if address in chosen:
                self._model(address)
        for step in steps.tests:
            self._test(step)
        return self.progress.finish(self.interruption.exit_code)

    def stop(self) -> None:
        """Stop the statement that runs now; from a signal handler."""
        self.warehouse.interrupt()

    def abandon(self) -> None:
        """Write down that the run was cancelled; from a signal handler."""
        self.progress.abandon()

    def _resume(self, steps: Schedule) -> None:
        """Tell of what the run that this one goes on from did."""
        records = self.progress.journal.manifest.models
        for name in steps.names:
            if name in records:
                self.progress.model_ended(name, records[name])

    def _seed(self, seed: Seed) -> None:
        name = str(seed.address)
        reason = self._skip_reason(seed.address)
        if reason is not None:
            self.progress.model_ended(name, skipped(reason))
            return
        self._build(
            seed.address,
            lambda: self.warehouse.load_seed(seed, self.run_id.text, self.run_id.sequence),
            None,
        )

    def _model(self, address: Address) -> None:
        analysis = self.analysis.models[address]
        reason = self._skip_reason(address)
        failure = refusal(analysis, self.target.name)
        if reason is not None:
            self.progress.model_ended(str(address), skipped(reason, analysis.definition_hash))
        elif failure is not None:
            self.blocked.add(address)
            self.progress.model_ended(str(address), failed(failure, 0, None), failure)
        else:
            self._build(address, lambda: self._bring_up_to_date(analysis), analysis)

    def _bring_up_to_date(self, analysis: ModelAnalysis) -> Built:
        run_id, sequence = self.run_id.text, self.run_id.sequence
        if analysis.kind == "view":
            return self.warehouse.build_view(analysis, run_id, sequence)
        if analysis.kind == "table":
            return self.warehouse.build_table(analysis, run_id, sequence)
        request = FoldRequest(
            run_id=run_id,
            sequence=sequence,
            window=self.request.window,
            full_refresh=self.request.full_refresh,
            chunk=self.request.chunk,
            samples=self.samples,
            lose_history=self.request.lose_history,
        )
        return self.warehouse.fold(analysis, request, self.progress.notice)

    def _build(self, address: Address, build: Callable[[], Built], analysis: ModelAnalysis | None) -> None:
        name = str(address)
        self.progress.model_started(name)
        began = self.clock.monotonic()
        try:
            built = build()
        except WarehouseError as error:
            self._failed(address, error, self._since(began), analysis)
            return
        duration = self._since(began)
        self._mirror(name, analysis, built)
        for text in built.notices:
            self.progress.notice(text)
        definition_hash = analysis.definition_hash if analysis is not None else built.content_hash
        self.progress.model_ended(name, succeeded(built, granularity_of(analysis), duration, definition_hash))

    def _failed(self, address: Address, error: WarehouseError, duration: int, analysis: ModelAnalysis | None) -> None:
        """A failure, or the end of a run that was interrupted; what was committed before it stays and is told."""
        name = str(address)
        definition_hash = analysis.definition_hash if analysis is not None else None
        if error.committed is not None:
            self._mirror(name, analysis, error.committed)
        failure: Failure | None = None
        if self.interruption.exit_code is not None:
            record = skipped("cancelled", definition_hash)
        else:
            failure = error.failure
            record = failed(failure, duration, definition_hash)
            self.blocked.add(address)
        self.progress.model_ended(name, with_work(record, error.committed, granularity_of(analysis)), failure)

    def _mirror(self, name: str, analysis: ModelAnalysis | None, built: Built) -> None:
        """Copy what the warehouse recorded."""
        if analysis is None:
            return
        journal, granularity = self.progress.journal, granularity_of(analysis)
        if analysis.kind == "succession":
            journal.cover(name, granularity, built.coverage)
        for source, partitions in built.landed:
            journal.land(source, granularity, (Landed(one.interval, one.rows) for one in partitions))
        if built.columns:
            journal.deploy(name, schema_of(analysis, built, instant(self.clock.now())))

    def _test(self, step: TestStep) -> None:
        if self._stops() or not self.progress.stands(str(step.model)):
            self.progress.test_ended(step.name, skipped("upstream_failed"))
            return
        began = self.clock.monotonic()
        failure = run_test(self.analysis, self.target, self.warehouse, step, self.samples)
        if failure is None:
            record = ModelRecord(outcome="success", duration_ms=self._since(began))
        elif self.interruption.exit_code is not None:
            record, failure = skipped("cancelled"), None
        else:
            record = failed(failure, self._since(began), None)
        self.progress.test_ended(step.name, record, failure)

    def _skip_reason(self, address: Address) -> SkipReason | None:
        if address in self.blocked:
            return "upstream_failed"
        return "not_reached" if self._stops() else None

    def _stops(self) -> bool:
        fails_fast = self.request.fail_fast and self.progress.has_failure
        return fails_fast or self.interruption.exit_code is not None

    def _since(self, began: float) -> int:
        return round((self.clock.monotonic() - began) * 1000)
