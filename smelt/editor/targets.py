"""What a word can mean: a relation of the project, a column of one, or something that one query makes for itself."""

from dataclasses import dataclass
from enum import StrEnum

from smelt.project.model import Address
from smelt.text.identifiers import fold
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class RelationTarget:
    """A model, source or seed."""

    address: Address


@dataclass(frozen=True, slots=True)
class ColumnTarget:
    """A column of a model, source or seed; ``name`` is folded."""

    address: Address
    name: str

    @classmethod
    def of(cls, address: Address, name: str) -> "ColumnTarget":
        """The column that DuckDB would find under ``name``."""
        return cls(address, fold(name))


@dataclass(frozen=True, slots=True)
class LocalTarget:
    """An alias, a common table expression or a column of one, defined at ``span`` of a file."""

    file: str
    span: Span


Target = RelationTarget | ColumnTarget | LocalTarget


class Role(StrEnum):
    """What an occurrence does."""

    DEFINES = "defines"
    READS = "reads"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place that means a target.

    Attributes:
        address: whether ``smelt.`` and a whole address stand there, not only a name.
        shows: whether the name, written once, is read and is the output's name too: ``SELECT tier``.
        yaml: whether it stands in YAML, and is written as that needs it.
        embedded: whether it stands in SQL that is a value of YAML: an ``expression:``.
    """

    file: str
    span: Span
    target: Target
    role: Role
    address: bool = False
    shows: bool = False
    yaml: bool = False
    embedded: bool = False
