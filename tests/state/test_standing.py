"""What is covered and what is missing, as a status tells it."""

from datetime import datetime

import pytest

from smelt.state.records import Manifest, ModelRecord
from smelt.state.standing import cells, status_of
from smelt.text.intervals import Interval


def day(number: int) -> datetime:
    return datetime(2025, 1, number)


def days(start: int, end: int) -> Interval:
    return Interval(day(start), day(end))


COVERAGE = {"m": (days(2, 4), days(6, 9))}


def run(number: int, **models: ModelRecord) -> Manifest:
    return Manifest(
        f"20250101-00000{number}-00000{number}", number, "run", "0", f"2025-01-0{number}", "dev", (), models=models
    )


@pytest.mark.parametrize(
    ("since", "until", "covered", "gaps"),
    [
        (None, day(9), (days(2, 4), days(6, 9)), (days(4, 6),)),
        (None, day(11), (days(2, 4), days(6, 9)), (days(4, 6), days(9, 11))),
        (day(1), day(8), (days(2, 4), days(6, 8)), (days(1, 2), days(4, 6))),
        (day(3), day(5), (days(3, 4),), (days(4, 5),)),
        (day(4), day(6), (), (days(4, 6),)),
        (day(6), day(7), (days(6, 7),), ()),
    ],
)
def test_gaps_are_what_the_window_has_and_no_range_covers(
    since: datetime | None, until: datetime, covered: tuple[Interval, ...], gaps: tuple[Interval, ...]
) -> None:
    found = status_of("m", COVERAGE, (), since, until)
    assert (found.covered, found.gaps) == (covered, gaps)


def test_what_was_never_folded_has_no_window_unless_one_is_asked_for() -> None:
    found = status_of("other", COVERAGE, (), None, day(9))
    assert (found.window, found.covered, found.gaps, found.last) == (None, (), (), None)
    assert status_of("other", COVERAGE, (), day(8), day(9)).gaps == (days(8, 9),)


def test_what_lies_after_today_is_covered_all_the_same() -> None:
    found = status_of("m", COVERAGE, (), None, day(2))
    assert (found.window, found.covered, found.gaps) == (None, COVERAGE["m"], ())


def test_the_newest_run_with_the_model_is_its_last() -> None:
    failed, done = ModelRecord("failed"), ModelRecord("success")
    runs = (run(3, other=done), run(2, m=failed), run(1, m=done))
    last = status_of("m", {}, runs, None, day(9)).last
    assert last is not None
    assert (last.run_id, last.record) == (runs[1].run_id, failed)


@pytest.mark.parametrize(
    ("since", "until", "width", "drawn"),
    [
        (1, 9, 8, "·██··███"),
        (1, 9, 4, "▒▒▒█"),
        (1, 9, 2, "▒▒"),
        (2, 4, 3, "███"),
        (4, 6, 3, "···"),
        (1, 9, 0, ""),
    ],
)
def test_cells(since: int, until: int, width: int, drawn: str) -> None:
    assert cells(status_of("m", COVERAGE, (), day(since), day(until)), width) == drawn
