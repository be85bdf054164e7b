"""From a YAML mapping to the frozen values of a declaration, with a finding for each thing that is wrong."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from smelt.diagnostics.model import Diagnostic, report
from smelt.project import grammar
from smelt.project.model import (
    Address,
    ColumnTest,
    Frontmatter,
    Granularity,
    Marks,
    ModelColumn,
    MutationProfile,
    Refresh,
    Source,
    SourceColumn,
    Timeseries,
)
from smelt.project.rules import (
    duplicate_column,
    invalid_value,
    materialized_view_unsupported,
    missing_key,
    refresh_view_conflict,
    unknown_key,
    unknown_timeseries_column,
    unknown_type,
)
from smelt.project.yaml import YamlFile
from smelt.sql import types
from smelt.text.identifiers import did_you_mean, fold

Grammar = TypeVar("Grammar", bound=BaseModel)
_DAYS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
_KINDS = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "string_too_short": "a text that is not empty",
    "too_short": "at least one",
    "greater_than_equal": "a larger number",
    "less_than_equal": "a smaller number",
    "string_pattern_mismatch": "a number and a unit, such as 90 days",
}


def validate(
    kind: type[Grammar], values: Mapping[str, object], marks: Marks, at: tuple[str | int, ...] = ()
) -> tuple[Grammar | None, tuple[Diagnostic, ...]]:
    """The mapping as its grammar reads it, or what is wrong with it.

    Args:
        kind: the grammar.
        values: the mapping.
        marks: where keys and values stand in the document.
        at: the path of the mapping in the document.
    """
    try:
        return kind.model_validate(values), ()
    except ValidationError as error:
        found: dict[tuple[object, ...], Diagnostic] = {}
        for detail in error.errors(include_url=False, include_context=True):
            diagnostic = _finding(kind, values, marks, at, detail)
            found.setdefault((diagnostic.location, diagnostic.code.name), diagnostic)
        return None, tuple(found.values())


def _finding(
    kind: type[BaseModel], values: Mapping[str, object], marks: Marks, at: tuple[str | int, ...], detail: Any
) -> Diagnostic:
    path = _real_path(values, detail["loc"])
    full = (*at, *path)
    if detail["type"] == "extra_forbidden":
        return unknown_key.finding(marks.key(*full), str(path[-1]), _keys_at(kind, path[:-1]))
    if detail["type"] == "missing":
        missing = str(detail["loc"][-1])
        known = f"add `{missing}:`"
        return report(missing_key.CODE, marks.key(*full), key=missing, suggestion=known)
    where = ".".join(str(part) for part in path) or "the document"
    shown = _shown(detail.get("input"))
    if detail["type"] == "literal_error":
        expected = [part.strip("' ") for part in re.split(r",| or ", detail["ctx"]["expected"])]
        choices = [choice for choice in expected if choice]
        hint = did_you_mean(str(detail.get("input")), choices) or "one of " + ", ".join(choices)
        return report(invalid_value.CODE, marks.at(*full), problem=f"`{where}` cannot be {shown}", suggestion=hint)
    expected_kind = _KINDS.get(detail["type"], "")
    hint = expected_kind or str(detail["msg"]).removeprefix("Value error, ")
    return report(
        invalid_value.CODE, marks.at(*full), problem=f"`{where}` cannot be {shown}", suggestion=f"give {hint}"
    )


def _real_path(values: object, loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """pydantic's path without the steps it adds for alternatives, as far as the document has it."""
    path: list[str | int] = []
    here: object = values
    for index, step in enumerate(loc):
        last = index == len(loc) - 1
        if isinstance(here, dict):
            if step in here:
                here = here[step]
                path.append(step)
            elif last:
                path.append(step)
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            here = here[step]
            path.append(step)
    return tuple(path)


def _keys_at(kind: type[BaseModel], path: tuple[str | int, ...]) -> list[str]:
    """The keys that the grammar has for the mapping at a path."""
    kinds: list[type[BaseModel]] = [kind]
    for step in path:
        inner: list[type[BaseModel]] = []
        for model in kinds:
            for name, info in model.model_fields.items():
                if (info.alias or name) == step:
                    inner += _models_in(info.annotation)
        kinds = inner or kinds
    return [info.alias or name for model in kinds for name, info in model.model_fields.items()]


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in getattr(annotation, "__args__", ()) for model in _models_in(part)]


