"""A model laid out for judgement: everything the rules look at, worked out once.

What depends on a missing fact is missing too: without exactly one source whose columns are known there is no
scope, and rules that need one find nothing to judge.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from smelt.facts.formula import Formula
from smelt.facts.locality import Gap
from smelt.facts.nullability import NotNull
from smelt.facts.scope import Scope
from smelt.grains.succession.proven import NOTHING_PROVEN, Proven
from smelt.project.model import Address, Model, Project, Source
from smelt.sql.model import Expr, OrderItem, Query, Relation, SelectItem, WindowCall, WindowSpec
from smelt.sql.scopes import ColumnRef


@dataclass(frozen=True, slots=True)
class Window:
    """A window of the model, as the first item that uses it sees it.

    ``partition`` and ``order`` are the meanings of its parts, one for each as written.
    """

    spec: WindowSpec
    partition: tuple[Formula, ...]
    order: tuple[Formula, ...]

    @property
    def key(self) -> tuple[str, ...] | None:
        """The partition's source columns, each once; None if a part is no bare column, or there is none."""
        columns = [formula.bare_column for formula in self.partition]
        found = tuple(column for column in columns if column is not None)
        return tuple(dict.fromkeys(found)) if found and len(found) == len(columns) else None

    @property
    def clock(self) -> str | None:
        """The source column of the first sort key, if it is a bare one."""
        return self.order[0].bare_column if self.order else None

    @property
    def first_order(self) -> OrderItem | None:
        """The first sort key as written."""
        return self.spec.order_by[0] if self.spec.order_by else None


@dataclass(frozen=True, slots=True)
class Call:
    """A window call in the select list; ``argument`` is the meaning of its first one."""

    written: WindowCall
    window: Window | None
    argument: Formula | None


@dataclass(frozen=True, slots=True)
class Output:
    """One output column.

    Attributes:
        name: as DuckDB gives it; None if only DuckDB could tell, or for a star that is not understood.
        item: the select item it comes from.
        expr: what it computes; None if a star brings a column as it is.
        calls: the window calls written in it.
        by_star: whether a star brings it, maybe replaced.
        unexpanded: whether it is a star that cannot be told column by column.
        lost: where its value stops to be a deterministic function of one row; a star's columns are not looked at.
    """

    name: str | None
    item: SelectItem
    expr: Expr | None
    formula: Formula
    calls: tuple[Call, ...] = ()
    by_star: bool = False
    unexpanded: bool = False
    lost: tuple[Gap, ...] = ()

    @property
    def derived(self) -> bool:
        """Whether it reads a neighbour, or tries to."""
        return bool(self.calls) or self.formula.reads_neighbour

    @property
    def projects(self) -> str | None:
        """The source column it shows as it is; a column under ``REPLACE`` shows none."""
        return None if self.by_star and self.expr is not None else self.formula.bare_column


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that may be a succession.

    Attributes:
        relation: the first relation of ``FROM``; None without a ``FROM``.
        source: the source it names, if it is one.
        scope: the source in scope; None unless it is all that the query reads, and its columns are declared.
        outputs: output columns, stars expanded; empty without a scope.
        aliases: formulas of all item aliases, by folded name: what ``WHERE`` and ``QUALIFY`` see.
        windows: each window that a projected call uses, in text order.
        proven: the columns proven NOT NULL.
        where: the conjuncts of the filter.
        unknown: references that mean nothing.
        row_local: what was proven of items, for whoever judges the model's next text.
    """

    model: Model
    project: Project
    query: Query
    relation: Relation | None
    address: Address | None
    source: Source | None
    scope: Scope | None = None
    outputs: tuple[Output, ...] = ()
    aliases: Mapping[str, Formula] | None = None
    windows: tuple[Window, ...] = ()
    proven: Mapping[str, NotNull] | None = None
    where: tuple[Expr, ...] = ()
    unknown: tuple[ColumnRef, ...] = ()
    row_local: Proven = NOTHING_PROVEN

    @property
    def event_time_column(self) -> str | None:
        """The source's declared clock, in its declared spelling."""
        if self.source is None or self.source.timeseries is None:
            return None
        column = self.source.column(self.source.timeseries.event_time_column)
        return column.name if column is not None else None

    @property
    def calls(self) -> tuple[Call, ...]:
        """The window calls of the select list."""
        return tuple(call for output in self.outputs for call in output.calls)

    @property
    def key(self) -> tuple[str, ...] | None:
        """The key: that of the first window whose every part is a bare column."""
        return next((window.key for window in self.windows if window.key), None)

    @property
    def clock(self) -> str | None:
        """The clock: the declared one, if some window is ordered by it."""
        declared = self.event_time_column
        return declared if any(window.clock == declared for window in self.windows) else None

    @property
    def projected(self) -> dict[str, str]:
        """Source column to the first output column that shows it as it is."""
        found: dict[str, str] = {}
        for output in self.outputs:
            if output.projects is not None and output.name is not None:
                found.setdefault(output.projects, output.name)
        return found

    def formula(self, expr: Expr) -> Formula:
        """What an expression of ``WHERE`` or ``QUALIFY`` means. Only with a scope."""
        assert self.scope is not None
        return self.scope.formula(expr, self.aliases or {})

    def is_not_null(self, column: str) -> bool:
        """Whether a source column is proven NOT NULL."""
        return self.proven is not None and column in self.proven

    def unproving(self, column: str) -> tuple[Expr, ...]:
        """The conjuncts of the filter that read a column and prove nothing of it."""
        if self.is_not_null(column):
            return ()
        return tuple(part for part in self.where if column in self.formula(part).columns)

    def is_row(self, ref: ColumnRef) -> bool:
        """Whether a reference means the row itself: all of it, or its place. Only with a scope."""
        assert self.scope is not None
        return self.scope.is_row(ref)

    def has_offset(self, ref: ColumnRef) -> bool:
        """Whether a reference is, or is made from, a time of day with an offset. Only with a scope."""
        assert self.scope is not None
        return self.scope.has_offset(ref, self.aliases or {})
