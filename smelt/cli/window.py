"""The window that a person asks for: two bounds on the run axis, each the edge of a granule. Pure."""

from collections.abc import Iterable
from datetime import UTC, datetime

from smelt.analysis.model import ModelAnalysis
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.plan.windows import Grid
from smelt.text.intervals import Interval


def parse_window(start: str | None, end: str | None) -> Interval | None:
    """The window between two bounds; None if neither is given.

    Raises:
        Stop: only one is given, one is no date or timestamp, or they are not in order.
    """
    if start is None and end is None:
        return None
    if start is None or end is None:
        missing = "--event-time-end" if end is None else "--event-time-start"
        raise Stop(Exit.USAGE, f"{missing} is missing", "a window has both bounds; without a window, give neither")
    first, last = parse_instant("the start of the window", start), parse_instant("the end of the window", end)
    if first >= last:
        raise Stop(
            Exit.USAGE,
            f"the window is empty: {start} does not come before {end}",
            "the start is part of the window, the end is not",
        )
    return Interval(first, last)


def parse_instant(what: str, written: str) -> datetime:
    """An ISO date or timestamp as naive UTC; one without an offset is UTC already.

    Raises:
        Stop: it is neither.
    """
    try:
        instant = datetime.fromisoformat(written.strip())
    except ValueError:
        raise Stop(
            Exit.USAGE,
            f"{what} is no date or timestamp: {written}",
            "write it as 2025-01-31 or 2025-01-31T06:00:00",
        ) from None
    if instant.tzinfo is None:
        return instant
    try:
        return instant.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        raise Stop(Exit.USAGE, f"{what} is outside the calendar in UTC: {written}") from None


def check_bounds(window: Interval, models: Iterable[ModelAnalysis]) -> None:
    """See to it that both bounds are edges of a granule of every model that has a run axis.

    Raises:
        Stop: one lies inside a granule; the two nearest bounds are named. A window is never widened.
    """
    for model in models:
        if model.shape is None:
            continue
        shape = model.shape
        grid = Grid(shape.granularity, shape.week_start)
        for what, bound in (("the start of the window", window.start), ("the end of the window", window.end)):
            around = grid.nearest(bound)
            if around is not None:
                raise Stop(
                    Exit.USAGE,
                    f"{what}, {_iso(bound)}, lies inside a partition of {model.model.address} "
                    f"({shape.run_axis}, by {shape.granularity})",
                    f"the nearest bounds are {_iso(around[0])} and {_iso(around[1])}",
                )


def _iso(at: datetime) -> str:
    return at.date().isoformat() if at == datetime(at.year, at.month, at.day) else at.isoformat()
