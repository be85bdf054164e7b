"""What each model reads, found among the project's addresses; the order to build in."""

import graphlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from smelt.diagnostics.model import Diagnostic, FileEdit, Fix, Location, Related, report
from smelt.project.model import Address, Model, Reference
from smelt.project.rules import circular_reference, unknown_reference
from smelt.sql.model import Relation
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, fold, nearest, quote

_MADE_BY_QUERY = {"unnest", "range", "generate_series", "values", "generate_subscripts"}


@dataclass(frozen=True, slots=True)
class Linked:
    """Models with their references resolved, in build order (those on a cycle left out)."""

    models: Mapping[Address, Model]
    order: tuple[Address, ...]
    diagnostics: tuple[Diagnostic, ...]


def link(models: Mapping[Address, Model], addresses: Iterable[Address]) -> Linked:
    """Resolve every reference of every model.

    Args:
        models: by address.
        addresses: all that may be referred to, models included.
    """
    known = {fold(str(address)): address for address in addresses}
    found: list[Diagnostic] = []
    linked: dict[Address, Model] = {}
    for address, model in models.items():
        references, problems = _references(model, known)
        linked[address] = replace(model, references=references)
        found += problems
    order, cycles = _order(linked)
    return Linked(linked, order, (*found, *cycles))


def _references(model: Model, known: Mapping[str, Address]) -> tuple[tuple[Reference, ...], list[Diagnostic]]:
    references: list[Reference] = []
    found: list[Diagnostic] = []
    for relation in model.parsed.relations:
        address = known.get(fold(".".join(relation.parts[1:]))) if relation.is_address else None
        if address is not None:
            references.append(Reference(address, relation.name_span))
        elif relation.kind != "function" or fold(relation.parts[-1]) not in _MADE_BY_QUERY:
            found.append(_unknown(model.file, relation, known))
    return tuple(references), found


def _unknown(file: str, relation: Relation, known: Mapping[str, Address]) -> Diagnostic:
    name = ".".join(relation.parts)
    location = Location(file, relation.name_span)
    if relation.kind == "function":
        suggestion = "declare a source with `files:`, and read it as smelt.<address>"
        return report(unknown_reference.CODE, location, name=name, suggestion=suggestion)
    wanted = ".".join(relation.parts[1:]) if relation.is_address else name
    close = nearest(wanted, [str(address) for address in known.values()])
    suggestion = did_you_mean(f"smelt.{wanted}", [known[fold(text)].sql for text in close])
    if not suggestion:
        suggestion = "declare a source, and read it as smelt.<address>"
    fixes = []
    if len(close) == 1:
        edit = Edit(relation.name_span, _written(known[fold(close[0])]))
        fixes.append(Fix(f"Read smelt.{close[0]}", relation.is_address, (FileEdit(file, edit),)))
    return report(unknown_reference.CODE, location, name=name, suggestion=suggestion, fixes=fixes)


def _written(address: Address) -> str:
    return ".".join(part if part.isidentifier() else quote(part) for part in ("smelt", *address.segments))


def _order(models: Mapping[Address, Model]) -> tuple[tuple[Address, ...], list[Diagnostic]]:
    """Build order, and one finding for each cycle; models on a cycle are taken out until none is left."""
    graph = {a: sorted({r.address for r in m.references if r.address in models}) for a, m in sorted(models.items())}
    found: list[Diagnostic] = []
    while True:
        try:
            order = tuple(graphlib.TopologicalSorter(graph).static_order())
        except graphlib.CycleError as error:
            cycle: Sequence[Address] = error.args[1]
            path = list(reversed(cycle))
            lowest = min(range(len(path) - 1), key=lambda index: path[index])
            ring = [*path[lowest:-1], *path[:lowest], path[lowest]]
            found.append(_cycle(models, ring))
            for address in set(cycle):
                del graph[address]
            graph = {a: [r for r in reads if r in graph] for a, reads in graph.items()}
            continue
        return order, found


def _cycle(models: Mapping[Address, Model], ring: list[Address]) -> Diagnostic:
    def place(reader: Address, read: Address) -> Location:
        model = models[reader]
        return Location(model.file, next(r.span for r in model.references if r.address == read))

    pairs = list(pairwise(ring))
    related = [Related(place(a, b), f"{a} reads {b}") for a, b in pairs[1:]]
    path = " → ".join(str(address) for address in ring)
    return report(circular_reference.CODE, place(*pairs[0]), path=path, related=related)
