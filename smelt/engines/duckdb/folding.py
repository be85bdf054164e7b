"""One fold of a succession model: its plan's steps run in one transaction each batch."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.checks import Checks, instant
from smelt.engines.duckdb.probes import Fingerprint, changed, take
from smelt.engines.duckdb.record import BuiltRecord, Folded, Record, count_rows
from smelt.engines.duckdb.render import render
from smelt.engines.duckdb.render_events import bounds_of
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.sources import SourceRelation
from smelt.engines.errors import fault
from smelt.engines.model import FoldRequest
from smelt.engines.rules import source_redelivery_violated
from smelt.failpoints import failpoint
from smelt.plan.catchup import expired_before, fallen
from smelt.plan.succession import (
    CheckBatchTies,
    CheckTies,
    Clear,
    Derive,
    Step,
    SuccessionPlan,
    Write,
)
from smelt.plan.windows import Grid
from smelt.project.model import Source
from smelt.text.counts import counted
from smelt.text.intervals import Interval, in_words, merge


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction folds.

    Attributes:
        ranges: what to stage, disjoint and in order.
        covers: what is covered once this is folded, besides the ranges.
    """

    ranges: tuple[Interval, ...]
    covers: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class Changes:
    """Logical rows that a batch changed."""

    inserted: int = 0
    patched: int = 0
    tombstones: int = 0
    events: int = 0

    @property
    def re_presented(self) -> int:
        """Events of the batch that were in already."""
        return self.events - self.inserted - self.tombstones

    def plus(self, other: "Changes") -> "Changes":
        """The sum of two batches."""
        return Changes(
            self.inserted + other.inserted,
            self.patched + other.patched,
            self.tombstones + other.tombstones,
            self.events + other.events,
        )


