"""The run axis cut into granules: one partition of a source each. Times are naive UTC.

The calendar has the years 1 to 9999. Its end, midnight after its last day, is no instant that Python has: as the end of
a range ``datetime.max`` stands for it, and :func:`bound` writes it out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from smelt.project.model import Granularity
from smelt.text.intervals import Interval, merge

_MONTHS = {Granularity.MONTH: 1, Granularity.QUARTER: 3, Granularity.YEAR: 12}
_WIDTHS = {
    Granularity.HOUR: timedelta(hours=1),
    Granularity.DAY: timedelta(days=1),
    Granularity.WEEK: timedelta(weeks=1),
}


@dataclass(frozen=True, slots=True)
class Grid:
    """How an axis is cut."""

    granularity: Granularity
    week_start: Literal["monday", "sunday"] = "monday"

    def truncate(self, at: datetime) -> datetime:
        """The start of the granule that holds ``at``: what ``date_trunc`` gives in SQL."""
        months = _MONTHS.get(self.granularity)
        if months is not None:
            return _month((at.year * 12 + at.month - 1) // months * months)
        midnight = datetime(at.year, at.month, at.day)
        if self.granularity is Granularity.HOUR:
            return midnight + timedelta(hours=at.hour)
        if self.granularity is Granularity.DAY:
            return midnight
        since = timedelta(days=self._week_day(midnight))
        return midnight - since if midnight - datetime.min >= since else datetime.min

    def granule(self, at: datetime) -> Interval:
        """The granule that holds ``at``. The first and the last one of the calendar may be shorter than others."""
        start = self.truncate(at)
        months = _MONTHS.get(self.granularity)
        if months is not None:
            return Interval(start, _month(start.year * 12 + start.month - 1 + months))
        width = _WIDTHS[self.granularity]
        if self.granularity is Granularity.WEEK:
            width -= timedelta(days=self._week_day(start))
        return Interval(start, datetime.max if start > datetime.max - width else start + width)

    def next(self, start: datetime) -> datetime:
        """The end of the granule that begins at ``start``: most often the start of the next one."""
        width = _WIDTHS.get(self.granularity)
        if width is None or start.year in (1, 9999):  # the calendar's first and last granules may be shorter
            return self.granule(start).end
        return start + width

    def granules(self, window: Interval) -> Iterator[Interval]:
        """The granules that ``window`` overlaps, in order."""
        at = window.start
        while at < window.end:
            granule = self.granule(at)
            yield granule
            at = granule.end

    def nearest(self, bound: datetime) -> tuple[datetime, datetime] | None:
        """The two granule bounds around ``bound``; None if it is one itself."""
        granule = self.granule(bound)
        return None if bound in (granule.start, granule.end) else (granule.start, granule.end)

    def chunks(self, partitions: Iterable[datetime], size: int | None) -> tuple[tuple[Interval, ...], ...]:
        """Granules to fold, grouped for one transaction each, as merged ranges in order.

        Args:
            partitions: starts of granules.
            size: granules in one group; None puts all in one.
        """
        starts = sorted(set(partitions))
        step = len(starts) if size is None else size
        groups = (starts[at : at + step] for at in range(0, len(starts), max(step, 1)))
        return tuple(merge(self.granule(start) for start in group) for group in groups)

    def _week_day(self, at: datetime) -> int:
        """Days since the week's first."""
        return at.weekday() if self.week_start == "monday" else (at.weekday() + 1) % 7


def bound(at: datetime) -> str:
    """A bound of a range as SQL reads a timestamp, the end of the calendar too."""
    return "10000-01-01 00:00:00" if at == datetime.max else at.isoformat(sep=" ")


def hull(intervals: Iterable[Interval]) -> Interval | None:
    """The smallest range that holds all of them; None if there are none."""
    found = tuple(intervals)
    if not found:
        return None
    return Interval(min(one.start for one in found), max(one.end for one in found))


def _month(count: int) -> datetime:
    year, month = divmod(count, 12)
    return datetime(year, month + 1, 1) if year < 10000 else datetime.max