def _shown(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text[:60]}`"


def timeseries_of(spec: grammar.TimeseriesSpec | None) -> Timeseries | None:
    """The block as a frozen value."""
    if spec is None:
        return None
    return Timeseries(spec.event_time_column, spec.partition_column, Granularity(spec.granularity), spec.week_start)


def source_of(address: Address, file: YamlFile, seed_file: str | None) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    """A source declaration; None if its file does not fit the grammar."""
    spec, found = validate(grammar.SourceFile, file.values, file.marks)
    if spec is None:
        return None, found
    profile = spec.mutation_profile
    source = Source(
        address=address,
        marks=file.marks,
        columns=tuple(SourceColumn(c.name, c.type, c.nullable, c.expression, c.description) for c in spec.columns),
        relation=spec.name,
        files=spec.files,
        seed_file=seed_file,
        mutation_profile=MutationProfile(profile.kind, profile.redelivery, _retention(profile.retention))
        if profile
        else None,
        timeseries=timeseries_of(spec.timeseries),
        description=spec.description,
    )
    return source, (*found, *_source_findings(source))


def _retention(text: str | None) -> timedelta | None:
    if text is None:
        return None
    number, unit = text.split()
    return timedelta(days=int(number) * _DAYS[unit.removesuffix("s")])


def _source_findings(source: Source) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    marks = source.marks
    if source.relation is not None and source.files is not None:
        problem = "a source has `name:` or `files:`, not both"
        found.append(report(invalid_value.CODE, marks.key("files"), problem=problem, suggestion="keep one of the two"))
    seen: set[str] = set()
    for index, column in enumerate(source.columns):
        if fold(column.name) in seen:
            found.append(report(duplicate_column.CODE, marks.at("columns", index, "name"), column=column.name))
        seen.add(fold(column.name))
        if types.normal(column.type) is None:
            hint = did_you_mean(column.type, types.names()) or "see DuckDB's list of types"
            found.append(
                report(unknown_type.CODE, marks.at("columns", index, "type"), type=column.type, suggestion=hint)
            )
    names = [column.name for column in source.columns]
    if source.timeseries is not None:
        for key in ("event_time_column", "partition_column"):
            name = getattr(source.timeseries, key)
            if source.column(name) is None:
                hint = did_you_mean(name, names) or "declare it under `columns:`"
                where = marks.at("timeseries", key)
                found.append(report(unknown_timeseries_column.CODE, where, column=name, suggestion=hint))
    return found


def frontmatter_of(
    file: YamlFile, override: grammar.ModelFile | None, default_materialization: str
) -> tuple[Frontmatter, tuple[Diagnostic, ...]]:
    """A model's declarations: its own frontmatter over the project's override over the defaults.

    A frontmatter that does not fit gives its findings and the defaults.
    """
    spec, found = validate(grammar.ModelFile, file.values, file.marks)
    if spec is None:
        return Frontmatter(), found
    own = spec.model_fields_set
    base = override if override is not None else grammar.ModelFile()
    merged = base.model_copy(update={key: getattr(spec, key) for key in own})
    refresh = Refresh(merged.refresh or "full")
    if refresh is Refresh.MATERIALIZED_VIEW:
        found = (*found, report(materialized_view_unsupported.CODE, file.marks.at("refresh")))
    if refresh is Refresh.INCREMENTAL and merged.materialization == "view":
        found = (*found, report(refresh_view_conflict.CODE, file.marks.at("materialization")))
    materialization = merged.materialization or ("table" if refresh is Refresh.INCREMENTAL else default_materialization)
    frontmatter = Frontmatter(
        refresh=refresh,
        materialization="table" if materialization == "table" else "view",
        grain=merged.grain,
        unique_key=tuple(merged.unique_key),
        timeseries=timeseries_of(merged.timeseries),
        tags=tuple(merged.tags),
        description=merged.description,
        owner=merged.owner,
        name=merged.name,
        target=merged.target,
        start=merged.start,
        columns=tuple(
            ModelColumn(c.name, c.description, tuple(_test(c.name, test) for test in c.tests)) for c in merged.columns
        ),
    )
    return frontmatter, found


def _test(column: str, spec: grammar.TestSpec) -> ColumnTest:
    if isinstance(spec, grammar.AcceptedValuesSpec):
        return ColumnTest("accepted_values", column, values=tuple(str(value) for value in spec.accepted_values))
    if isinstance(spec, grammar.RelationshipsSpec):
        target = spec.relationships
        return ColumnTest("relationships", column, to=target.to.removeprefix("smelt."), field=target.field)
    return ColumnTest(spec, column)
