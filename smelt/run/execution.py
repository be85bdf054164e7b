"""One execution: every seed, model and test of a schedule, each in its turn, as many at once as there are jobs."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.engines.model import Built, Warehouse, WarehouseError
from smelt.project.model import Address, Seed, Target
from smelt.run.building import Builder
from smelt.run.endings import Endings
from smelt.run.model import RunSummary
from smelt.run.outcomes import failed, refusal, skipped
from smelt.run.pool import Pool, Then, Work
from smelt.run.progress import Progress
from smelt.run.readiness import Readiness
from smelt.run.retrying import Patience
from smelt.run.schedule import Schedule, TestStep, reads_any
from smelt.run.tests import run_test
from smelt.state.records import SkipReason

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Execution:
    """A run in progress.

    Workers do nothing but ask the warehouse; all that is decided, written and told happens on the thread that runs.
    """

    analysis: Analysis
    target: Target
    builder: Builder
    pool: Pool
    patience: Patience
    endings: Endings

    @property
    def progress(self) -> Progress:
        """What has ended so far."""
        return self.endings.progress

    def run(self, steps: Schedule, notices: Iterable[str]) -> RunSummary:
        """Run everything, telling ``notices`` first; the manifest's end is written when this returns."""
        self.progress.started(tuple(step.name for step in steps.tests))
        for notice in notices:
            self.progress.notice(notice)
        project, chosen = self.analysis.project, frozenset(steps.models)
        reads = {address: [one.address for one in project.models[address].references] for address in project.order}
        self._phase(steps.seeds, lambda seed: (), self._seed)
        self._phase(project.order, reads.__getitem__, lambda address: self._model(address, chosen))
        self._phase(steps.tests, lambda step: (), self._test)
        return self.progress.finish(self.endings.interruption.exit_code)

    def stop(self) -> None:
        """Stop the statements that run now; from a signal handler."""
        self.pool.interrupt()

    def abandon(self) -> None:
        """Write down that the run was cancelled; from a signal handler."""
        self.progress.abandon()

    def _phase(
        self, order: Sequence[T], waits_for: Callable[[T], Collection[T]], begin: Callable[[T], Work | None]
    ) -> None:
        """Everything of one kind, each after those it waits for; ``begin`` gives None for what ends without work."""
        steps = Readiness(order, waits_for)

        def ended(one: T) -> Then:
            return lambda: steps.ended(one)

        while True:
            while self.pool.has_room and (one := steps.take()) is not None:
                work = begin(one)
                if work is None:
                    steps.ended(one)
                else:
                    self.pool.begin(work, ended(one))
            if not self.pool.is_busy:
                return
            self.pool.attend()

    def _seed(self, seed: Seed) -> Work | None:
        name = str(seed.address)
        if self.progress.has_ended(name):
            return None
        reason = self._skip_reason(seed.address)
        if reason is not None:
            self.progress.model_ended(name, skipped(reason))
            return None
        return self._work(seed.address, lambda warehouse: self.builder.seed(warehouse, seed), None)

    def _model(self, address: Address, chosen: Collection[Address]) -> Work | None:
        if reads_any(self.analysis.project, address, self.endings.blocked):
            self.endings.blocked.add(address)
        name = str(address)
        if address not in chosen or self.progress.has_ended(name):
            return None
        analysis = self.analysis.models[address]
        reason = self._skip_reason(address)
        if reason is not None:
            self.progress.model_ended(name, skipped(reason, analysis.definition_hash))
            return None
        failure = refusal(analysis, self.target.name)
        if failure is not None:
            self.endings.blocked.add(address)
            self.progress.model_ended(name, failed(failure, 0, None), failure)
            return None

        def announce(text: str) -> None:
            self.pool.post(lambda: self.progress.notice(text, name))

        return self._work(address, lambda warehouse: self.builder.model(warehouse, analysis, announce), analysis)

    def _work(self, address: Address, build: Callable[[Warehouse], Built], analysis: ModelAnalysis | None) -> Work:
        name, clock = str(address), self.patience.clock
        self.progress.model_started(name)

        def work(warehouse: Warehouse) -> Then:
            began = clock.monotonic()
            tried = self.patience.tried(name, lambda: build(warehouse))
            duration = round((clock.monotonic() - began) * 1000)
            return lambda: self.endings.built(address, tried, duration, analysis)

        return work

    def _test(self, step: TestStep) -> Work | None:
        if self._stops() or not self.progress.stands(str(step.model)):
            self.progress.test_ended(step.name, skipped("upstream_failed"))
            return None
        clock = self.patience.clock

        def work(warehouse: Warehouse) -> Then:
            began = clock.monotonic()
            tried = self.patience.tried(step.name, lambda: self._must_pass(warehouse, step))
            duration = round((clock.monotonic() - began) * 1000)
            return lambda: self.endings.tested(step.name, tried, duration)

        return work

    def _must_pass(self, warehouse: Warehouse, step: TestStep) -> None:
        failure = run_test(self.analysis, self.target, warehouse, step, self.builder.samples)
        if failure is not None:
            raise WarehouseError(failure)

    def _skip_reason(self, address: Address) -> SkipReason | None:
        if address in self.endings.blocked:
            return "upstream_failed"
        return "not_reached" if self._stops() else None

    def _stops(self) -> bool:
        fails_fast = self.builder.request.fail_fast and self.progress.has_failure
        return fails_fast or self.endings.interruption.exit_code is not None
