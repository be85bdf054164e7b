from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smelt.project.model import Granularity
from smelt.state.coverage import (
    bounds,
    drift,
    intervals_from_json,
    intervals_to_json,
    landed_from_json,
    landed_to_json,
    merge_landed,
    roll_up,
)
from smelt.state.documents import MalformedDocument
from smelt.state.records import Landed
from smelt.text.intervals import Interval, merge

START = datetime(2025, 1, 1)


def hours(first: int, last: int) -> Interval:
    return Interval(START + timedelta(hours=first), START + timedelta(hours=last))


def days(first: int, last: int) -> Interval:
    return hours(first * 24, last * 24)


ranges = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 5)), max_size=8).map(
    lambda pairs: merge(hours(start, start + length) for start, length in pairs)
)


def test_dates_for_days_and_timestamps_for_hours() -> None:
    assert bounds(days(0, 31), Granularity.DAY) == ("2025-01-01", "2025-02-01")
    assert bounds(days(0, 1), Granularity.HOUR) == ("2025-01-01T00:00:00", "2025-01-02T00:00:00")
    assert bounds(hours(5, 6), Granularity.HOUR) == ("2025-01-01T05:00:00", "2025-01-01T06:00:00")
    assert bounds(days(0, 1)) == ("2025-01-01", "2025-01-02")
    assert bounds(hours(0, 25)) == ("2025-01-01T00:00:00", "2025-01-02T01:00:00")


@given(ranges, st.sampled_from(list(Granularity)))
def test_ranges_read_as_they_were_written(coverage: tuple[Interval, ...], granularity: Granularity) -> None:
    document = {"version": 1, "models": {"m": intervals_to_json(coverage, granularity, None)}}
    assert intervals_from_json(document) == {"m": coverage}


def test_a_range_that_stays_keeps_what_a_later_smelt_put_there() -> None:
    known = [{"start": "2025-01-01", "end": "2025-01-02", "by": "x"}, {"start": "2025-01-03", "end": "2025-01-04"}]
    written = intervals_to_json((days(0, 1), days(2, 5)), Granularity.DAY, known)
    assert written == [
        {"start": "2025-01-01", "end": "2025-01-02", "by": "x"},
        {"start": "2025-01-03", "end": "2025-01-06"},
    ]


def test_times_with_an_offset_are_read_as_utc() -> None:
    document = {"models": {"m": [{"start": "2025-01-01T02:00:00+02:00", "end": "2025-01-01T01:00:00Z"}]}}
    assert intervals_from_json(document) == {"m": (hours(0, 1),)}


@pytest.mark.parametrize(
    ("entry", "position"),
    [
        ([{"start": "2025-01-01"}], "models.m[0].end"),
        ([["2025-01-01", "2025-01-02"]], "models.m[0]"),
        ("2025", "models.m"),
        ([{"start": "2025-01-01", "end": "2025-01-01"}], "models.m[0].end"),
    ],
)
def test_a_wrong_range_is_named_with_its_place(entry: object, position: str) -> None:
    with pytest.raises(MalformedDocument) as found:
        intervals_from_json({"version": 1, "models": {"m": entry}})
    assert found.value.position == position


partitions = st.dictionaries(st.integers(0, 30), st.integers(0, 99), max_size=10).map(
    lambda counts: tuple(Landed(hours(at, at + 1), rows) for at, rows in counts.items())
)


@given(partitions, partitions)
def test_a_new_count_takes_the_place_of_the_old(known: tuple[Landed, ...], counted: tuple[Landed, ...]) -> None:
    merged = {one.interval: one.rows for one in merge_landed(known, counted)}
    assert merged == {one.interval: one.rows for one in (*known, *counted)}
    assert list(merged) == sorted(merged)


def test_a_coarser_count_takes_the_place_of_all_it_covers() -> None:
    known = (Landed(hours(0, 1), 1), Landed(hours(23, 24), 2), Landed(hours(24, 25), 3))
    assert merge_landed(known, (Landed(days(0, 1), 7),)) == (Landed(days(0, 1), 7), Landed(hours(24, 25), 3))


@given(partitions)
def test_partitions_read_as_they_were_written(found: tuple[Landed, ...]) -> None:
    document = {"version": 1, "sources": {"s": landed_to_json(found, Granularity.HOUR, None)}}
    assert landed_from_json(document) == {"s": found}


@pytest.mark.parametrize(
    ("known", "truth", "expected"),
    [
        ((), (), "none"),
        ((days(0, 2), days(3, 5)), (days(0, 2), days(3, 5)), "none"),
        ((days(0, 2),), (days(0, 3),), "behind"),
        ((), (days(0, 3),), "behind"),
        ((days(0, 3),), (days(0, 2),), "ahead"),
        ((days(0, 3),), (days(5, 6),), "ahead"),
    ],
)
def test_drift(known: tuple[Interval, ...], truth: tuple[Interval, ...], expected: str) -> None:
    assert drift(known, truth) == expected


def test_old_partitions_that_touch_are_one_and_the_newest_stay() -> None:
    singles = tuple(Landed(days(at, at + 1), at) for at in (0, 1, 3, *range(4, 11)))
    rolled = roll_up(singles)
    assert rolled == (Landed(days(0, 2), 1), *singles[2:])
    later = roll_up(merge_landed(rolled, (Landed(days(11, 12), 11),)))
    assert later == (Landed(days(0, 2), 1), Landed(days(3, 5), 7), *singles[4:], Landed(days(11, 12), 11))
    assert roll_up(later) == later
