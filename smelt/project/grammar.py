"""The three YAML grammars: what keys there are and what they may hold.

pydantic stays here and in :mod:`smelt.project.fitting`; the rest of the project only reads the specs' attributes.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    WithJsonSchema,
)

Text = Annotated[str, StringConstraints(strict=True, min_length=1)]
_LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"
_NOT_IN_A_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


NOT_YET = "x-not-available-yet"
"""In a JSON Schema: true of a key that is refused today, or the list of a key's words that are."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


def _form(value: object) -> str:
    """Which form of a value was written, so that its faults are told in the terms of that form alone."""
    if isinstance(value, dict):
        return "<mapping>"
    return "<list>" if isinstance(value, list) else "<text>"


def _short(value: object) -> str:
    return "<text>" if isinstance(value, str) else "<list>"


def _dated(value: object) -> date:
    """YAML 1.2 has no dates: they arrive as texts."""
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise ValueError("a date such as 2024-01-31")


def _setting(value: object) -> object:
    """DuckDB's settings are texts; numbers and truth values are written as they are in YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


def _on_one_line(value: str) -> str:
    if not value.isprintable() and _NOT_IN_A_LINE.search(value):
        raise ValueError("a text on one line, without control characters")
    return value


Line = Annotated[Text, AfterValidator(_on_one_line), Field(json_schema_extra={"pattern": _LINE})]
"""A name or a path: what ends up in file names, in messages and in SQL."""
Names = Annotated[Annotated[Text, Tag("<text>")] | Annotated[list[Text], Tag("<list>")], Discriminator(_short)]
Setting = Annotated[str, BeforeValidator(_setting), WithJsonSchema({"type": ["string", "number", "boolean"]})]
Day = Annotated[date, BeforeValidator(_dated), WithJsonSchema({"type": "string", "format": "date"})]


class TimeseriesSpec(_Strict):
    """The clock of a relation, and the axis its windows run along."""

    event_time_column: Text = Field(description="The column that says when an event happened.")
    partition_column: Text = Field(description="The column that windows run along; may be the same.")
    granularity: Literal["hour", "day", "week", "month", "quarter", "year"] = Field(
        description="The width of a partition."
    )
    week_start: Literal["monday", "sunday"] = Field("monday", description="The first day of a week.")


ProfileKind = Literal["append_only", "mutable_snapshot", "change_feed"]


class MutationProfileSpec(_Strict):
    """How the rows of a source may change."""

    kind: ProfileKind = Field(
        description="`append_only`: rows are only added; `mutable_snapshot`: they change in place; `change_feed`: they "
        "are changes."
    )
    redelivery: Literal["at_least_once", "none"] = Field(
        "at_least_once", description="Whether the same event may come again."
    )
    retention: Annotated[Text, StringConstraints(pattern=r"^\d{1,6} (hour|day|week|month|year)s?$")] | None = Field(
        None, description="The age at which whole partitions may vanish, such as `90 days`."
    )


Profile = Annotated[
    Annotated[ProfileKind, Tag("<text>")]
    | Annotated[ProfileKind, Tag("<list>")]
    | Annotated[MutationProfileSpec, Tag("<mapping>")],
    Discriminator(_form),
]


class SourceColumnSpec(_Strict):
    """One column of a source."""

    name: Text = Field(description="As the relation or the files have it.")
    type: Text = Field(description="A DuckDB type.")
    nullable: bool = Field(True, description="Whether it may be NULL; `false` is checked on every run.")
    expression: Text | None = Field(None, description="SQL over the physical columns, one row at a time.")
    description: str = Field("", description="For people: shown on hover and in documentation.")


class SourceFile(_Strict):
    """A source: what is true of a relation that others load."""

    description: str = Field("", description="For people: shown on hover and in documentation.")
    name: Line | None = Field(None, description="An existing table.")
    files: Line | None = Field(None, description="A path or glob of Parquet, CSV or JSON files.")
    mutation_profile: Profile | None = Field(None, description="How its rows may change.")
    timeseries: TimeseriesSpec | None = None
    columns: list[SourceColumnSpec] = Field(
        default_factory=list, description="The columns that queries may read, each with its type."
    )


class RelationshipsTarget(_Strict):
    """The column another relation must have the value in."""

    to: Text = Field(description="The address of a model, source or seed.")
    field: Text = Field(description="A column of it.")


class TestMapping(_Strict):
    """A column test with arguments: exactly one of its keys."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    accepted_values: list[str | int | float | bool] | None = Field(None, description="The values it may have.")
    relationships: RelationshipsTarget | None = Field(None, description="Every value stands in that column.")


