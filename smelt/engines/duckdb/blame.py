"""After a failed statement: the part of a model that it was about, and the rows whose values it could not take.

Asked when the transaction is over, with questions that may fail themselves: then less is told.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

import duckdb

from smelt.diagnostics.model import Diagnostic, Location
from smelt.engines.duckdb.errors import reason
from smelt.engines.duckdb.render_events import bounds_of, in_window
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.sources import SourceRelation
from smelt.engines.duckdb.transient import is_transient
from smelt.engines.errors import fault
from smelt.engines.model import Failure, WarehouseError
from smelt.engines.rules import source_file_unreadable, warehouse_statement_failed
from smelt.grains.succession.shape import LAG_SLOT, LEAD_SLOT, SuccessionShape
from smelt.plan.succession import StagedInput
from smelt.project.model import Model, Source
from smelt.text.identifiers import fold, quote
from smelt.text.intervals import Interval
from smelt.text.spans import Span
from smelt.text.values import on_one_line

DATA_FAULTS = (duckdb.DataError, duckdb.InvalidInputException)
"""What DuckDB raises for a value that a function or type cannot take."""


@contextmanager
def placed(model: Model) -> Iterator[None]:
    """Inside, a failed statement that stands nowhere is told at the model's query."""
    try:
        yield
    except WarehouseError as error:
        if error.failure.code != warehouse_statement_failed.CODE.name or error.failure.diagnostics:
            raise
        raise WarehouseError(_at(error.failure, _location(model)), error.committed) from error


def unreadable(session: Session, source: Source, relation: SourceRelation) -> WarehouseError | None:
    """The fault of a source whose files do not even give their raw values."""
    if source.files is None:
        return None
    try:
        session.run(f"SELECT count(COLUMNS(*)) FROM {relation.physical}")
    except (*DATA_FAULTS, duckdb.IOException) as error:
        told = relation.tracer.unreadable(error) if relation.tracer is not None else None
        place, why = told or (source.files, reason(error, session.redact))
        return fault(
            source_file_unreadable.CODE,
            source.marks.at("files"),
            transient=is_transient(error),
            source=source.address,
            files=session.redact(place),
            reason=session.redact(why),
        )
    return None


@dataclass(frozen=True, slots=True)
class Blame:
    """What a succession model computes over the rows of its source, one part after the other.

    Attributes:
        window: the rows that were folded; None for all.
        samples: how many rows a message may show.
    """

    session: Session
    model: Model
    shape: SuccessionShape
    source: Source
    staged: StagedInput
    window: Interval | None
    samples: int

    def of(self, failure: Failure) -> Failure:
        """The failure at the first part that cannot be computed, with the rows; else at the query."""
        try:
            found = self._declared(failure) or self._computed(failure)
        except duckdb.Error:
            found = None
        return found or _at(failure, _location(self.model))

    def _declared(self, failure: Failure) -> Failure | None:
        """A column of the source that an ``expression:`` makes."""
        for index, column in enumerate(self.source.columns):
            if column.expression is None:
                continue
            try:
                self.session.run(f"SELECT count({quote(column.name)}) FROM {self.staged.relation}")
            except DATA_FAULTS:
                return _at(failure, self.source.marks.at("columns", index))
        return None

    def _computed(self, failure: Failure) -> Failure | None:
        """The filter, or a column of the model."""
        shape, query = self.shape, self.model.parsed.query
        kept = "TRUE" if shape.pre_filter is None else f"TRY(({shape.pre_filter}) IS TRUE)"
        if shape.pre_filter is not None and query is not None and query.where is not None:
            where = Location(self.model.file, query.where.span)
            found = self._rows(failure, where, f"{kept} IS NULL")
            if found is not None:
                return found
        live = kept if shape.flag is None else f"{kept} AND NOT {quote(shape.flag)}"
        for column in shape.row_local:
            if column.source_column is None:
                # What computes is NULL or not; of what does not, TRY makes NULL.
                condition = f"{live} AND TRY(({column.sql}) IS NULL) IS NULL"
                found = self._rows(failure, _location(self.model, column.name), condition)
                if found is not None:
                    return found
        return self._derived(failure, live)

    def _derived(self, failure: Failure, live: str) -> Failure | None:
        """A column over the clocks of neighbours, tried with one and with none."""
        shape = self.shape
        stored = [f"{column.sql} AS {quote(column.name)}" for column in shape.row_local]
        slots = [f"unnest([{quote(shape.clock)}, NULL]) AS {quote(slot)}" for slot in (LEAD_SLOT, LAG_SLOT)]
        rows = f"(SELECT {', '.join([*stored, *slots])} FROM {self.staged.relation} WHERE {live})"
        for column in shape.derived:
            try:
                self.session.run(f"SELECT count({column.sql}) FROM {rows}")
            except DATA_FAULTS:
                return _at(failure, _location(self.model, column.name))
        return None

    def _rows(self, failure: Failure, location: Location, condition: str) -> Failure | None:
        inside = "TRUE" if self.window is None else in_window(self.shape, self.staged.axis_type)
        rows = f"FROM {self.staged.relation}\nWHERE ({inside}) AND {condition}"
        bounds: Mapping[str, object] | None = None if self.window is None else bounds_of(self.window)
        count = self.session.one(f"SELECT count(*) {rows}", bounds)[0]
        if not count:
            return None
        reads = self.shape.reads
        shown = ", ".join(f"{quote(name)}::VARCHAR" for name in reads)
        samples = self.session.run(f"SELECT {shown} {rows}\nLIMIT {self.samples}", bounds)
        told = "; ".join(f"({_pairs(reads, row)})" for row in samples)
        # Where no data may be shown, DuckDB's own words may not either: they quote the value.
        what = f"{failure.message}; this is so" if told else f"{self.model.address}: this cannot be computed"
        message = f"{what} in {count} of the rows read{f': {told}' if told else ''}"
        return _at(replace(failure, message=self.session.redact(message)), location)


def _at(failure: Failure, location: Location) -> Failure:
    finding = Diagnostic(warehouse_statement_failed.CODE, location, failure.message, failure.help)
    return replace(failure, diagnostics=(finding,))


def _location(model: Model, output: str | None = None) -> Location:
    """The select item that makes an output column; else the query's first word."""
    query = model.parsed.query
    if query is None:
        return Location(model.file, model.sql_span)
    for item in query.items if output is not None else ():
        name = item.alias.text if item.alias is not None else item.name
        if name is not None and output is not None and fold(name) == fold(output):
            return Location(model.file, item.span)
    return Location(model.file, Span(query.select.start, query.select.start + len("SELECT")))


def _pairs(names: tuple[str, ...], row: tuple[object, ...]) -> str:
    return ", ".join(f"{name} = {on_one_line(value)}" for name, value in zip(names, row, strict=True))
