"""What a made project holds, apart from how each tool spells it."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["view", "table", "succession"]
Layer = Literal["staging", "history", "intermediate", "marts"]


@dataclass(frozen=True, slots=True)
class Columns:
    """What can be asked of a relation, by role; enough to write a query over it without knowing it.

    Attributes:
        noun: what a row is about.
        key: an INTEGER that rows of one thing share.
        at: a TIMESTAMP.
        labels: VARCHAR columns, at least one.
        numbers: DOUBLE columns, at least one.
    """

    noun: str
    key: str
    at: str
    labels: tuple[str, ...]
    numbers: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Every column."""
        return (self.key, self.at, *self.labels, *self.numbers)


@dataclass(frozen=True, slots=True)
class Source:
    """A relation that others load. A stream of changes has a delete flag and a clock, facts have a number each."""

    name: str
    columns: Columns
    is_stream: bool

    @property
    def typed(self) -> tuple[tuple[str, str, bool], ...]:
        """Name, DuckDB type and whether NULL may stand there, of every declared column."""
        columns = self.columns
        own = ("is_deleted", "BOOLEAN", False) if self.is_stream else ("event_id", "BIGINT", False)
        return (
            (columns.key, "INTEGER", False),
            (columns.at, "TIMESTAMP", False),
            *((name, "VARCHAR", True) for name in columns.labels),
            *((name, "DOUBLE", True) for name in columns.numbers),
            own,
            ("ingested_date", "DATE", False),
        )


@dataclass(frozen=True, slots=True)
class Model:
    """One query. In ``sql`` a reference to a model or source is its name in ``«»``.

    Attributes:
        columns: what the query gives, so that those who read it can be written.
        parents: names of the models and sources it reads.
        level: the longest way down to a source; 1 reads sources only.
    """

    name: str
    layer: Layer
    kind: Kind
    columns: Columns
    description: str
    sql: str
    parents: tuple[str, ...]
    level: int


@dataclass(frozen=True, slots=True)
class Warehouse:
    """Everything a project holds, each model after those it reads."""

    sources: tuple[Source, ...]
    models: tuple[Model, ...]
