"""What a fold asks of staged rows before it writes any: each check passes or raises a named failure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from smelt.diagnostics.model import Location
from smelt.engines.duckdb.record import Folded
from smelt.engines.duckdb.render import render
from smelt.engines.duckdb.render_events import DELETED, EVENTS, POINTS, RAW, nowhere, null_columns
from smelt.engines.duckdb.session import Row, Session
from smelt.engines.duckdb.sources import SourceRelation, place_of
from smelt.engines.errors import fault
from smelt.engines.rules import (
    source_mutation_profile_violated,
    source_null_violation,
)
from smelt.grains.succession.rules import clock_tie, partition_column_nullable
from smelt.grains.succession.shape import SuccessionShape
from smelt.plan.catchup import Fallen
from smelt.plan.succession import CheckBatchTies, CheckTies, Inspect, StagedInput
from smelt.project.model import Source
from smelt.text.counts import counted
from smelt.text.identifiers import fold, quote, quote_literal
from smelt.text.values import on_one_line


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks of one model's fold. ``samples`` is how many rows of data a message may show."""

    session: Session
    model: str
    source: Source
    samples: int
    relation: SourceRelation | None = None

    def inspect(self, step: Inspect, source: StagedInput) -> dict[datetime, Folded]:
        """Raw and kept rows of each staged partition, if no row breaks a NOT NULL of the source or the filter."""
        rows = self.session.run(render(step)[0])
        for at, (column, condition) in enumerate(null_columns(step), start=3):
            broken = sum(int(str(row[at])) for row in rows)
            if broken and column == step.shape.run_axis:
                self.nowhere(step.shape, source)
            if broken:
                self._null(step, column, condition, broken)
        return {at: Folded(int(str(raw)), int(str(kept))) for at, raw, kept, *_ in rows if isinstance(at, datetime)}

    def nowhere(self, shape: SuccessionShape, source: StagedInput) -> None:
        """No row of the source lies in no partition."""
        axis = quote(shape.run_axis)
        null, beyond = self.session.one(
            f"SELECT count(*) FILTER ({axis} IS NULL), count({axis}) FROM {source.relation}\n"
            f"WHERE {nowhere(shape.run_axis, source.axis_type)}"
        )
        told = [f"is NULL in {null} of the rows read"] if null else []
        if beyond:
            rows = self.session.run(
                f"SELECT DISTINCT {axis}::VARCHAR FROM {source.relation}\n"
                f"WHERE {axis} IS NOT NULL AND ({nowhere(shape.run_axis, source.axis_type)}) "
                f"ORDER BY 1 LIMIT {self.samples}"
            )
            samples = _samples(_pairs((shape.run_axis,), row) for row in rows)
            told.append(f"lies outside the calendar (0001-01-01 to 9999-12-31) in {beyond} of the rows read{samples}")
        if told:
            location, code = self.location(shape.run_axis), partition_column_nullable.CODE
            raise fault(code, location, source=self.source.address, column=shape.run_axis, what=" and ".join(told))

    def _null(self, step: Inspect, column: str, condition: str, count: int) -> None:
        reads = step.shape.reads
        shown = ", ".join(f"{quote(name)}::VARCHAR" for name in reads)
        rows = self.session.run(f"SELECT {shown} FROM {RAW} WHERE {condition} LIMIT {self.samples}")
        told = [f"({_pairs(reads, row)})" for row in rows]
        if told and self.relation is not None:
            first = {name: None if value is None else str(value) for name, value in zip(reads, rows[0], strict=True)}
            place = self.session.redact(place_of(self.session, self.relation, first))
            told[0] += f" at {place}" if place else ""
        raise fault(
            source_null_violation.CODE,
            self.location(column),
            source=self.source.address,
            column=column,
            count=counted(count, "row"),
            samples=_samples(told),
        )

    def ties(self, step: CheckTies | CheckBatchTies) -> None:
        """One event at each key and clock."""
        rows = self.session.run(render(step)[0])
        if not rows:
            return
        shape = step.shape
        told = [
            f"key ({_pairs(shape.key, row[:-3])}), clock {shape.clock} = {row[-3]}: {row[-2]} different events"
            for row in rows[: self.samples]
        ]
        if told:
            told[0] += f" ({'; '.join(self._colliding(step, rows[0][:-2]))})"
        more = int(str(rows[0][-1])) - len(told)
        if more:
            told.append(
                f"and {more} more" if told else f"different events at one key and clock, {counted(more, 'time')}"
            )
        location, source = self.location(shape.clock), self.source.address
        raise fault(clock_tie.CODE, location, source=source, samples="; ".join(told))

    def _colliding(self, step: CheckTies | CheckBatchTies, place: Row) -> list[str]:
        """The events at one key and clock, each by the values in which they differ."""
        shape = step.shape
        identity = (*shape.key_outputs, shape.clock_output)
        rest = [column.name for column in shape.row_local if column.name not in identity]
        columns = ", ".join([DELETED, *(f"CAST({quote(name)} AS VARCHAR)" for name in rest)])
        here = " AND ".join(
            f"CAST({quote(name)} AS VARCHAR) = {quote_literal(str(text))}"
            for name, text in zip(identity, place, strict=True)
        )
        sql = f"SELECT FALSE, {columns} FROM {EVENTS} WHERE {here}"
        if isinstance(step, CheckTies):
            sql = f"SELECT TRUE, {columns} FROM {POINTS} WHERE {here}\nUNION ALL {sql}"
        found: dict[Row, bool] = {}
        for stored, *event in self.session.run(sql):
            found[tuple(event)] = found.get(tuple(event), False) or bool(stored)
        live = [event for event in found if not event[0]]
        differ = [at for at in range(len(rest)) if len({event[at + 1] for event in live}) > 1]
        told = []
        for row, known in found.items():
            values = _pairs([rest[at] for at in differ], [row[at + 1] for at in differ]) or "a live event"
            told.append(("a delete" if row[0] else values) + (", stored already" if known else ""))
        return told

    def append_only(self, fallen: Sequence[Fallen]) -> None:
        """No folded partition lost rows."""
        if fallen:
            first = fallen[0]
            change = f"fell from {counted(first.before, 'row')} to {first.now:,}"
            options = "" if all(one.now for one in fallen) else " --lose-history"
            self._broken_promise(first.partition, change, len(fallen) - 1, options)

    def same_values(self, changed: Sequence[datetime]) -> None:
        """No folded partition has other values in as many rows."""
        if changed:
            self._broken_promise(changed[0], "has other values in as many rows", len(changed) - 1, "")

    def _broken_promise(self, partition: datetime, change: str, more: int, options: str) -> None:
        raise fault(
            source_mutation_profile_violated.CODE,
            self.source.marks.at("mutation_profile"),
            source=self.source.address,
            model=self.model,
            partition=instant(partition),
            change=change,
            others=f", as in {counted(more, 'other partition')}" if more else "",
            options=options,
        )

    def location(self, column: str) -> Location:
        """The declaration of a source column."""
        names = [fold(one.name) for one in self.source.columns]
        return self.source.marks.at("columns", names.index(fold(column)))


def instant(at: datetime) -> str:
    """A bound of a partition as messages name it: the date alone if it is a midnight."""
    if at == datetime.max:
        return "the end of the calendar"
    return at.date().isoformat() if at == datetime(at.year, at.month, at.day) else at.isoformat(sep=" ")


def _pairs(names: Iterable[str], values: Iterable[object] | Row) -> str:
    return ", ".join(f"{name} = {on_one_line(value)}" for name, value in zip(names, values, strict=True))


def _samples(found: Iterable[str]) -> str:
    text = "; ".join(found)
    return f": {text}" if text else ""
