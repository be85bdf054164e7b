"""What stands in the warehouse under a model's name, and whether smelt may write there."""

from dataclasses import dataclass, replace

from smelt.analysis.definition import what_changed
from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.catalogue import StandingColumn
from smelt.engines.duckdb.environment import environment
from smelt.engines.duckdb.environment import what_changed as environment_changed
from smelt.engines.duckdb.record import BuiltRecord, Record, count_rows
from smelt.engines.duckdb.session import Session
from smelt.engines.errors import fault
from smelt.engines.model import WarehouseError
from smelt.engines.rules import (
    definition_delta_pending,
    maintained_relation_changed,
    relation_not_managed,
)
from smelt.grains.succession.rules import reserved_column_name
from smelt.grains.succession.shape import is_reserved
from smelt.plan.reserved import ledger_of
from smelt.project.model import Address
from smelt.text.counts import counted
from smelt.text.identifiers import fold


@dataclass(frozen=True, slots=True)
class Standing:
    """Reads the record beside the catalogue. Every method is one question and raises a refusal."""

    session: Session
    record: Record

    def may_build(self, address: Address, relation: str) -> BuiltRecord | None:
        """The record of what smelt built there; None if the place is free.

        A relation whose physical name changed is moved to its new name first.

        Raises:
            WarehouseError: ``RelationNotManaged``.
        """
        known = self.record.find(str(address))
        if known is not None and known.relation != relation:
            return self._move(address, known, relation)
        if known is None and self.session.catalogue.kind(relation) is not None:
            raise self._not_managed(address, relation)
        return known

    def is_intact(self, model: str, known: BuiltRecord) -> None:
        """The relations that the record tells of are there, with the columns and as many rows as smelt left.

        Raises:
            WarehouseError: ``MaintainedRelationChanged``.
        """
        self._is_as_left(model, known.relation, known.row_count, known.columns)
        if known.ledger is not None:
            self._is_as_left(model, known.ledger, known.ledger_row_count, known.ledger_columns)

    def has_definition(self, model: ModelAnalysis, known: BuiltRecord, settings: str) -> None:
        """What the table was built as is what the model says now.

        Raises:
            WarehouseError: ``DefinitionDeltaPending``.
        """
        changes: list[str] = []
        if known.definition_hash != model.definition_hash:
            # The hash may differ only because an older smelt wrote the definition down in another form.
            changes += what_changed(known.definition or "{}", model.canonical or "{}")
        changes += environment_changed(known.settings, settings)
        if changes:
            name = model.model.address
            raise fault(definition_delta_pending.CODE, approval=True, model=name, changes="; ".join(changes))

    def settings(self) -> str:
        """What the target sets that can change results, as the record keeps it."""
        return environment(self.session.target, self.session.result_settings(), self.session.redact)

    def drop(self, known: BuiltRecord) -> None:
        """Drop the relations that the record tells of, whatever kind they are now."""
        for relation in (known.relation, known.ledger):
            if relation is not None:
                self.session.catalogue.drop(relation, self.session.run)

    def _is_as_left(self, model: str, relation: str, rows: int | None, left: tuple[StandingColumn, ...]) -> None:
        change = self._change(relation, rows, left)
        if change is not None:
            raise fault(maintained_relation_changed.CODE, model=model, relation=self._shown(relation), change=change)

    def _change(self, relation: str, rows: int | None, left: tuple[StandingColumn, ...]) -> str | None:
        """How a relation differs from what smelt left; ``left`` is empty where that was not recorded."""
        kind = self.session.catalogue.kind(relation)
        if kind != "table":
            return "is gone" if kind is None else f"is a {kind}, smelt left a table"
        change = _columns_changed(left, self.session.catalogue.columns(relation)) if left else None
        if change is not None:
            return change
        found = count_rows(self.session, relation)
        return None if found == rows else f"has {counted(found, 'row')}, smelt left {rows:,}"

    def _move(self, address: Address, known: BuiltRecord, relation: str) -> BuiltRecord:
        """Give what stands under the old physical name the new one."""
        ledger = ledger_of(relation) if known.ledger is not None else None
        for old, new in ((known.relation, relation), (known.ledger, ledger)):
            if old is None or new is None:
                continue
            if self.session.catalogue.kind(new) is not None:
                raise self._not_managed(address, new)
            self.session.catalogue.rename(old, new, self.session.run)
        self.record.rename(str(address), relation, ledger)
        return replace(known, relation=relation, ledger=ledger)

    def _not_managed(self, address: Address, relation: str) -> WarehouseError:
        owner = self.record.owner(relation)
        shown = self._shown(relation)
        if owner is None:
            return fault(relation_not_managed.CODE, model=address, relation=shown, who="smelt did not build it")
        return fault(
            relation_not_managed.MOVED, model=address, relation=shown, owner=owner, who=f"it is that of {owner}"
        )

    def _shown(self, relation: str) -> str:
        return f"{self.session.target.schema}.{relation}"


def _columns_changed(left: tuple[StandingColumn, ...], found: tuple[StandingColumn, ...]) -> str | None:
    """The first difference of a relation's columns, in words."""
    before, now = ({fold(column.name): column for column in columns} for columns in (left, found))
    for name, column in before.items():
        if name not in now:
            return f"lacks its column {column.name}"
        if now[name].shown != column.shown:
            return f"has {column.name} as {now[name].shown}, smelt left {column.shown}"
    further = next((column.name for name, column in now.items() if name not in before), None)
    if further is not None:
        return f"has another column {further}"
    return None if list(before) == list(now) else "has its columns in another order"


def check_columns(model: ModelAnalysis) -> None:
    """No output column has a name that a fold needs for itself.

    Raises:
        WarehouseError: ``ReservedColumnName``.
    """
    for column in model.shape.outputs if model.shape is not None else ():
        if is_reserved(column.name):
            raise fault(reserved_column_name.CODE, column=column.name, how=" with AS")
