"""The maintenance of a succession model as typed, inert steps.

Two readers: the engine renders each step to SQL and runs it, ``explain --sql`` renders and prints it. A step
holds everything its SQL depends on but the window's bounds, so its text is fixed.
"""

from dataclasses import dataclass

from smelt.grains.succession.shape import SuccessionShape
from smelt.plan.reserved import ledger_of
from smelt.project.model import Source
from smelt.sql.types import normal


@dataclass(frozen=True, slots=True)
class StagedInput:
    """The source as a step reads it.

    Attributes:
        relation: SQL that can stand in ``FROM``, giving the source's declared columns.
        required: columns that the source declares NOT NULL, in declared order.
        types: the declared columns with their types, as the engine prints them.
        axis_type: that of the run axis.
    """

    relation: str
    required: tuple[str, ...]
    types: tuple[tuple[str, str], ...]
    axis_type: str

    def type_of(self, column: str) -> str:
        """The type of a declared column.

        Raises:
            KeyError: there is no such column.
        """
        return dict(self.types)[column]


def staged_input(shape: SuccessionShape, source: Source, relation: str) -> StagedInput:
    """The source of a model as its steps read it; ``relation`` is SQL for ``FROM``."""
    axis = source.column(shape.run_axis)
    return StagedInput(
        relation=relation,
        required=tuple(column.name for column in source.columns if not column.nullable),
        types=tuple((column.name, column.type) for column in source.columns),
        axis_type=(normal(axis.type) if axis is not None else None) or "TIMESTAMP",
    )


@dataclass(frozen=True, slots=True)
class Relations:
    """Where a model's rows live. ``ledger`` is None for a model without a delete flag."""

    schema: str
    presented: str
    ledger: str | None


@dataclass(frozen=True, slots=True)
class Stage:
    """Copy what one window needs of the source, once: the copy is what is counted, checked and folded."""

    shape: SuccessionShape
    source: StagedInput


@dataclass(frozen=True, slots=True)
class StageWindow:
    """Add the raw rows of one range of the run axis to the copy."""

    shape: SuccessionShape
    source: StagedInput


@dataclass(frozen=True, slots=True)
class Inspect:
    """Count the copy by partition: raw rows, rows after the filter, rows that break a NOT NULL.

    Declared ones are looked for in the raw rows, proven ones after the filter.
    """

    shape: SuccessionShape
    required: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collapse:
    """Raw rows to events: the filter, then the row-local columns, then identical ones to one."""

    shape: SuccessionShape


@dataclass(frozen=True, slots=True)
class Build:
    """Create the presented table and the ledger from the events."""

    shape: SuccessionShape
    relations: Relations


@dataclass(frozen=True, slots=True)
class Locate:
    """Find the stored points (rows and tombstones) that the new events can have to do with."""

    shape: SuccessionShape
    relations: Relations

    @property
    def known(self) -> "KnownNeighbours | None":
        """The stored columns that tell a row's neighbours, if there is one for each side that the model reads.

        By them a row is left out when its successor comes before a key's first new event, or its predecessor
        after the last: then that neighbour is nearer to every new event than the row is. What a stored row has
        on a side where no new event came is taken from the row itself, so the points left out are not missed.
        """
        lead, lag = _plain(self.shape, lead=True), _plain(self.shape, lead=False)
        if (self.shape.reads_lead and lead is None) or (self.shape.reads_lag and lag is None):
            return None
        return KnownNeighbours(lead, lag)


@dataclass(frozen=True, slots=True)
class KnownNeighbours:
    """Output columns that are the plain LEAD and the plain LAG; None for a side that the model does not read."""

    lead: str | None
    lag: str | None


@dataclass(frozen=True, slots=True)
class CheckTies:
    """Different events at one key and clock: in the batch, and against stored rows and tombstones."""

    shape: SuccessionShape


@dataclass(frozen=True, slots=True)
class CheckBatchTies:
    """Different events at one key and clock, where nothing is stored yet."""

    shape: SuccessionShape


@dataclass(frozen=True, slots=True)
class Derive:
    """One LEAD/LAG window over stored points and new events; keep what must be written."""

    shape: SuccessionShape
    known: KnownNeighbours | None


@dataclass(frozen=True, slots=True)
class Write:
    """Delete the stale neighbours by rowid, insert them again with the new rows, then the new tombstones."""

    shape: SuccessionShape
    relations: Relations


@dataclass(frozen=True, slots=True)
class Clear:
    """Drop the work tables."""


Step = Clear | Stage | StageWindow | Inspect | Collapse | Build | Locate | CheckTies | CheckBatchTies | Derive | Write


@dataclass(frozen=True, slots=True)
class SuccessionPlan:
    """All steps of one model, by what a run may need them for."""

    shape: SuccessionShape
    source: StagedInput
    relations: Relations

    @property
    def stage(self) -> tuple[Step, ...]:
        """Make the copy; then :attr:`stage_window` once for every range."""
        return (Stage(self.shape, self.source),)

    @property
    def stage_window(self) -> StageWindow:
        """Fill the copy, once for every range."""
        return StageWindow(self.shape, self.source)

    @property
    def inspect(self) -> Inspect:
        """What is asked of the copy before anything is folded."""
        return Inspect(self.shape, self.source.required)

    @property
    def build(self) -> tuple[Step, ...]:
        """From the copy to new tables."""
        return (Collapse(self.shape), CheckBatchTies(self.shape), Build(self.shape, self.relations))

    @property
    def patch(self) -> tuple[Step, ...]:
        """From the copy into the tables there are."""
        shape, relations = self.shape, self.relations
        locate = Locate(shape, relations)
        return (
            Collapse(shape),
            locate,
            CheckTies(shape),
            Derive(shape, locate.known),
            Write(shape, relations),
        )


def plan(shape: SuccessionShape, source: StagedInput, schema: str, relation: str) -> SuccessionPlan:
    """The plan of a model whose presented table is ``relation``."""
    ledger = ledger_of(relation) if shape.flag is not None else None
    return SuccessionPlan(shape, source, Relations(schema, relation, ledger))


def _plain(shape: SuccessionShape, *, lead: bool) -> str | None:
    """The first output column that is the LEAD (or the LAG) itself."""
    return next((column.name for column in shape.derived if column.plain and column.lead is lead), None)
