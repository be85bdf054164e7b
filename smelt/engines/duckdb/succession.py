"""Deciding what a succession model's run folds, and running it batch by batch."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.blame import DATA_FAULTS, Blame, unreadable
from smelt.engines.duckdb.folding import Batch, Changes, Folding, first_run
from smelt.engines.duckdb.history import corrected, lost
from smelt.engines.duckdb.probes import changed, is_due, take
from smelt.engines.duckdb.record import BuiltRecord, Folded, Record
from smelt.engines.duckdb.remembered import stored_columns
from smelt.engines.duckdb.render_events import count_source
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.sources import SourceRelation, bad_text, resolve
from smelt.engines.duckdb.standing import Standing, check_columns
from smelt.engines.errors import fault
from smelt.engines.model import Built, Failure, FoldRequest, LandedPartition, WarehouseError
from smelt.engines.rules import definition_delta_pending, source_history_expired
from smelt.grains.succession.shape import SuccessionShape
from smelt.plan.catchup import catch_up, expired_before, fallen
from smelt.plan.landed import landed
from smelt.plan.succession import SuccessionPlan, plan, staged_input
from smelt.plan.windows import Grid, hull
from smelt.project.model import Probes, Project, Source
from smelt.text.identifiers import quote
from smelt.text.intervals import Interval


@dataclass(slots=True)
class SuccessionRun:
    """One call of ``fold``: reads the record, decides, runs."""

    session: Session
    root: Path
    project: Project
    model: ModelAnalysis
    shape: SuccessionShape
    request: FoldRequest
    announce: Callable[[str], None]

    def run(self) -> Built:
        """Bring the table up to date.

        Raises:
            WarehouseError: refused or failed; the transaction it happened in was rolled back, those before it
                are in its ``committed``.
        """
        name = str(self.model.model.address)
        source = self.project.sources[self.shape.source]
        relation: SourceRelation | None = None
        result: _Result | None = None
        try:
            with self.session.named(name):
                relation = resolve(self.session, self.root, self.project, source)
            with self.session.transaction(name):
                folding = self._begin(source, relation)
                work = self._decide(folding)
                if not work.builds:
                    self._probe(folding)
                result = _Result(work, relation.notices)
                self._first(folding, work, result)
                folding.remember()
            result.commit(_built(folding))
            for batch in work.batches[1:]:
                with self.session.transaction(name):
                    result.add(batch, *folding.patch(batch, _built(folding)))
                result.commit(_built(folding))
        except WarehouseError as error:
            failure = self._explained(error, source, relation)
            raise WarehouseError(failure, result.committed if result is not None else None) from error
        return self._built(folding, result)

    def rehearse(self) -> "Rehearsal":
        """What a run would do now, decided and not done. The session may be one that only reads.

        Raises:
            WarehouseError: the run would be refused.
        """
        name = str(self.model.model.address)
        source = self.project.sources[self.shape.source]
        with self.session.named(name):
            relation = resolve(self.session, self.root, self.project, source)
        with self.session.snapshot(name):
            folding = self._begin(source, relation)
            work = self._decide(folding)
        before = {} if work.builds else {at: one.raw for at, one in folding.folded.items()}
        waiting = sum(max(0, rows - before.get(at, 0)) for at, rows in (work.counts or {}).items())
        return Rehearsal(work.builds, tuple(batch.ranges for batch in work.batches), folding.plan, waiting)

    def _begin(self, source: Source, relation: SourceRelation) -> Folding:
        check_columns(self.model)
        model = self.model.model
        record = Record(self.session)
        standing = Standing(self.session, record)
        settings = standing.settings()
        known = standing.may_build(model.address, model.relation)
        if known is not None and known.kind == "succession" and not self.request.full_refresh:
            standing.has_definition(self.model, known, settings)
            standing.is_intact(str(model.address), known)
        staged = staged_input(self.shape, source, relation.sql)
        steps = plan(self.shape, staged, self.session.target.schema, model.relation)
        return Folding(
            session=self.session,
            record=record,
            model=self.model,
            source=source,
            relation=relation,
            probed=self._probes.cadence != "off",
            plan=steps,
            request=self.request,
            settings=settings,
            now=datetime.now(UTC).replace(tzinfo=None),
            known=known,
            folded=record.folded(str(model.address), str(source.address)),
        )

    def _decide(self, folding: Folding) -> "_Work":
        known = folding.known
        builds = known is None or known.kind != "succession" or self.request.full_refresh
        window = self.request.window
        if window is not None:
            return _Work(builds, (Batch((window,)),))
        counts = self._count(folding)
        if builds:
            return self._build_all(folding, counts)
        profile = folding.source.mutation_profile
        expired = expired_before(folding.now, profile.retention if profile is not None else None, folding.grid)
        before = {at: one.raw for at, one in folding.folded.items()}
        folding.checks.append_only(fallen(counts, before, expired))
        since = self._since(None)
        found = catch_up(counts, before, since)
        groups = folding.grid.chunks(found.fold, self.request.chunk)
        return _Work(False, _batches(groups, _whole(counts, folding.grid, since)), counts)

    def _build_all(self, folding: Folding, counts: dict[datetime, int]) -> "_Work":
        if self.request.full_refresh and folding.known is not None and not self.request.lose_history:
            self._keeps_history(folding, folding.known, counts)
        since = self._since(folding.known)
        starts = [at for at in counts if since is None or at >= since]
        whole = _whole(counts, folding.grid, since)
        if whole is None:
            return _Work(True, (Batch(()),), counts)
        chunk = None if self.request.full_refresh else self.request.chunk
        groups = ((whole,),) if chunk is None else folding.grid.chunks(starts, chunk)
        rows = sum(counts[at] for at in starts)
        if folding.known is None:
            self.announce(first_run(folding.name, whole, rows))
        return _Work(True, _batches(groups, whole), counts)

    def _since(self, known: BuiltRecord | None) -> datetime | None:
        """Where a run without a window starts: at ``start:``, but never after what is covered already."""
        start = self.model.model.frontmatter.start
        if start is None:
            return None
        first = datetime(start.year, start.month, start.day)
        covered = known.coverage if known is not None else ()
        grid = Grid(self.shape.granularity, self.shape.week_start)
        return min([grid.truncate(first), *(one.start for one in covered)])

    def _count(self, folding: Folding) -> dict[datetime, int]:
        rows = self.session.run(count_source(self.shape, folding.plan.source))
        if any(at is None for at, _ in rows):
            folding.checks.nowhere(self.shape, folding.plan.source)
        return {at: int(str(count)) for at, count in rows if isinstance(at, datetime)}

    def _keeps_history(self, folding: Folding, known: BuiltRecord, counts: dict[datetime, int]) -> None:
        """No partition that was folded is gone from the source; one that was corrected there is told of."""
        before = {at: one.raw for at, one in folding.folded.items()}
        told = lost(known, folding.grid, counts, before)
        if told:
            raise fault(
                source_history_expired.CODE,
                folding.source.marks.at("mutation_profile"),
                approval=True,
                source=folding.source.address,
                model=folding.name,
                lost=told,
            )
        smaller = corrected(counts, before)
        if smaller:
            self.announce(f"{folding.name}: rebuilt from a source that has fewer rows: {smaller}")

    def _probe(self, folding: Folding) -> None:
        """Compare fingerprints when it is their turn; what is folded gets its own when it is staged."""
        probes = self._probes
        window = self.request.window if probes.cadence == "per_run" else None
        if is_due(probes, self.request.sequence, window):
            folding.fingerprints = take(self.session, folding.plan, window)
            folding.checks.same_values(changed(folding.fingerprints, folding.folded))

    @property
    def _probes(self) -> Probes:
        return self.project.config.probes if self.project.config is not None else Probes("off")

    def _first(self, folding: Folding, work: "_Work", result: "_Result") -> None:
        if not work.batches:
            return
        batch = work.batches[0]
        done = folding.build(batch) if work.builds else folding.patch(batch, _built(folding))
        result.add(batch, *done)

    def _explained(self, error: WarehouseError, source: Source, relation: SourceRelation | None) -> Failure:
        """What to say of an error now that its transaction is over, and more questions may be asked.

        A value that cannot be computed gets its place and its rows, a changed definition the types that would change.
        """
        if relation is not None and error.failure.code == definition_delta_pending.CODE.name:
            return replace(error.failure, message=error.failure.message + self._types(relation))
        if relation is None or not isinstance(error.__cause__, DATA_FAULTS):
            return error.failure
        broken = unreadable(self.session, source, relation)
        better = broken or bad_text(self.session, source, relation, self.request.samples)
        if better is not None:
            return better.failure
        staged = staged_input(self.shape, source, relation.sql)
        window, samples = self.request.window, self.request.samples
        blame = Blame(self.session, self.model.model, self.shape, source, staged, window, samples)
        return blame.of(error.failure)

    def _types(self, relation: SourceRelation) -> str:
        """The columns whose stored type is not the one that the model gives now, in words."""
        place = self.session.catalogue.place(self.model.model.relation)
        items = ", ".join(f"{column.sql} AS {quote(column.name)}" for column in self.shape.row_local)
        try:
            stored = dict(self.session.describe(place))
            found = self.session.describe(f"(SELECT {items} FROM {relation.sql})")
        except duckdb.Error:
            return ""
        return "".join(
            f"; column {name} is stored as {stored[name]} and would be {kind}"
            for name, kind in found
            if stored.get(name, kind) != kind
        )

    def _built(self, folding: Folding, result: "_Result") -> Built:
        known = _built(folding)
        with self.session.named(folding.name):
            described = self.session.describe(f"{quote(self.session.target.schema)}.{quote(known.relation)}")
        folded = {at: one.raw for at, one in folding.folded.items()}
        return replace(
            result.built(known),
            landed=((str(folding.source.address), _landed({**folded, **result.counts}, folding.grid)),),
            columns=stored_columns(described, self.shape, folding.source),
            notices=result.notices,
        )


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a run would do.

    Attributes:
        builds: whether the first transaction makes the tables anew.
        transactions: for each the ranges of the run axis that it folds; none if there is nothing new.
        plan: the steps.
        waiting: rows that the source has and the table has not taken in; 0 for a run with a window, which counts none.
    """

    builds: bool
    transactions: tuple[tuple[Interval, ...], ...]
    plan: SuccessionPlan
    waiting: int


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be done: whether the first batch builds, and the source's counts where they were asked."""

    builds: bool
    batches: tuple[Batch, ...]
    counts: dict[datetime, int] | None = None


