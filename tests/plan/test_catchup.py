"""What a run without a window folds, and what it refuses."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from smelt.plan.catchup import Fallen, catch_up, expired_before, fallen
from smelt.plan.windows import Grid
from smelt.project.model import Granularity

COUNTS = st.dictionaries(st.integers(1, 20).map(lambda at: datetime(2025, 1, at)), st.integers(1, 5))


@given(COUNTS, COUNTS)
def test_every_partition_is_unchanged_new_risen_or_fallen(
    now: dict[datetime, int], before: dict[datetime, int]
) -> None:
    work = catch_up(now, before)
    lost = {one.partition for one in fallen(now, before)}
    assert set(work.new) == now.keys() - before.keys()
    same = {at for at in now.keys() & before.keys() if now[at] == before[at]}
    parts = [set(work.new), set(work.risen), lost, same]
    assert set().union(*parts) == now.keys() | before.keys()
    assert sum(map(len, parts)) == len(now.keys() | before.keys())
    assert list(work.fold) == sorted(work.fold)


def test_partitions_before_the_start_are_left_alone_unless_they_were_folded() -> None:
    first, second = datetime(2025, 1, 1), datetime(2025, 1, 2)
    assert catch_up({first: 3, second: 1}, {}, second).fold == (second,)
    assert catch_up({first: 3, second: 1}, {first: 2}, second).fold == (first, second)


def test_only_whole_partitions_that_are_old_enough_may_be_gone() -> None:
    old, young = datetime(2025, 1, 1), datetime(2025, 3, 1)
    limit = expired_before(datetime(2025, 3, 15, 12), timedelta(days=30), Grid(Granularity.DAY))
    assert limit == datetime(2025, 2, 13)
    assert fallen({}, {old: 2, young: 1}, limit) == (Fallen(young, 1, 0),)
    assert fallen({old: 1, young: 1}, {old: 2, young: 1}, limit) == (Fallen(old, 2, 1),)


def test_without_retention_nothing_expires() -> None:
    assert expired_before(datetime(2025, 3, 15), None, Grid(Granularity.DAY)) is None
