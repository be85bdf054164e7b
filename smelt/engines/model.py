"""What a warehouse does for a run, whichever engine it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from smelt.analysis.model import ModelAnalysis
from smelt.diagnostics.model import Diagnostic
from smelt.project.model import Seed
from smelt.text.intervals import Interval


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a model failed.

    ``approval`` marks a failure that a person must approve (exit 3), ``busy`` a held database (exit 4), ``setting`` a
    fault of the project's configuration (exit 2): the keys below the target that it is about. A ``transient`` one may
    be over when the same is tried again; a refusal, or a fault of the data, never is.
    """

    code: str
    message: str
    help: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    approval: bool = False
    busy: bool = False
    setting: tuple[str | int, ...] = ()
    transient: bool = False


class WarehouseError(Exception):
    """A step failed and was rolled back; nothing of it stays.

    Attributes:
        failure: why.
        committed: what the transactions before it did, where one call makes several; that stays.
    """

    def __init__(self, failure: Failure, committed: "Built | None" = None) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.committed = committed


class SingleConnection(Exception):
    """A warehouse has no second connection that would give the same results. The message says why, in a few words."""


@dataclass(frozen=True, slots=True)
class FoldRequest:
    """What to fold into an incremental model.

    Attributes:
        window: the run-axis range to stage anew; None folds what the frontier does not have yet.
        full_refresh: rebuild table and hidden state from the whole source in one transaction.
        chunk: with no window: how many granules one transaction takes; None takes all at once.
        run_id: written into the table of record.
        sequence: the run's sequence number, written beside it.
        samples: rows of data shown in messages.
        lose_history: rebuild although the source no longer has all partitions that were folded.
    """

    run_id: str
    sequence: int
    window: Interval | None = None
    full_refresh: bool = False
    chunk: int | None = None
    samples: int = 5
    lose_history: bool = False


@dataclass(frozen=True, slots=True)
class LandedPartition:
    """A partition of a source that a run counted, or several older ones that touch: raw rows, before any filter."""

    interval: Interval
    rows: int


@dataclass(frozen=True, slots=True)
class BuiltColumn:
    """A column of a built relation, typed as DuckDB prints it."""

    name: str
    type: str
    nullable: bool = True


@dataclass(frozen=True, slots=True)
class Built:
    """What became of one relation. Counts are logical; None where they have no meaning (views, full tables).

    Attributes:
        strategy: a value of :data:`smelt.state.records.Strategy`.
        row_count: rows in the table afterwards; None for a view.
        time_range: the run-axis range folded by this run; None if nothing was.
        coverage: everything folded so far; empty for what has no run axis.
        landed: per source (printed address) the partitions counted.
        notices: lines a person should see.
        content_hash: what stands for a seed's file and types; None for what is no seed.
    """

    strategy: str
    row_count: int | None
    rows_inserted: int | None = None
    rows_patched: int | None = None
    tombstones: int | None = None
    re_presented: int | None = None
    time_range: Interval | None = None
    coverage: tuple[Interval, ...] = ()
    landed: tuple[tuple[str, tuple[LandedPartition, ...]], ...] = ()
    columns: tuple[BuiltColumn, ...] = ()
    notices: tuple[str, ...] = ()
    content_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """How far an incremental model has come, by the warehouse.

    Attributes:
        model: its printed address.
        coverage: everything folded so far, sorted and disjoint.
        folded: from the first to the last partition of its source that was folded; None if none was.
    """

    model: str
    coverage: tuple[Interval, ...]
    folded: Interval | None = None


class Warehouse(Protocol):
    """One open connection to a target, for one thread at a time. Every method is one transaction (``fold`` one per
    chunk).

    Each raises :class:`WarehouseError` after rolling back.
    """

    def beside(self, count: int, models: Sequence[ModelAnalysis]) -> "tuple[Warehouse, ...]":
        """So many further connections to the same database, each to be closed, for working on ``models`` side by side.

        To be called before anything is built.

        Raises:
            SingleConnection: there can be only this one.
        """

    def load_seed(self, seed: Seed, run_id: str, sequence: int) -> Built:
        """Load a seed's CSV as a table; ``strategy`` is ``none`` if the file is unchanged since it was loaded."""

    def build_view(self, model: ModelAnalysis, run_id: str, sequence: int) -> Built:
        """Create the view if it is missing or differs."""

    def build_table(self, model: ModelAnalysis, run_id: str, sequence: int) -> Built:
        """Rebuild a ``refresh: full`` table."""

    def fold(self, model: ModelAnalysis, request: FoldRequest, announce: Callable[[str], None]) -> Built:
        """Bring a succession model's table up to date.

        ``announce`` is told before a long step begins what it will take, in one line for a person.
        """

    def last_sequence(self) -> int:
        """The sequence number of the newest run that left something in the tables of record; 0 if none did."""

    def remembered(self, models: Sequence[ModelAnalysis]) -> tuple[Remembered, ...]:
        """How far each incremental model of these has come; the others are left out."""

    def landed(self, models: Sequence[ModelAnalysis]) -> tuple[tuple[str, tuple[LandedPartition, ...]], ...]:
        """For each incremental model of these its source, with the partitions folded, as they were counted then."""

    def failing_rows(self, sql: str, limit: int) -> tuple[int, tuple[tuple[object, ...], ...]]:
        """How many rows a test's query finds, and the first few of them."""

    def interrupt(self) -> None:
        """Stop the statement that is running; safe to call from a signal handler."""

    def close(self) -> None:
        """Close the connection. Never raises."""


@dataclass(frozen=True, slots=True)
class Deployed:
    """What stands in a warehouse for a model, seed or view, by its tables of record.

    Attributes:
        model: its printed address.
        kind: ``view``, ``table``, ``seed`` or ``succession``.
        definition: the canonical definition that it was built as, JSON.
        columns: those of the relation as they are now; none if it is gone.
        recorded_at: when it was last written, in UTC.
    """

    model: str
    relation: str
    ledger: str | None
    kind: str
    definition_hash: str | None
    definition: str | None
    settings: str | None
    coverage: tuple[Interval, ...]
    columns: tuple[BuiltColumn, ...]
    recorded_at: datetime
