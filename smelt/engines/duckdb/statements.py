"""SQL texts as a step renders to: what is run, and what ``explain --sql`` prints."""

from collections.abc import Iterable
from dataclasses import dataclass

from smelt.text.identifiers import quote


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement with a fixed text; ``$start`` and ``$end`` in it are the window's bounds.

    Attributes:
        label: what it does, in a few words.
        guard: when it runs, if it does not always.
    """

    label: str
    sql: str
    guard: str = ""

    @property
    def bounded(self) -> bool:
        """Whether it takes the window's bounds."""
        return "$start" in self.sql


def columns(names: Iterable[str], table: str = "") -> str:
    """Quoted names, maybe each of one table, as a list."""
    prefix = f"{table}." if table else ""
    return ", ".join(prefix + quote(name) for name in names)


def qualified(schema: str, relation: str) -> str:
    """A relation of a schema."""
    return f"{quote(schema)}.{quote(relation)}"


def same(names: Iterable[str], left: str, right: str) -> str:
    """A condition that columns of two tables are equal; none of them may be NULL."""
    return " AND ".join(f"{left}.{quote(name)} = {right}.{quote(name)}" for name in names)


def select_list(items: Iterable[str]) -> str:
    """Items of a select list, one a line."""
    return ",\n       ".join(items)
