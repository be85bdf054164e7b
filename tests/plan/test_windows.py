"""The run axis cut into granules."""

from datetime import datetime, timedelta

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smelt.plan.catchup import expired_before
from smelt.plan.windows import Grid, bound, hull
from smelt.project.model import Granularity
from smelt.text.intervals import Interval

LAST = datetime.max - timedelta(microseconds=1)
INSTANTS = st.one_of(
    st.datetimes(datetime.min, LAST),
    st.datetimes(datetime.min, datetime(1, 1, 10)),
    st.datetimes(datetime(9999, 12, 20), LAST),
)
GRIDS = st.builds(Grid, st.sampled_from(list(Granularity)), st.sampled_from(["monday", "sunday"]))


@given(GRIDS, INSTANTS)
def test_a_granule_holds_its_instant_and_is_cut_by_its_neighbours(grid: Grid, at: datetime) -> None:
    granule = grid.granule(at)
    assert granule.start <= at < granule.end
    assert grid.truncate(granule.start) == granule.start
    assert grid.truncate(granule.end - timedelta(microseconds=1)) == granule.start
    assert grid.nearest(granule.start) is None
    if at != granule.start:
        assert grid.nearest(at) == (granule.start, granule.end)


@settings(max_examples=40, deadline=None)
@given(GRIDS, st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)))
def test_truncation_is_date_trunc(grid: Grid, at: datetime) -> None:
    shift = "1 DAY" if grid.granularity is Granularity.WEEK and grid.week_start == "sunday" else "0 DAY"
    sql = f"SELECT date_trunc('{grid.granularity}', $at::TIMESTAMP + INTERVAL {shift}) - INTERVAL {shift}"
    assert duckdb.execute(sql, {"at": at}).fetchall() == [(grid.truncate(at),)]


@given(GRIDS)
def test_the_calendar_ends_with_its_last_granule(grid: Grid) -> None:
    last = grid.granule(LAST)
    assert last.end == datetime.max
    assert grid.nearest(last.end) is None
    assert bound(last.end) == "10000-01-01 00:00:00"
    assert list(grid.granules(Interval(last.start, datetime.max))) == [last]
    assert grid.chunks([last.start], 1) == ((last,),)


def test_nothing_expires_before_the_calendar() -> None:
    grid = Grid(Granularity.DAY)
    assert expired_before(datetime(2025, 1, 2, 3), timedelta(days=1), grid) == datetime(2025, 1, 1)
    assert expired_before(datetime(2025, 1, 2), timedelta(days=365 * 999_999), grid) is None


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (None, [[(1, 3), (5, 6)]]),
        (1, [[(1, 2)], [(2, 3)], [(5, 6)]]),
        (2, [[(1, 3)], [(5, 6)]]),
        (9, [[(1, 3), (5, 6)]]),
    ],
)
def test_chunks_count_granules_and_merge_those_that_touch(
    size: int | None, expected: list[list[tuple[int, int]]]
) -> None:
    days = [datetime(2025, 1, at) for at in (5, 1, 2, 2)]
    chunks = Grid(Granularity.DAY).chunks(days, size)
    assert [[(one.start.day, one.end.day) for one in chunk] for chunk in chunks] == expected


def test_no_partitions_make_no_chunks() -> None:
    assert Grid(Granularity.DAY).chunks((), None) == ()
    assert hull(()) is None


def test_granules_of_a_window_cover_it_in_order() -> None:
    grid = Grid(Granularity.MONTH)
    found = list(grid.granules(Interval(datetime(2024, 11, 3), datetime(2025, 2, 1))))
    assert [one.start.month for one in found] == [11, 12, 1]
