"""Relations that smelt built for models and seeds that the project no longer has."""

from collections.abc import Collection
from dataclasses import dataclass

from smelt.engines.duckdb.record import BuiltRecord, Record, count_rows
from smelt.engines.duckdb.session import Session


@dataclass(frozen=True, slots=True)
class OrphanRelation:
    """A relation that is there. ``rows`` is None for a view; ``foreign`` says that it is not what smelt left."""

    name: str
    kind: str
    rows: int | None
    foreign: bool


@dataclass(frozen=True, slots=True)
class Orphan:
    """What is left of a model: its relations, none if they are gone already, and its row in the table of record."""

    model: str
    relations: tuple[OrphanRelation, ...]


def orphans(session: Session, models: Collection[str]) -> tuple[Orphan, ...]:
    """What was built for models and seeds that are none of ``models`` (printed addresses), by name."""
    with session.named(f"target {session.target.name}"):
        return tuple(
            Orphan(kept.model, _relations(session, kept.record))
            for kept in Record(session).every()
            if kept.model not in models
        )


def drop(session: Session, orphan: Orphan) -> None:
    """Drop an orphan's relations and forget the model, in one transaction. What is not smelt's stays.

    Raises:
        WarehouseError: it fails; everything is as it was.
    """
    with session.transaction(orphan.model):
        for relation in orphan.relations:
            if not relation.foreign:
                session.catalogue.drop(relation.name, session.run)
        Record(session).forget(orphan.model)


def _relations(session: Session, record: BuiltRecord) -> tuple[OrphanRelation, ...]:
    left = "view" if record.kind == "view" else "table"
    found: list[OrphanRelation] = []
    for name in (record.relation, record.ledger):
        kind = session.catalogue.kind(name) if name is not None else None
        if name is not None and kind is not None:
            rows = count_rows(session, name) if kind == "table" else None
            found.append(OrphanRelation(name, kind, rows, foreign=kind != left))
    return tuple(found)
