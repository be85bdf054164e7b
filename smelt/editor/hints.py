"""What stands unwritten beside a query's output columns: their types, and which of them a later fold patches."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from smelt.analysis.binding import Columns
from smelt.editor.index import Index
from smelt.editor.scope import Scope
from smelt.editor.snapshot import Snapshot
from smelt.grains.succession.shape import SuccessionShape
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
    found = (
        hint for number, item in enumerate(items) for hint in _of_item(items, number, item, columns, analysis.shape)
    )
    return tuple(hint for hint in found if span.contains(hint.offset))


def _of_item(
    items: tuple[Item, ...], number: int, item: Item, columns: Columns, shape: SuccessionShape | None
) -> Iterator[Hint]:
    if item.star:
        return
    name = _output_name(items, number, item, columns)
    bound = next((one for one in columns if name is not None and fold(one.name) == fold(name)), None)
    if bound is not None:
        yield Hint(item.span.end, f": {bound.type}", f"the type of the output column {bound.name}")
    output = next((one for one in shape.outputs if one.name == name), None) if shape is not None else None
    if output is not None and output.lead:
        yield Hint(item.span.end, "← LEAD patch", "A later event of the same key patches it: it reads the next clock.")
    if output is not None and output.lag:
        yield Hint(
            item.span.end, "← LAG patch", "An earlier event of the same key patches it: it reads the previous clock."
        )


def _output_name(items: tuple[Item, ...], number: int, item: Item, columns: Columns) -> str | None:
    """The name of an item's column: as written, else as DuckDB gave it, by place where no star stands before."""
    if item.name is not None:
        wanted = fold(item.name.text)
        return next((one.name for one in columns if fold(one.name) == wanted), item.name.text)
    fixed = len(list(takewhile(lambda one: not one.star, items)))
    return columns[number].name if number < fixed and number < len(columns) else None
