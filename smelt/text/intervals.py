"""Sets of half-open ranges over anything that has an order (dates, timestamps)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """The half-open range ``[start, end)`` of naive UTC time; never empty.

    Calendar dates are midnights: one clock type keeps comparisons total.
    """

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError(f"empty interval {self.start} .. {self.end}")

    def overlaps(self, other: "Interval") -> bool:
        """Whether both hold a common instant."""
        return self.start < other.end and other.start < self.end


def in_words(start: str, end: str) -> str:
    """A half-open range in words that say that its end lies outside; both ends as they are to be read."""
    return f"{start} to before {end}"


def merge(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """The same set as sorted, disjoint ranges; touching ones become one."""
    merged: list[Interval] = []
    for interval in sorted(intervals):
        if merged and interval.start <= merged[-1].end:
            merged[-1] = Interval(merged[-1].start, max(merged[-1].end, interval.end))
        else:
            merged.append(interval)
    return tuple(merged)


def subtract(whole: Interval, covered: Iterable[Interval]) -> tuple[Interval, ...]:
    """The parts of ``whole`` that no range of ``covered`` holds: the gaps."""
    gaps: list[Interval] = []
    at = whole.start
    for interval in merge(covered):
        if interval.start >= whole.end:
            break
        if interval.start > at:
            gaps.append(Interval(at, interval.start))
        at = max(at, interval.end)
    if at < whole.end:
        gaps.append(Interval(at, whole.end))
    return tuple(gaps)
