"""What a project says: frozen values, made by :mod:`smelt.project.load` from file texts alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import date, timedelta
from enum import StrEnum
from typing import Literal

from smelt.diagnostics.model import Diagnostic, Location
from smelt.sql.model import Parsed
from smelt.text.identifiers import fold
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """The name of a model, source or seed: dotted segments, printed without the leading ``smelt.``."""

    segments: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.segments)

    @property
    def sql(self) -> str:
        """As it is written in a query: ``smelt.silver.orders``."""
        return f"smelt.{self}"

    @property
    def default_relation(self) -> str:
        """The physical name unless the file says ``name:``: segments joined by ``_``."""
        return "_".join(self.segments)


KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """Where each key and value of a YAML text stands.

    ``keys[path]`` is the span of the key (or of the list item) and ``values[path]`` that of its value, both in
    document offsets (frontmatter included). ``("columns", 2, "type")`` is the third column's type.
    """

    file: str
    keys: Mapping[KeyPath, Span] = dataclass_field(default_factory=dict)
    values: Mapping[KeyPath, Span] = dataclass_field(default_factory=dict)
    whole: Span = dataclass_field(default_factory=lambda: Span(0, 0))

    def at(self, *path: str | int) -> Location:
        """The location of the value at ``path``, else of its nearest parent that is there, else of the whole."""
        for length in range(len(path), 0, -1):
            span = self.values.get(path[:length])
            if span is not None:
                return Location(self.file, span)
        return Location(self.file, self.whole)

    def key(self, *path: str | int) -> Location:
        """The location of the key at ``path``, else what :meth:`at` says."""
        span = self.keys.get(path)
        return Location(self.file, span) if span is not None else self.at(*path)


class Granularity(StrEnum):
    """The width of a partition on the run axis."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Timeseries:
    """The clock of a source or model, and the axis its windows run along."""

    event_time_column: str
    partition_column: str
    granularity: Granularity
    week_start: Literal["monday", "sunday"] = "monday"


@dataclass(frozen=True, slots=True)
class MutationProfile:
    """How the rows of a source may change. ``retention`` is the age at which whole partitions may vanish."""

    kind: Literal["append_only", "mutable_snapshot", "change_feed"]
    redelivery: Literal["at_least_once", "none"] = "at_least_once"
    retention: timedelta | None = None


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """A declared column. ``type`` is a DuckDB type as written; ``expression`` is SQL over the physical columns."""

    name: str
    type: str
    nullable: bool = True
    expression: str | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A relation that others load: a table by ``relation``, files by ``files``, or a seed that ships with the project.

    Attributes:
        relation: the dotted name of an existing table, or None.
        files: a glob as written, relative to the root or absolute, or None.
        seed_file: for a seed with a sidecar: its ``.csv`` path, relative to the root.
    """

    address: Address
    marks: Marks
    columns: tuple[SourceColumn, ...] = ()
    relation: str | None = None
    files: str | None = None
    seed_file: str | None = None
    mutation_profile: MutationProfile | None = None
    timeseries: Timeseries | None = None
    description: str = ""

    def column(self, name: str) -> SourceColumn | None:
        """The column that DuckDB would find under ``name`` (ASCII case does not count)."""
        wanted = fold(name)
        return next((column for column in self.columns if fold(column.name) == wanted), None)


@dataclass(frozen=True, slots=True)
class Seed:
    """A small CSV that ships with the project. ``source`` is set if a sidecar describes it."""

    address: Address
    file: str
    source: Source | None = None
    relation: str | None = None


class Refresh(StrEnum):
    """How a model's table is kept."""

    FULL = "full"
    INCREMENTAL = "incremental"
    MATERIALIZED_VIEW = "materialized_view"


ColumnTestKind = Literal["not_null", "unique", "accepted_values", "relationships"]


