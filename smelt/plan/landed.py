"""The partitions of a source that were counted, as few ranges as tell what is of interest."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from smelt.plan.windows import Grid
from smelt.text.intervals import Interval

SINGLE_PARTITIONS = 7
"""So many of a source's newest partitions are told one by one."""


def landed(counts: Mapping[datetime, int], grid: Grid) -> Iterator[tuple[Interval, int]]:
    """Ranges of the run axis with their rows, in order.

    The newest partitions come one by one; of the older ones those that touch are one range. There may be a partition
    for every run there ever was, so this looks at each only once.

    Args:
        counts: rows by the start of a granule.
        grid: how the axis is cut.
    """
    starts = sorted(counts)
    begin = end = None
    rows = 0
    for at in starts[:-SINGLE_PARTITIONS]:
        if at != end:
            if begin is not None and end is not None:
                yield Interval(begin, end), rows
            begin, rows = at, 0
        end = grid.next(at)
        rows += counts[at]
    if begin is not None and end is not None:
        yield Interval(begin, end), rows
    for at in starts[-SINGLE_PARTITIONS:]:
        yield grid.granule(at), counts[at]
