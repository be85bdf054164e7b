"""Trying again what failed for a reason that may pass."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from smelt.engines.model import Built, Failure, WarehouseError
from smelt.run.model import Retry
from smelt.state.clock import Clock

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_NAP_SECONDS = 0.1
"""A pause is slept in pieces of this length, so that a run that is stopped does not wait for its end."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tried(Generic[T]):
    """How a step ended after all.

    Attributes:
        value: what it gave; None if it failed.
        failure: why it failed the last time; None if it did not.
        retries: how often it was tried again.
        committed: what stays in the database of attempts that failed, in order.
    """

    value: T | None
    failure: Failure | None
    retries: int = 0
    committed: tuple[Built, ...] = ()


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a step is tried again. Safe for threads.

    Attributes:
        is_stopped: whether the run is over, and nothing is to be tried again.
        tell: is told of each retry before its pause.
    """

    retries: int
    clock: Clock
    is_stopped: Callable[[], bool]
    tell: Callable[[Retry], None]

    def tried(self, name: str, attempt: Callable[[], T]) -> Tried[T]:
        """Do a step; after a transient failure again, each time after a pause twice as long."""
        committed: list[Built] = []
        number = 0
        while True:
            try:
                return Tried(attempt(), None, number, tuple(committed))
            except WarehouseError as error:
                failure = error.failure
                if error.committed is not None:
                    committed.append(error.committed)
            if not failure.transient or number >= self.retries or self.is_stopped():
                return Tried(None, failure, number, tuple(committed))
            pause = min(_FIRST_PAUSE * 2**number, _LONGEST_PAUSE)
            number += 1
            self.tell(Retry(name, failure, number, self.retries, pause))
            self._rest(pause)

    def _rest(self, seconds: float) -> None:
        end = self.clock.monotonic() + seconds
        while (left := end - self.clock.monotonic()) > 0 and not self.is_stopped():
            self.clock.sleep(min(_NAP_SECONDS, left))
