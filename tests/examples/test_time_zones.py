"""The built table must say of any instant what ``zoneinfo`` says of it."""

import random
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from tests.examples.projects import Example, copy, generator

START, END = datetime(1970, 1, 1), datetime(2038, 1, 1)
DECADES = [(f"{year}-01-01", f"{year + 10}-01-01") for year in range(1970, 2040, 10)]


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """The table, folded decade by decade in shuffled order, from the time zones of this machine."""
    built = copy("time_zones", tmp_path_factory.mktemp("time_zones"))
    made = generator("time_zones")
    folder = built.root / "data" / "transitions"
    for file in folder.rglob("*.parquet"):
        file.unlink()
    made.write([row for key in sorted(zoneinfo.available_timezones()) for row in made.transitions(key)], folder)
    decades = list(DECADES)
    random.Random(3).shuffle(decades)
    for start, end in decades:
        built.smelt("run", "zone_validity", "--start", start, "--end", end)
    built.smelt("build")
    return built


def _reading(zone: str, instant: datetime) -> tuple[int, str | None, bool]:
    local = instant.replace(tzinfo=UTC).astimezone(zoneinfo.ZoneInfo(zone))
    offset = local.utcoffset()
    assert offset is not None
    return int(offset.total_seconds()), local.tzname(), bool(local.dst())


def _answers(example: Example, asked: list[tuple[str, datetime]]) -> list[tuple[object, ...]]:
    """One row for each version in force, with the number of the question."""
    return example.query(
        """
        SELECT asked.number, utc_offset_seconds, abbreviation, is_dst
        FROM (SELECT unnest($1) AS zone, unnest($2) AS instant, unnest($3) AS number) AS asked
        JOIN zone_validity AS v ON v.zone = asked.zone AND v.valid_from <= asked.instant
            AND (v.valid_to IS NULL OR asked.instant < v.valid_to)
        ORDER BY asked.number
        """,
        [[zone for zone, _ in asked], [instant for _, instant in asked], list(range(len(asked)))],
    )


def _agree(example: Example, asked: list[tuple[str, datetime]]) -> None:
    expected = [(number, *_reading(zone, instant)) for number, (zone, instant) in enumerate(asked)]
    assert _answers(example, asked) == expected


def test_random_instants_read_as_zoneinfo_reads_them(example: Example) -> None:
    rng = random.Random(1970)
    zones = sorted(zoneinfo.available_timezones())
    seconds = int((END - START).total_seconds())
    _agree(example, [(rng.choice(zones), START + timedelta(seconds=rng.randrange(seconds))) for _ in range(8000)])


def test_each_side_of_a_transition_reads_as_zoneinfo_reads_it(example: Example) -> None:
    rows = example.query("SELECT zone, valid_from FROM zone_validity WHERE NOT is_first ORDER BY ALL")

    def sides() -> Iterator[tuple[str, datetime]]:
        for zone, at in random.Random(7).sample(rows, 3000):
            yield zone, at - timedelta(seconds=1)
            yield zone, at

    _agree(example, list(sides()))


def test_each_zone_has_one_first_and_one_open_version(example: Example) -> None:
    rows = example.query(
        "SELECT zone, count(*) FILTER (is_first), count(*) FILTER (valid_to IS NULL), min(valid_from)"
        " FROM zone_validity GROUP BY zone"
    )
    assert {zone for zone, *_ in rows} == zoneinfo.available_timezones()
    assert {tuple(rest) for _, *rest in rows} == {(1, 1, START)}


def test_every_version_lasts_until_the_next(example: Example) -> None:
    (wrong,) = example.query("SELECT count(*) FROM zone_validity WHERE lasts IS DISTINCT FROM valid_to - valid_from")
    assert wrong == (0,)


def test_the_view_of_this_moment_has_every_zone_once(example: Example) -> None:
    (counts,) = example.query("SELECT count(*), count(DISTINCT zone) FROM offsets_now")
    assert counts == (len(zoneinfo.available_timezones()),) * 2
