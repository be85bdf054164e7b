"""The picture of what one new event does to a history: which rows it patches, and which it leaves alone.

Only what the classifier proved is drawn. One key's events stand along the clock; the new one comes between two.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from smelt.editor.snapshot import Snapshot
from smelt.explain.model import ledger_name
from smelt.grains.succession.shape import SuccessionShape

Role = Literal["predecessor", "event", "successor", "tombstone"]
Change = Literal["patched", "inserted", "kept", "stored"]


@dataclass(frozen=True, slots=True)
class TimelineNode:
    """A row of the history, or the tombstone that a delete leaves in its place.

    Attributes:
        slot: where it stands along the clock, from 0; the tombstone shares the new event's.
        change: what the new event does to it. ``stored`` is in the ledger and no row of the table.
        columns: the output columns that are written.
        label: its name in the picture.
        note: what is done to it, in a few words.
    """

    role: Role
    slot: int
    change: Change
    columns: tuple[str, ...]
    label: str
    note: str


@dataclass(frozen=True, slots=True)
class TimelineEdge:
    """The new event changes something: by which window function, and which columns."""

    source: Role
    to: Role
    label: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The picture.

    Attributes:
        model: the model's address.
        key: names of the key, as the table has them: all that is drawn is of one key.
        clock: what the axis is.
        text: the whole picture in words.
        nodes: empty if the model has no such picture; then ``text`` says why.
    """

    model: str
    key: tuple[str, ...]
    clock: str
    text: str
    nodes: tuple[TimelineNode, ...] = ()
    edges: tuple[TimelineEdge, ...] = ()


def timeline(snapshot: Snapshot, file: str) -> Timeline | None:
    """The picture of the model in a file; None if it holds none."""
    found = snapshot.model(file)
    if found is None:
        return None
    name = str(found.model.address)
    if found.shape is None:
        return Timeline(name, (), "", _WITHOUT[found.kind].format(name=name))
    shape, ledger = found.shape, ledger_name(found)
    return Timeline(
        name,
        shape.key_outputs,
        shape.clock_output,
        " ".join(_words(name, shape, ledger)),
        tuple(_nodes(shape, ledger)),
        tuple(_edges(shape)),
    )


_WITHOUT = {
    "refused": "{name} is refused: nothing is folded until its findings are mended.",
    "view": "{name} is a view: it stores no rows that an event could patch.",
    "table": "{name} is a table that each run rebuilds: no row is patched.",
}


def _nodes(shape: SuccessionShape, ledger: str) -> Iterator[TimelineNode]:
    yield _neighbour("predecessor", 0, shape.lead_columns)
    yield TimelineNode("event", 1, "inserted", (), "new event", "inserted as a row")
    yield _neighbour("successor", 2, shape.lag_columns)
    if shape.flag is not None:
        yield TimelineNode("tombstone", 1, "stored", (), "tombstone, no row", f"in {ledger}")


def _neighbour(role: Role, slot: int, columns: tuple[str, ...]) -> TimelineNode:
    if columns:
        return TimelineNode(role, slot, "patched", columns, role, f"patched: {', '.join(columns)}")
    return TimelineNode(role, slot, "kept", (), role, "not touched")


def _edges(shape: SuccessionShape) -> Iterator[TimelineEdge]:
    if shape.reads_lead:
        yield TimelineEdge("event", "predecessor", "LEAD", shape.lead_columns)
    if shape.reads_lag:
        yield TimelineEdge("event", "successor", "LAG", shape.lag_columns)
    if shape.flag is not None:
        yield TimelineEdge("event", "tombstone", f"if {shape.flag}", ())


def _words(name: str, shape: SuccessionShape, ledger: str) -> Iterator[str]:
    yield f"A new event of {name} is inserted as one row of its {', '.join(shape.key_outputs)}."
    yield _said("predecessor", shape.lead_columns)
    yield _said("successor", shape.lag_columns)
    yield "No other row is written."
    if shape.flag is not None:
        yield f"If {shape.flag} is true, it becomes a tombstone in {ledger} instead of a row, and patches the same."


def _said(neighbour: str, columns: tuple[str, ...]) -> str:
    return f"Its {neighbour} is patched in {', '.join(columns)}." if columns else f"Its {neighbour} is not touched."
