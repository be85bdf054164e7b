"""Which step of a phase may begin next. Pure."""

from collections.abc import Callable, Collection, Sequence
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

T = TypeVar("T")


class Readiness(Generic[T]):
    """Steps in an order in which each comes after those it waits for; always the first that may begin is taken."""

    def __init__(self, order: Sequence[T], waits_for: Callable[[T], Collection[T]]) -> None:
        self._order = order
        places = {one: at for at, one in enumerate(order)}
        self._missing: list[int] = []
        self._followers: list[list[int]] = [[] for _ in order]
        self._places = places
        for at, one in enumerate(order):
            before = {places[other] for other in waits_for(one) if other in places}
            self._missing.append(len(before))
            for other in before:
                self._followers[other].append(at)
        self._ready = [at for at, count in enumerate(self._missing) if not count]
        heapify(self._ready)

    def take(self) -> T | None:
        """The first step whose predecessors have all ended; None if none may begin now."""
        return self._order[heappop(self._ready)] if self._ready else None

    def ended(self, one: T) -> None:
        """A step that was taken has ended, in whatever way."""
        for follower in self._followers[self._places[one]]:
            self._missing[follower] -= 1
            if not self._missing[follower]:
                heappush(self._ready, follower)