@dataclass(frozen=True, slots=True)
class ColumnTest:
    """A test on one column of a built relation.

    ``values`` are those of ``accepted_values``; ``to`` and ``field`` belong to ``relationships``. ``item`` says at
    which place of its ``tests:`` it was written (from 0).
    """

    kind: ColumnTestKind
    column: str
    values: tuple[str, ...] = ()
    to: str | None = None
    field: str | None = None
    item: int = dataclass_field(default=0, compare=False)

    @property
    def name(self) -> str:
        """A stable name within its model: ``unique:customer_id``."""
        return f"{self.kind}:{self.column}"


@dataclass(frozen=True, slots=True)
class ModelColumn:
    """What the frontmatter says of an output column."""

    name: str
    description: str = ""
    tests: tuple[ColumnTest, ...] = ()


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """A model's declarations, after defaults and the per-model overrides of ``smelt.yml``."""

    refresh: Refresh = Refresh.FULL
    materialization: Literal["view", "table"] = "view"
    grain: Literal["partition", "key", "key_per_partition", "succession"] | None = None
    unique_key: tuple[str, ...] = ()
    timeseries: Timeseries | None = None
    tags: tuple[str, ...] = ()
    description: str = ""
    owner: str = ""
    name: str | None = None
    target: str | None = None
    start: date | None = None
    columns: tuple[ModelColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """One ``.sql`` file. ``text`` is the whole file; the query stands at ``sql_span`` in it."""

    address: Address
    file: str
    text: str
    sql_span: Span
    frontmatter: Frontmatter
    marks: Marks
    parsed: Parsed
    references: tuple["Reference", ...] = ()

    @property
    def sql(self) -> str:
        """The query's text, without frontmatter."""
        return self.sql_span.of(self.text)

    @property
    def relation(self) -> str:
        """The physical table name, without schema."""
        return self.frontmatter.name or self.address.default_relation


@dataclass(frozen=True, slots=True)
class Reference:
    """A ``smelt.<address>`` in a query, at ``span`` of the model's text."""

    address: Address
    span: Span


@dataclass(frozen=True, slots=True)
class Target:
    """A place to build in. ``settings``, ``extensions`` and ``init_sql`` are applied on connect."""

    name: str
    type: Literal["duckdb"] = "duckdb"
    database: str = "target/dev.duckdb"
    schema: str = "main"
    settings: tuple[tuple[str, str], ...] = ()
    extensions: tuple[str, ...] = ()
    init_sql: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Probes:
    """How often folded partitions are fingerprinted again."""

    cadence: Literal["per_run", "periodic", "off"] = "periodic"
    every_n_runs: int = 20


@dataclass(frozen=True, slots=True)
class ProjectConfig:
    """``smelt.yml``. ``redacted`` holds the interpolated values, never to be printed."""

    name: str
    targets: Mapping[str, Target]
    default_target: str
    marks: Marks
    version: int = 1
    require: str | None = None
    paths: tuple[str, ...] = ("models",)
    default_materialization: Literal["view", "table"] = "view"
    state_mode: Literal["stateless", "intervals", "environments"] = "intervals"
    probes: Probes = Probes()
    error_samples: int = 5
    redacted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Project:
    """Everything the files say, and every finding about them.

    A file that cannot be read as what it should be is missing from the maps and has a finding; it never hides
    the others. ``config`` is None only if ``smelt.yml`` itself is unusable.
    """

    config: ProjectConfig | None
    models: Mapping[Address, Model]
    sources: Mapping[Address, Source]
    seeds: Mapping[Address, Seed]
    texts: Mapping[str, str]
    diagnostics: tuple[Diagnostic, ...] = ()
    order: tuple[Address, ...] = ()
    """Models, each after what it reads; those on a cycle are absent."""

    def addresses(self) -> tuple[Address, ...]:
        """Everything a query may refer to."""
        return (*self.models, *self.sources, *(a for a in self.seeds if a not in self.sources))