class _Result:
    """What was done."""

    def __init__(self, work: _Work, notices: tuple[str, ...]) -> None:
        self.work = work
        self.notices = notices
        self.total = Changes()
        self.folded: Interval | None = None
        self.counts: dict[datetime, int] = dict(work.counts or {})
        self.committed: Built | None = None

    def add(self, batch: Batch, changes: Changes, counts: dict[datetime, Folded]) -> None:
        """One more batch was folded."""
        self.total = self.total.plus(changes)
        earlier = () if self.folded is None else (self.folded,)
        self.folded = hull((*earlier, *batch.ranges))
        self.counts.update({at: one.raw for at, one in counts.items()})

    def commit(self, known: BuiltRecord) -> None:
        """What was folded so far is in the database to stay."""
        self.committed = self.built(known)

    def built(self, known: BuiltRecord) -> Built:
        """What was done so far, ``known`` being the record it left."""
        return Built(
            strategy=self._strategy,
            row_count=known.row_count,
            rows_inserted=self.total.inserted,
            rows_patched=self.total.patched,
            tombstones=self.total.tombstones,
            re_presented=self.total.re_presented,
            time_range=self.folded,
            coverage=known.coverage,
        )

    @property
    def _strategy(self) -> str:
        """How the run keeps the table, in the words of the manifest."""
        if self.work.builds:
            return "succession-build"
        return "succession-patch" if self.work.batches else "none"


def _batches(groups: tuple[tuple[Interval, ...], ...], whole: Interval | None) -> tuple[Batch, ...]:
    """One batch for each group; the last one closes the gaps of what was looked at and found empty."""
    last = len(groups) - 1
    covers = () if whole is None else (whole,)
    return tuple(Batch(ranges, covers if at == last else ()) for at, ranges in enumerate(groups))


def _whole(counts: dict[datetime, int], grid: Grid, since: datetime | None) -> Interval | None:
    return hull(grid.granule(at) for at in counts if since is None or at >= since)


def _built(folding: Folding) -> BuiltRecord:
    if folding.known is None:
        raise RuntimeError(f"{folding.name} has no record after its first fold")
    return folding.known


def _landed(counts: dict[datetime, int], grid: Grid) -> tuple[LandedPartition, ...]:
    return tuple(LandedPartition(range_, rows) for range_, rows in landed(counts, grid))