PlainTest = Literal["not_null", "unique"]
TestSpec = Annotated[
    Annotated[PlainTest, Tag("<text>")]
    | Annotated[PlainTest, Tag("<list>")]
    | Annotated[TestMapping, Tag("<mapping>")],
    Discriminator(_form),
]


class ModelColumnSpec(_Strict):
    """What is said of an output column."""

    name: Text = Field(description="As the query gives it.")
    description: str = Field("", description="For people: shown on hover and in documentation.")
    tests: list[TestSpec] = Field(default_factory=list, description="What every built table is checked for.")


class ModelFile(_Strict):
    """The frontmatter of a model."""

    refresh: Literal["full", "incremental", "materialized_view"] = Field(
        "full", description="How the table is kept.", json_schema_extra={NOT_YET: ["materialized_view"]}
    )
    materialization: Literal["view", "table"] | None = Field(None, description="`table` if `refresh: incremental`.")
    grain: Literal["partition", "key", "key_per_partition", "succession"] | None = Field(
        None,
        description="An assertion: the grain is derived from the SQL.",
        json_schema_extra={NOT_YET: ["partition", "key", "key_per_partition"]},
    )
    unique_key: Names = Field(
        default_factory=list,
        description="Output columns that name a row, for a grain by key, which is not available yet.",
        json_schema_extra={NOT_YET: True},
    )
    timeseries: TimeseriesSpec | None = Field(
        None,
        description="The clock of the table, for a grain by partition, which is not available yet.",
        json_schema_extra={NOT_YET: True},
    )
    tags: Names = Field(default_factory=list, description="For the selector `tag:x`.")
    description: str = Field("", description="For people: shown on hover and in documentation.")
    owner: str = Field("", description="Who answers for the model.")
    name: Line | None = Field(None, description="The physical name of the relation.")
    target: Text | None = Field(None, description="One of the project's targets.")
    start: Day | None = Field(None, description="The first date that a run without a window folds.")
    columns: list[ModelColumnSpec] = Field(default_factory=list, description="What is said of output columns.")


class TargetSpec(_Strict):
    """A place to build in."""

    type: Literal["duckdb"] = Field("duckdb", description="The engine.")
    database: Line = Field("target/dev.duckdb", description="The file, relative to the root or absolute.")
    schema_: Line = Field("main", alias="schema", description="The schema that relations are built in.")
    settings: dict[str, Setting] = Field(default_factory=dict, description="DuckDB settings, set on connect.")
    extensions: Names = Field(default_factory=list, description="DuckDB extensions, loaded on connect.")
    init_sql: Names = Field(default_factory=list, description="Statements that run on connect.")


class StateSpec(_Strict):
    """What is kept under ``.smelt/``."""

    mode: Literal["stateless", "intervals", "environments"] = Field(
        "intervals",
        description="`intervals` keeps what each model covers.",
        json_schema_extra={NOT_YET: ["environments"]},
    )


class ProbesSpec(_Strict):
    """How often folded partitions are looked at again."""

    cadence: Literal["per_run", "periodic", "off"] = Field("periodic", description="With which runs it is done.")
    every_n_runs: Annotated[int, Field(ge=1)] = Field(20, description="The distance for `periodic`.")


class ErrorsSpec(_Strict):
    """What messages show."""

    samples: Annotated[int, Field(ge=0, le=1000)] = Field(5, description="Rows of data in messages; 0 for none.")


class ProjectFile(_Strict):
    """``smelt.yml``."""

    name: Line = Field(description="The project's name.")
    version: Literal[1] = Field(1, description="The version of this grammar.")
    require: Text | None = Field(None, description="The smelt versions that fit, such as `>=0.3`.")
    paths: Annotated[list[Line], Field(min_length=1)] = Field(
        default_factory=lambda: ["models"], description="Folders of models, sources and seeds."
    )
    targets: Annotated[dict[str, TargetSpec], Field(min_length=1)] = Field(description="Places to build in, by name.")
    default_target: Text | None = Field(None, description="May be left out if there is one target.")
    default_materialization: Literal["view", "table"] = Field(
        "view", description="What a model is that says nothing of it."
    )
    state: StateSpec = StateSpec()
    probes: ProbesSpec = ProbesSpec()
    errors: ErrorsSpec = ErrorsSpec()
    models: dict[str, ModelFile] = Field(
        default_factory=dict, description="Declarations by address; a model's own frontmatter wins."
    )


GrammarKind = Literal["project", "model", "source"]
_GRAMMARS: Mapping[GrammarKind, type[BaseModel]] = {"project": ProjectFile, "model": ModelFile, "source": SourceFile}


def json_schema(kind: GrammarKind) -> dict[str, Any]:
    """The JSON Schema of one grammar, as editors use it.

    Raises:
        KeyError: ``kind`` is none of ``project``, ``model``, ``source``.
    """
    schema = _GRAMMARS[kind].model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
