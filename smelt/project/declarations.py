"""What a model declares: its frontmatter over the project's ``models:`` over the defaults."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from smelt.diagnostics.model import Diagnostic, Location
from smelt.project import grammar
from smelt.project.addresses import AddressBook
from smelt.project.model import ColumnTest, Frontmatter, KeyPath, Marks, ModelColumn, Refresh
from smelt.project.names import listed
from smelt.project.rules import (
    duplicate_column,
    materialized_view_unsupported,
    refresh_view_conflict,
    unknown_reference,
)
from smelt.project.sources import timeseries_of
from smelt.project.validation import validate
from smelt.project.yaml import YamlFile

_MAINTENANCE = frozenset({"refresh", "materialization", "grain", "unique_key", "timeseries"})
"""Together they say how a model is kept: with one of them unreadable, the others would say something else."""


@dataclass(frozen=True, slots=True)
class Override:
    """What ``smelt.yml`` says of one model: the spec, and where it stands."""

    spec: grammar.ModelFile
    marks: Marks
    path: KeyPath


@dataclass(frozen=True, slots=True)
class Declared:
    """A model's declarations, merged. A spec that lacks a key does not have it in ``model_fields_set``."""

    own: grammar.ModelFile
    override: Override | None
    merged: grammar.ModelFile
    marks: Marks

    def at(self, *path: str | int) -> Location:
        """Where the value that counts was written: in the frontmatter, or in ``smelt.yml``."""
        if path[0] not in self.own.model_fields_set and self.override is not None:
            return self.override.marks.at(*self.override.path, *path)
        return self.marks.at(*path)


@dataclass(frozen=True, slots=True)
class ModelDeclaration:
    """A frontmatter that can be used, and what is wrong with the one that was written."""

    frontmatter: Frontmatter
    diagnostics: tuple[Diagnostic, ...]


def declaration_of(
    yaml: YamlFile, override: Override | None, default: Literal["view", "table"], book: AddressBook
) -> ModelDeclaration:
    """A model's declarations.

    Args:
        yaml: its frontmatter.
        override: what ``smelt.yml`` says of it.
        default: the materialization of a model that says nothing.
        book: the addresses that ``relationships`` may name.
    """
    result = validate(grammar.ModelFile, yaml, yaml.values, droppable=tuple(grammar.ModelFile.model_fields))
    own = result.spec or grammar.ModelFile()
    unreadable = _MAINTENANCE if result.dropped & _MAINTENANCE or yaml.broken else frozenset()
    given = {key: getattr(own, key) for key in own.model_fields_set - unreadable}
    base = override.spec if override is not None else grammar.ModelFile()
    inherited = {key: getattr(base, key) for key in base.model_fields_set - unreadable}
    merged = grammar.ModelFile().model_copy(update={**inherited, **given})
    declared = Declared(own, override, merged, yaml.marks)
    columns, column_findings = _columns(declared, book)
    found = (*yaml.diagnostics, *result.diagnostics, *_findings(declared), *column_findings)
    return ModelDeclaration(_frontmatter(merged, default, columns), found)


def _frontmatter(
    spec: grammar.ModelFile, default: Literal["view", "table"], columns: tuple[ModelColumn, ...]
) -> Frontmatter:
    refresh = Refresh(spec.refresh)
    implied: Literal["view", "table"] = "table" if refresh is Refresh.INCREMENTAL else default
    return Frontmatter(
        refresh=refresh,
        materialization=spec.materialization or implied,
        grain=spec.grain,
        unique_key=listed(spec.unique_key),
        timeseries=timeseries_of(spec.timeseries),
        tags=listed(spec.tags),
        description=spec.description,
        owner=spec.owner,
        name=spec.name,
        target=spec.target,
        start=spec.start,
        columns=columns,
    )


def _findings(declared: Declared) -> Iterator[Diagnostic]:
    refresh = Refresh(declared.merged.refresh)
    materialization = declared.merged.materialization
    yield from materialized_view_unsupported.check(refresh, declared.at("refresh"))
    yield from refresh_view_conflict.check(refresh, materialization, declared.at("materialization"))
    yield from duplicate_column.check(
        (column.name, declared.at("columns", index, "name")) for index, column in enumerate(declared.merged.columns)
    )


def _columns(declared: Declared, book: AddressBook) -> tuple[tuple[ModelColumn, ...], list[Diagnostic]]:
    columns: list[ModelColumn] = []
    found: list[Diagnostic] = []
    for index, column in enumerate(declared.merged.columns):
        tests: list[ColumnTest] = []
        for number, spec in enumerate(column.tests):
            where = declared.at("columns", index, "tests", number, "relationships", "to")
            read, problems = _tests(column.name, spec, where, book)
            tests += [replace(test, item=number) for test in read]
            found += problems
        columns.append(ModelColumn(column.name, column.description, tuple(tests)))
    return tuple(columns), found


def _tests(
    column: str, spec: grammar.PlainTest | grammar.TestMapping, where: Location, book: AddressBook
) -> tuple[list[ColumnTest], list[Diagnostic]]:
    """The tests of one item: a mapping may hold both kinds; one that names nothing is a finding instead."""
    if isinstance(spec, str):
        return [ColumnTest(spec, column)], []
    tests: list[ColumnTest] = []
    if spec.accepted_values is not None:
        tests.append(
            ColumnTest("accepted_values", column, values=tuple(_text(value) for value in spec.accepted_values))
        )
    if spec.relationships is None:
        return tests, []
    target = book.find(spec.relationships.to)
    if target is None:
        return tests, [unknown_reference.in_declaration(where, spec.relationships.to, book)]
    return [*tests, ColumnTest("relationships", column, to=str(target), field=spec.relationships.field)], []


def _text(value: str | int | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
