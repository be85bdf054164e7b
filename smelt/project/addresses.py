"""From paths to addresses: which files are models, sources and seeds, and what a reference to each is called."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Address
from smelt.text.identifiers import fold

EntityKind = Literal["model", "source", "seed"]
_KINDS: Mapping[str, EntityKind] = {"sql": "model", "yml": "source", "yaml": "source", "csv": "seed"}


@dataclass(frozen=True, slots=True)
class Entity:
    """A file that has an address. A seed's sidecar is part of its seed: ``sidecar`` is its path, ``file`` the CSV's."""

    address: Address
    file: str
    kind: EntityKind
    sidecar: str | None = None

    @property
    def declaration(self) -> str | None:
        """The YAML file that declares a source's facts; None if there is none."""
        return self.file if self.kind == "source" else self.sidecar


def address_of(path: str, prefixes: Iterable[str]) -> Address | None:
    """The address of a file, or None if it lies under no prefix or is of no kind that has one.

    Args:
        path: relative to the root, with ``/``.
        prefixes: the project's ``paths:``; of several that fit, the longest counts.
    """
    stem, _, extension = path.rpartition(".")
    if extension.lower() not in _KINDS or path == PROJECT_FILE:
        return None
    for prefix in sorted(prefixes, key=len, reverse=True):
        inside = stem if prefix == "" else stem.removeprefix(f"{prefix}/")
        if prefix == "" or inside != stem:
            return Address(tuple(inside.replace("/", ".").split(".")))
    return None


def entities_of(paths: Iterable[str], prefixes: Iterable[str]) -> tuple[Entity, ...]:
    """What the files are, in order of their paths."""
    prefixes = tuple(prefixes)
    addressed = [(path, address) for path in sorted(paths) if (address := address_of(path, prefixes)) is not None]
    seeds = {path.rpartition(".")[0] for path, _ in addressed if _kind(path) == "seed"}
    sidecars: dict[str, str] = {}
    for path, _ in addressed:
        if _kind(path) == "source" and path.rpartition(".")[0] in seeds:
            sidecars.setdefault(path.rpartition(".")[0], path)
    taken = set(sidecars.values())
    return tuple(
        Entity(address, path, _kind(path), sidecars.get(path.rpartition(".")[0]) if _kind(path) == "seed" else None)
        for path, address in addressed
        if path not in taken
    )


def _kind(path: str) -> EntityKind:
    return _KINDS[path.rpartition(".")[2].lower()]


@dataclass(frozen=True, slots=True)
class AddressBook:
    """All addresses of a project, found as DuckDB finds names: ASCII case does not count."""

    by_name: Mapping[str, Address]

    @classmethod
    def of(cls, addresses: Iterable[Address]) -> "AddressBook":
        """The book of these addresses; of two that fold alike the first counts."""
        book: dict[str, Address] = {}
        for address in addresses:
            book.setdefault(fold(str(address)), address)
        return cls(book)

    def find(self, written: str) -> Address | None:
        """What a name means, with or without ``smelt.`` in front."""
        name = fold(written)
        return self.by_name.get(name) or self.by_name.get(name.removeprefix("smelt."))

    def names(self) -> tuple[str, ...]:
        """The printed names."""
        return tuple(str(address) for address in self.by_name.values())
