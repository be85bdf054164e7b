"""What stands unwritten beside a query's output columns: their types, and which of them a later fold patches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile

from smelt.analysis.binding import BoundColumn
from smelt.editor.index import Index
from smelt.editor.scope import Scope
from smelt.editor.snapshot import Snapshot
from smelt.grains.succession.shape import OutputColumn
from smelt.sql.outline import Item
from smelt.text.identifiers import fold
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Hint:
    """A few words shown behind ``offset``, and what they mean."""

    offset: int
    text: str
    meaning: str


def hints(snapshot: Snapshot, file: str, span: Span) -> tuple[Hint, ...]:
    """The hints in a part of a model's file; none where the types are not known."""
    index = Index.of(snapshot)
    analysis = snapshot.model(file)
    if index is None or analysis is None or analysis.model.text != index.text(file):
        return ()
    items = Scope.of(index, file).items
    columns = analysis.columns or ()
    by_name: dict[str, BoundColumn] = {}
    for one in columns:
        by_name.setdefault(fold(one.name), one)
    fixed = sum(1 for _ in takewhile(lambda item: not item.star, items))
    patched = {output.name: output for output in analysis.shape.outputs} if analysis.shape is not None else {}
    found: list[Hint] = []
    for number, item in enumerate(items):
        if item.star or not span.contains(item.span.end):
            continue
        column = _output(item, columns[number] if number < min(fixed, len(columns)) else None, by_name)
        name = column.name if column is not None else item.name.text if item.name is not None else None
        if column is not None:
            found.append(Hint(item.span.end, f": {column.type}", f"the type of the output column {column.name}"))
        found += _patches(item, patched.get(name) if name is not None else None)
    return tuple(found)


def _output(item: Item, by_place: BoundColumn | None, by_name: Mapping[str, BoundColumn]) -> BoundColumn | None:
    """An item's column: that of its name, else the one DuckDB named, by place where no star stands before."""
    if item.name is not None:
        return by_name.get(fold(item.name.text))
    return by_name.get(fold(by_place.name)) if by_place is not None else None


def _patches(item: Item, output: OutputColumn | None) -> Iterator[Hint]:
    if output is not None and output.lead:
        yield Hint(item.span.end, "← LEAD patch", "A later event of the same key patches it: it reads the next clock.")
    if output is not None and output.lag:
        yield Hint(
            item.span.end, "← LAG patch", "An earlier event of the same key patches it: it reads the previous clock."
        )