@dataclass(slots=True)
class Folding:
    """A succession model being brought up to date. ``known`` follows what each batch recorded."""

    session: Session
    record: Record
    model: ModelAnalysis
    source: Source
    relation: SourceRelation
    plan: SuccessionPlan
    request: FoldRequest
    settings: str
    now: datetime
    known: BuiltRecord | None
    folded: dict[datetime, Folded] = field(default_factory=dict)
    fingerprints: dict[datetime, Fingerprint] = field(default_factory=dict)
    probed: bool = False
    """Whether what is folded gets a fingerprint, for later probes to compare with."""

    @property
    def name(self) -> str:
        """The model's printed address."""
        return str(self.model.model.address)

    @property
    def grid(self) -> Grid:
        """How the run axis is cut."""
        return Grid(self.plan.shape.granularity, self.plan.shape.week_start)

    @property
    def checks(self) -> Checks:
        """The checks of this model."""
        return Checks(self.session, self.name, self.source, self.request.samples, self.relation)

    def build(self, batch: Batch) -> tuple[Changes, dict[datetime, Folded]]:
        """Make the tables anew from a batch; what stood there goes in the same transaction."""
        counts = self._stage(batch)
        self._run_all(self.plan.build[:-1])
        if self.known is not None:
            for relation in (self.known.relation, self.known.ledger):
                if relation is not None:
                    self.session.catalogue.drop(relation, self.session.run)
        self._run_all(self.plan.build[-1:])
        for relation in (self.plan.relations.presented, self.plan.relations.ledger):
            if relation is not None:
                self.session.catalogue.created("table", relation)
        self.record.forget_partitions(self.name)
        self.folded = {}
        relations = self.plan.relations
        rows = count_rows(self.session, relations.presented)
        tombstones = count_rows(self.session, relations.ledger) if relations.ledger is not None else 0
        empty = BuiltRecord(
            relation=relations.presented,
            kind="succession",
            definition_hash=self.model.definition_hash,
            definition=self.model.canonical,
            settings=self.settings,
            ledger=relations.ledger,
            row_count=0,
            ledger_row_count=None if relations.ledger is None else 0,
        )
        changes = Changes(rows, 0, tombstones, rows + tombstones)
        self.known = None
        self._finish(batch, counts, changes, empty)
        return changes, counts

    def patch(self, batch: Batch, known: BuiltRecord) -> tuple[Changes, dict[datetime, Folded]]:
        """Fold a batch into the tables there are."""
        counts = self._stage(batch)
        self._still_append_only(batch, counts)
        changes = Changes()
        if any(one.kept for one in counts.values()):
            changes = self._run_all(self.plan.patch)
        self._finish(batch, counts, changes, known)
        return changes, counts

    def _stage(self, batch: Batch) -> dict[datetime, Folded]:
        self._run_all(self.plan.stage)
        for window in batch.ranges:
            for statement in render(self.plan.stage_window):
                self.session.run(statement, bounds_of(window))
        failpoint("after-stage")
        counts = self.checks.inspect(self.plan.inspect, self.plan.source)
        if self.probed and not counts.keys() <= self.fingerprints.keys():
            for window in batch.ranges:
                self.fingerprints.update(take(self.session, self.plan, window))
        return counts

    def _still_append_only(self, batch: Batch, counts: Mapping[datetime, Folded]) -> None:
        before = {
            at: one.raw
            for at, one in self.folded.items()
            if any(window.start <= at < window.end for window in batch.ranges)
        }
        now = {at: one.raw for at, one in counts.items()}
        profile = self.source.mutation_profile
        expired = expired_before(self.now, profile.retention if profile is not None else None, self.grid)
        self.checks.append_only(fallen(now, before, expired))
        self.checks.same_values(changed(self.fingerprints, self.folded))

    def _run_all(self, steps: tuple[Step, ...]) -> Changes:
        changes = Changes()
        for step in steps:
            match step:
                case CheckTies() | CheckBatchTies():
                    self.checks.ties(step)
                case Derive():
                    changes = self._derive(step)
                case Write():
                    self._write(step, changes)
                case _:
                    for statement in render(step):
                        self.session.run(statement)
            failpoint(f"after-{type(step).__name__}")
        return changes

    def _derive(self, step: Derive) -> Changes:
        *tables, counts = render(step)
        for statement in tables:
            self.session.run(statement)
        inserted, patched, tombstones, events = (int(str(value)) for value in self.session.one(counts))
        return Changes(inserted, patched, tombstones, events)

    def _write(self, step: Write, changes: Changes) -> None:
        delete, insert, *tombstones = render(step)
        if changes.patched:
            self.session.run(delete)
        if changes.inserted or changes.patched:
            self.session.run(insert)
        if changes.tombstones:
            for statement in tombstones:
                self.session.run(statement)

    def _finish(self, batch: Batch, counts: dict[datetime, Folded], changes: Changes, known: BuiltRecord) -> None:
        """Write what was folded beside the data, in its transaction, and only if anything differs."""
        self._run_all((Clear(),))
        probed = {at: replace(one, fingerprint=self._probed(at, one)) for at, one in counts.items()}
        news = {at: one for at, one in probed.items() if self.folded.get(at) != one}
        self.record.fold(self.name, str(self.source.address), news, self.folded)
        self.folded.update(news)
        after = replace(
            known,
            definition_hash=self.model.definition_hash,
            definition=self.model.canonical,
            settings=self.settings,
            columns=self.session.catalogue.columns(known.relation),
            ledger_columns=() if known.ledger is None else self.session.catalogue.columns(known.ledger),
            row_count=(known.row_count or 0) + changes.inserted,
            ledger_row_count=None if known.ledger is None else (known.ledger_row_count or 0) + changes.tombstones,
            coverage=merge((*known.coverage, *batch.ranges, *batch.covers)),
        )
        failpoint("before-record")
        if after != self.known:
            self.record.save(self.name, after, self.request.run_id, self.request.sequence, self.now)
        self.known = after
        self._no_redelivery(after)

    def remember(self) -> None:
        """Record the fingerprints of folded partitions that this run does not fold."""
        news = {
            at: replace(one, fingerprint=self._probed(at, one))
            for at, one in self.folded.items()
            if at in self.fingerprints and self._probed(at, one) != one.fingerprint
        }
        self.record.fold(self.name, str(self.source.address), news, self.folded)
        self.folded.update(news)

    def _probed(self, at: datetime, counted: Folded) -> str | None:
        """The fingerprint that belongs to these counts: this run's, or else the one of the same rows before."""
        found = self.fingerprints.get(at)
        if found is not None and found.rows == counted.raw:
            return found.text
        before = self.folded.get(at)
        return before.fingerprint if before is not None and before.raw == counted.raw else None

    def _no_redelivery(self, after: BuiltRecord) -> None:
        profile = self.source.mutation_profile
        if profile is None or profile.redelivery != "none":
            return
        events = sum(one.kept for one in self.folded.values())
        points = (after.row_count or 0) + (after.ledger_row_count or 0)
        if events != points:
            raise fault(
                source_redelivery_violated.CODE,
                self.source.marks.at("mutation_profile", "redelivery"),
                source=self.source.address,
                events=counted(events, "row"),
                points=counted(points, "event"),
            )


def first_run(name: str, whole: Interval, rows: int) -> str:
    """What a first run says of its extent, before it starts."""
    extent = in_words(instant(whole.start), instant(whole.end))
    return f"{name}: first run, {counted(rows, 'row')} of the source from {extent}"
