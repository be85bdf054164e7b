"""Make the example's data: a year of customer changes, as a nightly load would have landed them.

    python generate.py                     writes data/changes/ingested_date=2025-01-01 … 2025-12-31
    python generate.py --land 2026-01-05   lands the nights after that up to this one, as the next loads would

Everything follows from ``SEED``: the same rows come out every time. They hold what real feeds hold:

* people act in the office hours of their region, less on weekends and in August, more before Christmas;
* rows come late: the EMEA shops send nothing on weekends, the APAC line was down for three days in June, and some
  tills stay offline for weeks;
* customers leave (``is_deleted``, without tier and region), and a few come back under their old number;
* some rows change nothing, and some are delivered twice (the night of 3 September as a whole).

No customer has two different changes at one instant.
"""

import argparse
import random
import shutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path

import duckdb

SEED = 20250101
FIRST, LAST, HORIZON = date(2025, 1, 1), date(2025, 12, 31), date(2026, 1, 31)
TIERS = ("bronze", "silver", "gold", "platinum")
REGIONS = {"emea": 0.45, "amer": 0.35, "apac": 0.20}
NOON = {"emea": 12, "amer": 18, "apac": 4}
"""The hour (UTC) around which a region's people are at work."""

BY_WEEKDAY = (1.1, 1.2, 1.2, 1.1, 0.9, 0.35, 0.25)
BY_MONTH = (1.3, 1.0, 1.0, 0.9, 1.0, 0.9, 0.8, 0.6, 1.1, 1.1, 1.5, 1.2)

OUTAGE = (date(2025, 6, 10), date(2025, 6, 13))
"""While the APAC line was down, nothing landed from there; the last day brought it all."""

REPLAYED, REPLAY = date(2025, 9, 3), date(2025, 9, 5)
"""One night that was delivered a second time, two nights later."""


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the stream."""

    customer_id: int
    tier: str | None
    region: str | None
    effective_ts: datetime
    is_deleted: bool


def moment(rng: random.Random, day: date, region: str) -> datetime:
    """An instant on ``day`` at which somebody of ``region`` would act."""
    seconds = int(rng.gauss(NOON[region] * 3600, 2.6 * 3600)) % 86400
    return datetime.combine(day, time()) + timedelta(seconds=seconds, milliseconds=rng.randrange(1000))


def life(rng: random.Random, customer_id: int, joined: datetime, region: str) -> Iterator[Change]:
    """All changes of one customer, in the order in which they happened, each later than the one before."""
    at, tier = joined, rng.choices(TIERS, (70, 20, 8, 2))[0]
    yield Change(customer_id, tier, region, at, False)
    while at.date() < HORIZON:
        day = (at + timedelta(days=1 + rng.expovariate(1 / 75))).date()
        if rng.random() < 1 - BY_WEEKDAY[day.weekday()]:
            day += timedelta(days=2)
        at = moment(rng, day, region)
        what = rng.choices(("up", "down", "move", "touch", "leave"), (46, 22, 7, 12, 13))[0]
        if what == "leave":
            yield Change(customer_id, None, None, at, True)
            if rng.random() > 0.3:
                return
            at = moment(rng, (at + timedelta(days=rng.randrange(10, 90))).date(), region)
            tier = TIERS[0]
        elif what == "move":
            region = rng.choice([other for other in REGIONS if other != region])
        elif what in ("up", "down"):
            rank = TIERS.index(tier) + (1 if what == "up" else -1)
            tier = TIERS[min(max(rank, 0), len(TIERS) - 1)]
        yield Change(customer_id, tier, region, at, False)


def everybody(rng: random.Random) -> Iterator[Change]:
    """All changes of all customers: those of before the first night, then who joined in the year."""
    names, weights = list(REGIONS), list(REGIONS.values())
    customer_id = 1000
    for _ in range(600):
        customer_id += 1
        region = rng.choices(names, weights)[0]
        joined = moment(rng, FIRST - timedelta(days=rng.randrange(1, 700)), region)
        yield from life(rng, customer_id, joined, region)
    day = FIRST
    while day <= HORIZON:
        expected = 3.2 * BY_WEEKDAY[day.weekday()] * BY_MONTH[day.month - 1]
        for _ in range(int(expected) + (rng.random() < expected % 1)):
            customer_id += 1
            region = rng.choices(names, weights)[0]
            yield from life(rng, customer_id, moment(rng, day, region), region)
        day += timedelta(days=1)


def landing(rng: random.Random, change: Change) -> date:
    """The night on which a change lands: its own, the next one after 22:00, or much later."""
    night = (change.effective_ts + timedelta(hours=2)).date()
    chance = rng.random()
    if chance < 0.03:
        night += timedelta(days=rng.randrange(8, 90))
    elif chance < 0.11:
        night += timedelta(days=rng.randrange(1, 4))
    if change.region == "emea" and night.weekday() >= 5:
        night += timedelta(days=7 - night.weekday())
    if change.region == "apac" and OUTAGE[0] <= night < OUTAGE[1]:
        night = OUTAGE[1]
    return max(night, FIRST)


def nights() -> dict[date, list[Change]]:
    """What each night lands, re-deliveries included."""
    rng = random.Random(SEED)
    landed: dict[date, list[Change]] = defaultdict(list)
    for change in everybody(rng):
        night = landing(rng, change)
        landed[night].append(change)
        if rng.random() < 0.015:
            landed[night + timedelta(days=1)].append(change)
    landed[REPLAY].extend(landed[REPLAYED])
    for changes in landed.values():
        rng.shuffle(changes)
    return landed


def write(landed: dict[date, list[Change]], folder: Path) -> None:
    """One Parquet file for each night, in its hive partition; a night without rows writes nothing."""
    rows = [
        (c.customer_id, c.tier, c.region, c.effective_ts, c.is_deleted, night)
        for night in sorted(landed)
        for c in landed[night]
    ]
    folder.mkdir(parents=True, exist_ok=True)
    quoted = str(folder).replace("'", "''")
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(
            "CREATE TABLE changes (customer_id INTEGER, tier VARCHAR, region VARCHAR,"
            " effective_ts TIMESTAMP, is_deleted BOOLEAN, ingested_date DATE)"
        )
        columns = ", ".join(f"unnest(${number})" for number in range(1, 7))
        connection.execute(
            f"INSERT INTO changes SELECT {columns}", [list(column) for column in zip(*rows, strict=True)]
        )
        connection.execute(
            f"COPY changes TO '{quoted}' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (ingested_date),"
            " FILENAME_PATTERN 'part-{i}', OVERWRITE_OR_IGNORE)"
        )


def main() -> None:
    """Write the year, or land some nights more."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--land", type=date.fromisoformat, metavar="DATE", help="land what came after the year, up to DATE"
    )
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "data" / "changes")
    arguments = parser.parse_args()
    landed = nights()
    if arguments.land is not None:
        wanted = [night for night in sorted(landed) if LAST < night <= arguments.land]
    else:
        shutil.rmtree(arguments.output, ignore_errors=True)
        wanted = [night for night in sorted(landed) if night <= LAST]
    chosen = {night: landed[night] for night in wanted}
    if chosen:
        write(chosen, arguments.output)
    print(f"{sum(map(len, chosen.values()))} rows in {len(chosen)} nights under {arguments.output}")


if __name__ == "__main__":
    main()
