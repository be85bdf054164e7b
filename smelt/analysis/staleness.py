"""Which models' findings may be those of an earlier state: who waits for its turn, and whoever reads one that does."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from smelt.project.model import Address

Reads = Mapping[Address, tuple[Address, ...]]
"""What each model reads at first hand."""


def stale_above(wanted: Iterable[Address], reads: Reads, due: Set[Address]) -> frozenset[Address]:
    """Of these models and all that they read, at any distance, those that are due or read one that is.

    What else is due costs nothing.
    """
    readers = dict[Address, list[Address]]()
    waiting = dict.fromkeys(wanted)
    above = set[Address]()
    while waiting:
        address, _ = waiting.popitem()
        above.add(address)
        for one in reads.get(address, ()):
            readers.setdefault(one, []).append(address)
            if one not in above:
                waiting[one] = None
    reached = above & due
    spreading = list(reached)
    while spreading:
        for one in readers.get(spreading.pop(), ()):
            if one not in reached:
                reached.add(one)
                spreading.append(one)
    return frozenset(reached)


@dataclass(frozen=True, slots=True, eq=False)
class Pending(Set[str]):
    """The files of all stale models, as a set; which ones they are is found when it is asked.

    Attributes:
        models: every model's file.
        reads: what the models read.
        due: the models that wait for their turn.
    """

    models: Mapping[str, Address]
    reads: Reads
    due: Set[Address]

    def __contains__(self, file: object) -> bool:
        address = self.models.get(file) if isinstance(file, str) else None
        return address is not None and bool(stale_above((address,), self.reads, self.due))

    def __iter__(self) -> Iterator[str]:
        stale = stale_above(self.models.values(), self.reads, self.due) if self.due else frozenset()
        return (file for file, address in self.models.items() if address in stale)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return bool(self.due)
