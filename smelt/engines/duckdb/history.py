"""What a rebuild would lose: rows that were folded, and that the source no longer has."""

import json
from collections.abc import Mapping
from datetime import datetime

from smelt.engines.duckdb.checks import instant
from smelt.engines.duckdb.record import BuiltRecord
from smelt.plan.catchup import Fallen, fallen
from smelt.plan.windows import Grid
from smelt.project.model import Granularity
from smelt.text.counts import counted


def lost(known: BuiltRecord, grid: Grid, counts: Mapping[datetime, int], folded: Mapping[datetime, int]) -> str:
    """What the source no longer has of what was folded, in words; empty if nothing.

    A partition that is there with fewer rows was corrected at its origin, and a rebuild is how that is taken over.

    Args:
        known: what is recorded of the model.
        grid: how its run axis is cut now.
        counts: raw rows of every partition that the source has now.
        folded: raw rows of each partition when it was last folded, as the axis was cut then.
    """
    before = _grid_of(known)
    if before is not None and before != _plain(grid):
        # Partitions of another size cannot be set against each other, the sum of all can.
        total = Fallen(min(folded), sum(folded.values()), sum(counts.values())) if folded else None
        if total is None or total.now >= total.before:
            return ""
        return (
            f"all that the table holds: it had {counted(total.before, 'row')} when they were folded, now {total.now:,}"
        )
    gaps = [one for one in fallen(counts, folded) if not one.now]
    if not gaps:
        return ""
    first = gaps[0]
    more = f", and so on for {len(gaps) - 1:,} more" if len(gaps) > 1 else ""
    had = f"{instant(first.partition)} had {counted(first.before, 'row')} when it was folded, now none"
    return f"{counted(len(gaps), 'partition')} that the table holds: {had}{more}"


def corrected(counts: Mapping[datetime, int], folded: Mapping[datetime, int]) -> str:
    """Which partitions of the source are still there with fewer rows, in words; empty if none."""
    smaller = [one for one in fallen(counts, folded) if one.now]
    if not smaller:
        return ""
    first = smaller[0]
    more = f", and {len(smaller) - 1:,} more" if len(smaller) > 1 else ""
    return f"{instant(first.partition)} had {counted(first.before, 'row')} when it was folded, now {first.now:,}{more}"


def _grid_of(known: BuiltRecord) -> Grid | None:
    """How the axis was cut for what is recorded; None if the record does not say."""
    definition = json.loads(known.definition) if known.definition is not None else {}
    granularity = definition.get("granularity")
    return None if granularity is None else Grid(Granularity(granularity), definition.get("week_start") or "monday")


def _plain(grid: Grid) -> Grid:
    """The same cut, without what does not matter for it."""
    return grid if grid.granularity is Granularity.WEEK else Grid(grid.granularity)
