"""What each model reads, found among the project's addresses; the order to build in."""

import graphlib
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from smelt.diagnostics.model import Diagnostic
from smelt.project.addresses import AddressBook
from smelt.project.model import Address, Model, Reference
from smelt.project.rules import circular_reference, unknown_reference
from smelt.text.identifiers import fold

_MADE_BY_QUERY = {"unnest", "range", "generate_series"}


@dataclass(frozen=True, slots=True)
class Linked:
    """Models with their references resolved, in build order (those on a cycle left out)."""

    models: Mapping[Address, Model]
    order: tuple[Address, ...]
    diagnostics: tuple[Diagnostic, ...]


def link(models: Mapping[Address, Model], book: AddressBook, broken: Collection[Address]) -> Linked:
    """Resolve every reference of every model.

    Args:
        models: by address.
        book: all that may be referred to.
        broken: those of it whose files could not be used. A reference to one is no finding, for its file has one
            already; and it is no reference, for there is nothing to read.
    """
    found: list[Diagnostic] = []
    linked: dict[Address, Model] = {}
    for address, model in models.items():
        references, problems = references_of(model, book, broken)
        linked[address] = replace(model, references=references)
        found += problems
    order, cycles = order_of(linked)
    return Linked(linked, order, (*found, *cycles))


def references_of(
    model: Model, book: AddressBook, broken: Container[Address]
) -> tuple[tuple[Reference, ...], list[Diagnostic]]:
    """What one model reads, and a finding for each name that is no address; see :func:`link`."""
    references: list[Reference] = []
    found: list[Diagnostic] = []
    for relation in model.parsed.relations:
        if relation.kind == "function" and fold(relation.parts[-1]) in _MADE_BY_QUERY:
            continue
        address = book.by_name.get(fold(".".join(relation.parts[1:]))) if relation.is_address else None
        if address is None:
            found.append(unknown_reference.in_query(model.file, relation, book, model.address))
        elif address not in broken:
            references.append(Reference(address, relation.name_span))
    return tuple(references), found


def order_of(models: Mapping[Address, Model]) -> tuple[tuple[Address, ...], list[Diagnostic]]:
    """Build order, and one finding for each cycle; the models of a found cycle are taken out to find the next."""
    graph = {
        address: sorted({one.address for one in model.references if one.address in models})
        for address, model in sorted(models.items())
    }
    found: list[Diagnostic] = []
    while True:
        try:
            return tuple(graphlib.TopologicalSorter(graph).static_order()), found
        except graphlib.CycleError as error:
            ring = _from_lowest(tuple(reversed(error.args[1])))
            found.append(circular_reference.finding(models, ring))
            graph = {
                address: [read for read in reads if read not in ring]
                for address, reads in graph.items()
                if address not in ring
            }


def _from_lowest(ring: Sequence[Address]) -> tuple[Address, ...]:
    """The same circle, begun at its first address by name, which also stands at its end."""
    lowest = min(range(len(ring) - 1), key=lambda index: ring[index])
    return (*ring[lowest:-1], *ring[:lowest], ring[lowest])
