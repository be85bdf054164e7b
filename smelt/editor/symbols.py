"""What a file and a project hold, by name."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from smelt.diagnostics.model import Location
from smelt.editor.definition import place_of
from smelt.editor.index import Index, is_sql
from smelt.editor.scope import Scope
from smelt.editor.snapshot import Snapshot
from smelt.editor.targets import ColumnTarget, RelationTarget
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Address
from smelt.sql.outline import Item
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_MOST = 200
"""So many symbols of a project answer one search."""
_MOST_COLUMNS = 50
"""Of these so many columns: each takes a look into the file that gives it."""


class SymbolKind(StrEnum):
    """What sort of thing has the name."""

    MODEL = "model"
    SOURCE = "source"
    SEED = "seed"
    COLUMN = "column"
    CTE = "cte"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named part of a file: all of it at ``span``, its name at ``name_span`` in that; ``detail`` may be empty."""

    name: str
    kind: SymbolKind
    span: Span
    name_span: Span
    detail: str = ""
    children: tuple["Symbol", ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectSymbol:
    """A named thing of the project, and the address it belongs to, if it is a column."""

    name: str
    kind: SymbolKind
    location: Location
    container: str = ""


def document_symbols(snapshot: Snapshot, file: str) -> tuple[Symbol, ...]:
    """The parts of a file: a model's common table expressions and columns, a source's columns, the keys of YAML."""
    index = Index.of(snapshot)
    if index is None or file not in snapshot.texts:
        return ()
    address = snapshot.addresses.get(file)
    whole = Span(0, len(snapshot.texts[file]))
    if is_sql(file):
        children = tuple(_of_query(index, file))
        name, kind = (str(address), SymbolKind.MODEL) if address is not None else (file, SymbolKind.KEY)
        return (Symbol(name, kind, whole, Span(0, 0), children=children),)
    if file == PROJECT_FILE or address is None:
        return tuple(_keys(index, file, ()))
    kind = _kind(index, address)
    return (Symbol(str(address), kind, whole, Span(0, 0), children=tuple(_of_source(index, file))),)


def project_symbols(snapshot: Snapshot, query: str) -> tuple[ProjectSymbol, ...]:
    """The addresses, and for a query that is not empty the columns, whose names hold its letters in this order."""
    index = Index.of(snapshot)
    if index is None:
        return ()
    return tuple(islice(_project_symbols(index, fold(query.strip())), _MOST))


def _project_symbols(index: Index, query: str) -> Iterator[ProjectSymbol]:
    for address in index.project.addresses():
        place = place_of(index, RelationTarget(address)) if _holds(fold(str(address)), query) else None
        if place is not None:
            yield ProjectSymbol(str(address), _kind(index, address), place)
    fitting = (
        (address, column.name)
        for address, columns in (index.snapshot.columns.items() if query else ())
        for column in columns
        if query in fold(column.name)
    )
    for address, name in islice(fitting, _MOST_COLUMNS):
        place = place_of(index, ColumnTarget.of(address, name))
        if place is not None:
            yield ProjectSymbol(name, SymbolKind.COLUMN, place, str(address))


def _holds(name: str, letters: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in letters)


def _kind(index: Index, address: Address) -> SymbolKind:
    if address in index.project.models:
        return SymbolKind.MODEL
    return SymbolKind.SEED if address in index.project.seeds else SymbolKind.SOURCE


def _of_query(index: Index, file: str) -> Iterator[Symbol]:
    scope = Scope.of(index, file)
    address = index.snapshot.addresses.get(file)
    types = (
        {fold(one.name): one.type for one in (index.columns(address) or ()) if address is not None} if address else {}
    )
    for cte in scope.queries.ctes:
        inner = scope.queries.inside(cte.body)
        items = tuple(_items(scope.queries.selects[inner].items)) if inner is not None else ()
        yield Symbol(cte.name.text, SymbolKind.CTE, cte.name.span.join(cte.body), cte.name.span, children=items)
    for symbol in _items(scope.items):
        yield replace(symbol, detail=types.get(fold(symbol.name), ""))


def _items(items: tuple[Item, ...]) -> Iterator[Symbol]:
    for item in items:
        for name in item.names:
            yield Symbol(name.text, SymbolKind.COLUMN, item.span, name.span)


def _of_source(index: Index, file: str) -> Iterator[Symbol]:
    values, marks = index.yaml(file).values, index.marks(file)
    listed = values.get("columns")
    for number, column in enumerate(listed if isinstance(listed, list) else ()):
        span = marks.values.get(("columns", number))
        if isinstance(column, dict) and isinstance(column.get("name"), str) and span is not None:
            at = marks.values[("columns", number, "name")]
            detail = column.get("type")
            yield Symbol(str(column["name"]), SymbolKind.COLUMN, span, at, detail if isinstance(detail, str) else "")


def _keys(index: Index, file: str, inside: tuple[str, ...]) -> Iterator[Symbol]:
    marks = index.marks(file)
    for path, span in marks.keys.items():
        if len(path) == len(inside) + 1 and path[:-1] == inside and isinstance(path[-1], str):
            value = marks.values.get(path, span)
            children = tuple(_keys(index, file, (*inside, path[-1]))) if len(inside) < 2 else ()
            yield Symbol(path[-1], SymbolKind.KEY, span.join(value), span, children=children)
