"""What the classifier proves of an admitted succession model: all a plan or an explanation needs.

Plain texts and names, no trees: a shape can be compared, hashed and cached.
"""

from dataclasses import dataclass
from typing import Literal

from smelt.project.model import Address, Granularity
from smelt.text.identifiers import fold

WORK_PREFIX = "__smelt_"
"""Temporary tables of a fold, and columns that it works with, begin with it."""

LEAD_SLOT = "__smelt_lead"
LAG_SLOT = "__smelt_lag"
"""Columns that stand in a derived expression where ``LEAD(t) OVER …`` and ``LAG(t) OVER …`` stood."""


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """One output column.

    Attributes:
        name: the output name as DuckDB would give it.
        kind: ``row_local`` is a function of one source row; ``derived`` holds at least one LEAD/LAG.
        sql: for a row-local column, SQL over quoted source column names, without a table qualifier. For a
            derived one, SQL over :data:`LEAD_SLOT`, :data:`LAG_SLOT` and quoted *output* names of row-local
            columns, so that it can be recomputed from a stored row and its neighbours' clocks.
        source_column: the source column's declared name, if the column is a bare one.
        lead: whether it reads the successor's clock; such columns of a predecessor are patched.
        lag: whether it reads the predecessor's clock; such columns of a successor are patched.
        plain: whether a derived column is the LEAD or LAG itself, with nothing around it.
    """

    name: str
    kind: Literal["row_local", "derived"]
    sql: str
    source_column: str | None = None
    lead: bool = False
    lag: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True)
class SuccessionShape:
    """An admitted succession model.

    Names are the source's declared ones, except ``key_outputs`` and ``clock_output``: the output columns that
    project the key and the clock bare.

    Attributes:
        flag: the delete flag's column, if the model has ``QUALIFY NOT flag``; then it has a tombstone ledger.
        pre_filter: the ``WHERE`` predicate over quoted source columns, without a table qualifier.
        pre_filter_text: the same as the author wrote it.
        reads: every source column that the model reads, in declared order: key, clock, flag, run axis,
            arguments of row-local columns and of the filter.
    """

    source: Address
    key: tuple[str, ...]
    clock: str
    clock_type: str
    flag: str | None
    pre_filter: str | None
    pre_filter_text: str | None
    outputs: tuple[OutputColumn, ...]
    key_outputs: tuple[str, ...]
    clock_output: str
    reads: tuple[str, ...]
    run_axis: str
    partitioning: Literal["arrival", "event_time"]
    granularity: Granularity
    week_start: Literal["monday", "sunday"] = "monday"

    @property
    def row_local(self) -> tuple[OutputColumn, ...]:
        """The row-local output columns, in output order."""
        return tuple(column for column in self.outputs if column.kind == "row_local")

    @property
    def derived(self) -> tuple[OutputColumn, ...]:
        """The derived output columns, in output order."""
        return tuple(column for column in self.outputs if column.kind == "derived")

    @property
    def reads_lead(self) -> bool:
        """Whether a new event patches its predecessor's row."""
        return any(column.lead for column in self.outputs)

    @property
    def reads_lag(self) -> bool:
        """Whether a new event patches its successor's row."""
        return any(column.lag for column in self.outputs)

    @property
    def lead_columns(self) -> tuple[str, ...]:
        """Output names of the columns that read the successor."""
        return tuple(column.name for column in self.outputs if column.lead)

    @property
    def lag_columns(self) -> tuple[str, ...]:
        """Output names of the columns that read the predecessor."""
        return tuple(column.name for column in self.outputs if column.lag)


def is_reserved(name: str) -> bool:
    """Whether an output column of this name could not be told from what a fold needs for itself."""
    return fold(name) == "rowid" or fold(name).startswith(WORK_PREFIX)
