"""An expression of a model as text with holes: source columns, and the clocks of a row's neighbours.

The text between the holes is the author's own, so that the engine runs what was written.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from smelt.sql.model import Name
from smelt.sql.scopes import ColumnRef


@dataclass(frozen=True, slots=True)
class Column:
    """A source column, by its declared name."""

    name: str


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The clock of the next (``LEAD``) or previous (``LAG``) event of the same key."""

    side: Literal["LEAD", "LAG"]


Hole = Column | Neighbour


@dataclass(frozen=True, slots=True)
class Formula:
    """Texts and holes in order.

    Attributes:
        bare_column: the source column it is, if it is nothing else; parentheses do not count.
        unknown: references that found no column.
        stray: names of columns that stand where they are not read as columns: what they mean is not known.
    """

    parts: tuple[str | Hole, ...]
    bare_column: str | None = None
    unknown: tuple[ColumnRef, ...] = ()
    stray: tuple[Name, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The source columns it reads, each once, in text order."""
        return tuple(dict.fromkeys(part.name for part in self.parts if isinstance(part, Column)))

    @property
    def is_plain_neighbour(self) -> bool:
        """Whether it is a LEAD or LAG with nothing around it."""
        return len(self.parts) == 1 and isinstance(self.parts[0], Neighbour)

    @property
    def reads_neighbour(self) -> bool:
        """Whether it depends on another event's clock."""
        return any(isinstance(part, Neighbour) for part in self.parts)

    def reads(self, side: Literal["LEAD", "LAG"]) -> bool:
        """Whether it reads the clock of that neighbour."""
        return any(isinstance(part, Neighbour) and part.side == side for part in self.parts)

    def render(self, hole: Callable[[Hole], str]) -> str:
        """The text with each hole filled."""
        if self.bare_column is not None:
            return hole(Column(self.bare_column))
        return "".join(part if isinstance(part, str) else hole(part) for part in self.parts)


def column_formula(name: str) -> Formula:
    """The formula of a source column alone."""
    return Formula((Column(name),), bare_column=name)
