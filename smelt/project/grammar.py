"""The three YAML grammars: what keys there are and what they may hold."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(strict=True, min_length=1)]
Granularity = Literal["hour", "day", "week", "month", "quarter", "year"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _listed(value: object) -> object:
    """One name may be written without brackets."""
    return [value] if isinstance(value, str) else value


def _profiled(value: object) -> object:
    """``append_only`` is short for ``{kind: append_only}``."""
    return {"kind": value} if isinstance(value, str) else value


def _dated(value: object) -> object:
    """YAML 1.2 has no dates: they arrive as texts."""
    if isinstance(value, str):
        return date.fromisoformat(value)
    raise ValueError("a date such as 2024-01-01")


def _setting(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


Names = Annotated[list[Text], BeforeValidator(_listed)]
Setting = Annotated[str, BeforeValidator(_setting)]


class TimeseriesSpec(_Strict):
    """The clock of a relation, and the axis its windows run along."""

    event_time_column: Text = Field(description="The column that says when an event happened.")
    partition_column: Text = Field(description="The column that windows run along; may be the same.")
    granularity: Granularity = Field(description="The width of a partition.")
    week_start: Literal["monday", "sunday"] = Field("monday", description="The first day of a week.")


class MutationProfileSpec(_Strict):
    """How the rows of a source may change."""

    kind: Literal["append_only", "mutable_snapshot", "change_feed"]
    redelivery: Literal["at_least_once", "none"] = "at_least_once"
    retention: Annotated[Text, StringConstraints(pattern=r"^\d{1,6} (hour|day|week|month|year)s?$")] | None = Field(
        None, description="The age at which whole partitions may vanish, such as `90 days`."
    )


class SourceColumnSpec(_Strict):
    """One column of a source."""

    name: Text
    type: Text = Field(description="A DuckDB type.")
    nullable: bool = True
    expression: Text | None = Field(None, description="SQL over the physical columns, one row at a time.")
    description: str = ""


class SourceFile(_Strict):
    """A source: what is true of a relation that others load."""

    description: str = ""
    name: Text | None = Field(None, description="An existing table.")
    files: Text | None = Field(None, description="A path or glob of Parquet, CSV or JSON files.")
    mutation_profile: Annotated[MutationProfileSpec, BeforeValidator(_profiled)] | None = None
    timeseries: TimeseriesSpec | None = None
    columns: list[SourceColumnSpec] = Field(default_factory=list)


class AcceptedValuesSpec(_Strict):
    """The values a column may have."""

    accepted_values: list[str | int | float | bool]


class RelationshipsTarget(_Strict):
    """The column another relation must have the value in."""

    to: Text
    field: Text


class RelationshipsSpec(_Strict):
    """Every value stands in another relation's column."""

    relationships: RelationshipsTarget


TestSpec = Literal["not_null", "unique"] | AcceptedValuesSpec | RelationshipsSpec


class ModelColumnSpec(_Strict):
    """What is said of an output column."""

    name: Text
    description: str = ""
    tests: list[TestSpec] = Field(default_factory=list)


class ModelFile(_Strict):
    """The frontmatter of a model."""

    refresh: Literal["full", "incremental", "materialized_view"] | None = Field(
        None, description="How the table is kept; `full` if not said."
    )
    materialization: Literal["view", "table"] | None = None
    grain: Literal["partition", "key", "key_per_partition", "succession"] | None = Field(
        None, description="An assertion: the grain is derived from the SQL."
    )
    unique_key: Names = Field(default_factory=list)
    timeseries: TimeseriesSpec | None = None
    tags: Names = Field(default_factory=list)
    description: str = ""
    owner: str = ""
    name: Text | None = Field(None, description="The physical name of the relation.")
    target: Text | None = None
    start: Annotated[date, BeforeValidator(_dated)] | None = Field(
        None, description="The first date that a run without a window folds.", json_schema_extra={"format": "date"}
    )
    columns: list[ModelColumnSpec] = Field(default_factory=list)


class TargetSpec(_Strict):
    """A place to build in."""

    type: Literal["duckdb"] = "duckdb"
    database: Text = "target/dev.duckdb"
    schema_: Text = Field("main", alias="schema")
    settings: dict[str, Setting] = Field(default_factory=dict)
    extensions: Names = Field(default_factory=list)
    init_sql: Names = Field(default_factory=list)


class StateSpec(_Strict):
    """What is kept under ``.smelt/``."""

    mode: Literal["stateless", "intervals", "environments"] = "intervals"


class ProbesSpec(_Strict):
    """How often folded partitions are looked at again."""

    cadence: Literal["per_run", "periodic", "off"] = "periodic"
    every_n_runs: Annotated[int, Field(ge=1)] = 20


class ErrorsSpec(_Strict):
    """What messages show."""

    samples: Annotated[int, Field(ge=0, le=1000)] = Field(5, description="Rows of data in messages; 0 for none.")


class ProjectFile(_Strict):
    """``smelt.yml``."""

    name: Text
    version: int = 1
    require: Text | None = Field(None, description="The smelt versions that fit, such as `>=0.3`.")
    paths: Annotated[list[Text], Field(min_length=1)] = Field(default_factory=lambda: ["models"])
    targets: Annotated[dict[str, TargetSpec], Field(min_length=1)]
    default_target: Text | None = None
    default_materialization: Literal["view", "table"] = "view"
    state: StateSpec = StateSpec()
    probes: ProbesSpec = ProbesSpec()
    errors: ErrorsSpec = ErrorsSpec()
    models: dict[str, ModelFile] = Field(default_factory=dict)


GRAMMARS: dict[str, type[BaseModel]] = {"project": ProjectFile, "model": ModelFile, "source": SourceFile}


def json_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of one grammar.

    Raises:
        KeyError: ``kind`` is none of ``project``, ``model``, ``source``.
    """
    schema = GRAMMARS[kind].model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
