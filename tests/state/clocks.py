"""A clock that moves only when told."""

from collections.abc import Callable
from datetime import UTC, datetime


class FakeClock:
    def __init__(self) -> None:
        self.wall = datetime(2025, 3, 1, 12, 1, 3, tzinfo=UTC)
        self.seconds = 1000.0
        self.slept: list[float] = []
        self.while_asleep: Callable[[], None] = lambda: None

    def now(self) -> datetime:
        return self.wall

    def monotonic(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds
        self.while_asleep()
