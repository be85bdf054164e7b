"""The project's state and database, held by a command that writes without a run."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from smelt.cli.opening import Opened, usable
from smelt.cli.running import known_faults
from smelt.project.model import Target
from smelt.run.opening import open_when_free
from smelt.state.clock import Clock, SystemClock
from smelt.state.files import Files
from smelt.state.store import locked

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Held:
    """The lock is held. One ``--lock-timeout`` counts for the lock and the database together.

    Attributes:
        files: the documents of the target.
        clock: tells how long was waited.
        deadline: when waiting ends, in its monotonic seconds.
    """

    files: Files
    clock: Clock
    deadline: float

    def when_free(self, open_database: Callable[[], T]) -> T:
        """Open the database as soon as no other process holds it.

        Raises:
            WarehouseError: it does not open, or not in time.
        """
        return open_when_free(open_database, self.clock, self.deadline)


@contextmanager
def holding(opened: Opened, target: Target, command: str, lock_timeout: float) -> Iterator[Held]:
    """Hold the project's lock for a command.

    Args:
        opened: the project.
        target: what the command writes to.
        command: as the lock file tells other processes, such as ``smelt clean``.
        lock_timeout: seconds to wait; 0 fails at once.

    Raises:
        Stop: the state is locked or unusable, or what the body does with state or warehouse fails.
    """
    config, clock = usable(opened), SystemClock()
    deadline = clock.monotonic() + lock_timeout
    with (
        known_faults(opened),
        locked(
            opened.root,
            target.name,
            config.state_mode,
            command,
            clock,
            lock_timeout,
            default_target=config.default_target,
        ) as files,
    ):
        yield Held(files, clock, deadline)
