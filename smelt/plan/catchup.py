"""What a run without a window has to fold: the source's partitions against those folded before."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from smelt.plan.windows import Grid

Counts = Mapping[datetime, int]
"""Raw rows by the start of their partition."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """A folded partition that has fewer rows than when it was folded; ``now`` is 0 if it is gone."""

    partition: datetime
    before: int
    now: int


@dataclass(frozen=True, slots=True)
class CatchUp:
    """``new`` were never folded, ``risen`` have more rows than when they were; both in order."""

    new: tuple[datetime, ...]
    risen: tuple[datetime, ...]

    @property
    def fold(self) -> tuple[datetime, ...]:
        """The partitions to fold, in order."""
        return tuple(sorted((*self.new, *self.risen)))


def catch_up(counted: Counts, folded: Counts, since: datetime | None = None) -> CatchUp:
    """What to fold of the partitions that the source has now.

    Args:
        counted: raw rows of every partition of the source.
        folded: raw rows of each partition when it was last folded.
        since: partitions never folded that start before are left alone.
    """
    new = (at for at in counted if at not in folded and (since is None or at >= since))
    risen = (at for at, rows in counted.items() if rows > folded.get(at, rows))
    return CatchUp(tuple(sorted(new)), tuple(sorted(risen)))


def fallen(counted: Counts, folded: Counts, expired_before: datetime | None = None) -> tuple[Fallen, ...]:
    """The folded partitions that break the promise to be append-only, in order.

    Args:
        counted: raw rows of the partitions looked at; one that is missing has none.
        folded: raw rows when last folded, of the partitions looked at.
        expired_before: partitions that end by then may be gone as a whole.
    """
    return tuple(
        Fallen(at, before, counted.get(at, 0))
        for at, before in sorted(folded.items())
        if counted.get(at, 0) < before
        and not (at not in counted and expired_before is not None and at < expired_before)
    )


def expired_before(now: datetime, retention: timedelta | None, grid: Grid) -> datetime | None:
    """Partitions that start before this instant are wholly older than ``retention``; None if nothing expires."""
    if retention is None or retention > now - datetime.min:
        return None
    return grid.truncate(now - retention)
