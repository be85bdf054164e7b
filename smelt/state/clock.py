"""The clock a run is given: one value that tests replace."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Wall time for what people read, monotonic time for durations, and waiting."""

    def now(self) -> datetime:
        """The wall time, aware, in UTC. It may jump; nothing is ordered by it."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never goes back."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The wall time in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """The monotonic time in seconds."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
