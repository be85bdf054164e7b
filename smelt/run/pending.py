"""What the project says beside what is built: the changes that wait for a run or for a person. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from smelt.analysis.definition import what_changed
from smelt.analysis.model import ModelAnalysis
from smelt.engines.model import BuiltColumn, Deployed
from smelt.text.identifiers import fold

State = Literal["same", "new", "changed", "gone", "refused"]


@dataclass(frozen=True, slots=True)
class ColumnChange:
    """A column whose type is another one now, as DuckDB prints both; None where there is no such column."""

    name: str
    deployed: str | None
    now: str | None


@dataclass(frozen=True, slots=True)
class Pending:
    """One model.

    Attributes:
        deployed: how it is kept where it is built; None if it is not.
        now: how the project says that it is kept; None if it is not in the project.
        changes: in words.
        then: what brings the warehouse up to date; empty if nothing waits.
    """

    model: str
    state: State
    deployed: str | None
    now: str | None
    changes: tuple[str, ...] = ()
    columns: tuple[ColumnChange, ...] = ()
    then: str = ""


def pending(model: ModelAnalysis, built: Deployed | None, settings: Sequence[str]) -> Pending:
    """What of a model is not in the warehouse yet.

    Args:
        model: as the project has it.
        built: what stands in the warehouse.
        settings: what else changed that its table depends on, in words.
    """
    name = str(model.model.address)
    deployed = None if built is None else built.kind
    first = next((finding for finding in model.diagnostics if finding.is_error), None)
    if first is not None or model.kind == "refused":
        told = () if first is None else (f"{first.code.name}: {first.message}",)
        return Pending(name, "refused", deployed, None, told, then="`smelt check` says more")
    if built is None:
        return Pending(name, "new", None, model.kind, then="the next run builds it")
    columns = tuple(_columns(built.columns, model)) if built.columns else ()
    changes = tuple(_changes(model, built, settings))
    if not changes and not columns:
        return Pending(name, "same", deployed, model.kind)
    return Pending(name, "changed", deployed, model.kind, changes, columns, _then(model, built, changes))


def gone(built: Deployed) -> Pending:
    """What is built and no longer in the project."""
    return Pending(built.model, "gone", built.kind, None, then="`smelt clean --orphans` drops it")


def _changes(model: ModelAnalysis, built: Deployed, settings: Sequence[str]) -> Iterator[str]:
    if built.kind != model.kind:
        yield f"was kept as a {built.kind}, is a {model.kind} now"
    elif built.definition_hash != model.definition_hash:
        # The hash may differ only because an older smelt wrote the definition down in another form.
        yield from what_changed(built.definition or "{}", model.canonical or "{}")
    if built.kind == model.kind == "succession":
        yield from settings
    if not built.columns:
        yield "what was built is gone"
    elif fold(built.relation) != fold(model.model.relation):
        yield _renamed(built, model)


def _renamed(built: Deployed, model: ModelAnalysis) -> str:
    return f"its name in the warehouse changed from {built.relation} to {model.model.relation}"


def _columns(before: Sequence[BuiltColumn], model: ModelAnalysis) -> Iterator[ColumnChange]:
    """Added, removed and otherwise typed columns; none where the types cannot be known without data."""
    if model.columns is None:
        return
    old: Mapping[str, BuiltColumn] = {fold(column.name): column for column in before}
    new = {fold(column.name): column for column in model.columns}
    for key, column in old.items():
        if key not in new:
            yield ColumnChange(column.name, column.type, None)
    for key, found in new.items():
        was = old.get(key)
        if was is None or was.type != found.type:
            yield ColumnChange(found.name, None if was is None else was.type, found.type)


def _then(model: ModelAnalysis, built: Deployed, changes: Sequence[str]) -> str:
    if built.columns and list(changes) == [_renamed(built, model)]:
        return "the next run renames it"
    if built.kind == model.kind == "succession":
        return f"`smelt repair {model.model.address}` rebuilds it"
    return "the next run makes it anew"


def kind_in(definition: str | None) -> str:
    """How a model was kept, by its canonical definition; a view if that does not say."""
    return str(json.loads(definition).get("kind", "view")) if definition is not None else "view"
