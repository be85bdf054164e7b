from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from smelt.plan.landed import SINGLE_PARTITIONS, landed
from smelt.plan.windows import Grid
from smelt.project.model import Granularity
from smelt.text.intervals import merge

grids = st.builds(Grid, st.sampled_from(list(Granularity)), st.sampled_from(("monday", "sunday")))
moments = st.lists(st.datetimes() | st.datetimes(datetime(2025, 1, 1), datetime(2025, 1, 20)), max_size=40)


@given(grids, moments)
def test_ranges_hold_the_same_partitions_and_rows(grid: Grid, found: list[datetime]) -> None:
    counts = {grid.truncate(at): number for number, at in enumerate(found)}
    ranges = list(landed(counts, grid))
    assert merge(one for one, _ in ranges) == merge(grid.granule(at) for at in counts)
    assert sum(rows for _, rows in ranges) == sum(counts.values())
    assert [one for one, _ in ranges] == sorted(one for one, _ in ranges)
    newest = sorted(counts)[-SINGLE_PARTITIONS:]
    assert [one for one in ranges if one[0].start in newest] == [(grid.granule(at), counts[at]) for at in newest]
    older = [one for one, _ in ranges if one.start not in newest]
    assert list(merge(older)) == older


@given(grids, st.datetimes())
def test_the_next_granule_begins_where_this_one_ends(grid: Grid, at: datetime) -> None:
    start = grid.truncate(at)
    assert grid.next(start) == grid.granule(at).end


def test_many_days_are_few_ranges() -> None:
    counts = {datetime(1990, 1, 1) + timedelta(days=number): 1 for number in range(10_000)}
    ranges = list(landed(counts, Grid(Granularity.DAY)))
    assert [rows for _, rows in ranges] == [10_000 - SINGLE_PARTITIONS, *[1] * SINGLE_PARTITIONS]
