"""Make the example's data: the transitions of all IANA time zones from 1970 to 2037, taken from Python's ``zoneinfo``.

    python generate.py             writes data/transitions/published=1970-01-01 … published=2030-01-01

Each zone begins with a row at 1970-01-01 00:00 UTC, which says what held then. After that there is one row for each
instant at which the offset, the abbreviation or daylight saving changes.

``zoneinfo`` answers what holds at an instant, but does not say when that changes. The instants are therefore read from
the compiled file (TZif, RFC 9636), and beyond the last one, where a rule goes on for ever, found by bisection. What
holds from each instant is always what ``zoneinfo`` says: an instant at which nothing changes makes no row.
"""

import argparse
import importlib.resources
import shutil
import struct
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import duckdb

START = int(datetime(1970, 1, 1, tzinfo=UTC).timestamp())
END = int(datetime(2038, 1, 1, tzinfo=UTC).timestamp())
STEP = int(timedelta(days=7).total_seconds())
"""Rules that go on for ever change twice a year, months apart: a week cannot hide a pair of changes."""


class Reading(NamedTuple):
    """What a zone's clock shows."""

    utc_offset_seconds: int
    abbreviation: str
    is_dst: bool


class Transition(NamedTuple):
    """One row of the stream: from ``at_utc`` on, the zone reads so."""

    zone: str
    at_utc: datetime
    utc_offset_seconds: int
    abbreviation: str
    is_dst: bool


def reading(zone: zoneinfo.ZoneInfo, instant: int) -> Reading:
    """What ``zoneinfo`` says of an instant (seconds since 1970)."""
    local = datetime.fromtimestamp(instant, zone)
    offset = local.utcoffset()
    assert offset is not None
    return Reading(int(offset.total_seconds()), local.tzname() or "", bool(local.dst()))


def compiled(key: str) -> bytes:
    """The TZif file of a zone, from where ``zoneinfo`` itself would take it."""
    for folder in zoneinfo.TZPATH:
        path = Path(folder, key)
        if path.is_file():
            return path.read_bytes()
    return importlib.resources.files("tzdata").joinpath("zoneinfo", *key.split("/")).read_bytes()


def instants(data: bytes) -> tuple[int, ...]:
    """The transition times of a TZif file, from its 64-bit block where there is one."""

    def counts(offset: int) -> tuple[int, ...]:
        return struct.unpack_from(">6l", data, offset + 20)

    isutc, isstd, leaps, times, types, characters = counts(0)
    if data[4:5] < b"2":
        return struct.unpack_from(f">{times}l", data, 44)
    second = 44 + times * 5 + types * 6 + characters + leaps * 8 + isstd + isutc
    times = counts(second)[3]
    return struct.unpack_from(f">{times}q", data, second + 44)


def first_change(zone: zoneinfo.ZoneInfo, low: int, high: int) -> int:
    """The first instant in ``(low, high]`` that reads as ``high`` does, given that ``low`` reads otherwise."""
    after = reading(zone, high)
    while high - low > 1:
        middle = (low + high) // 2
        if reading(zone, middle) == after:
            high = middle
        else:
            low = middle
    return high


def candidates(zone: zoneinfo.ZoneInfo, listed: tuple[int, ...]) -> Iterator[int]:
    """Every instant of the period at which something may change, ascending."""
    yield START
    yield from (instant for instant in listed if START < instant < END)
    at = max((START, *(instant for instant in listed if instant < END)))
    before = reading(zone, at)
    while at < END - 1:
        following = min(at + STEP, END - 1)
        after = reading(zone, following)
        if after != before:
            yield first_change(zone, at, following)
        at, before = following, after


def transitions(key: str) -> Iterator[Transition]:
    """The rows of one zone."""
    zone = zoneinfo.ZoneInfo(key)
    last: Reading | None = None
    for instant in candidates(zone, instants(compiled(key))):
        now = reading(zone, instant)
        if now != last:
            yield Transition(key, datetime.fromtimestamp(instant, UTC).replace(tzinfo=None), *now)
            last = now


def write(rows: list[Transition], folder: Path) -> None:
    """One Parquet file for each decade, in its hive partition."""
    folder.mkdir(parents=True, exist_ok=True)
    quoted = str(folder).replace("'", "''")
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(
            "CREATE TABLE transitions (zone VARCHAR, at_utc TIMESTAMP, utc_offset_seconds INTEGER,"
            " abbreviation VARCHAR, is_dst BOOLEAN, published DATE)"
        )
        # As one text a column: DuckDB 1.4 takes a second for every few thousand values that it is handed one by one.
        values = ["\n".join(map(str, column)) for column in zip(*rows, strict=True)]
        types = ("VARCHAR", "TIMESTAMP", "INTEGER", "VARCHAR", "BOOLEAN")
        columns = ", ".join(
            f"unnest(CAST(string_split(${number}, chr(10)) AS {kind}[]))" for number, kind in enumerate(types, start=1)
        )
        connection.execute(
            f"INSERT INTO transitions SELECT *, make_date(year(at_utc) // 10 * 10, 1, 1)"
            f" FROM (SELECT {columns}) AS t (zone, at_utc, utc_offset_seconds, abbreviation, is_dst)",
            values,
        )
        connection.execute(
            f"COPY transitions TO '{quoted}' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (published),"
            " FILENAME_PATTERN 'part-{i}', OVERWRITE_OR_IGNORE)"
        )


def main() -> None:
    """Write all zones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "data" / "transitions")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.output, ignore_errors=True)
    rows = [row for key in sorted(zoneinfo.available_timezones()) for row in transitions(key)]
    write(rows, arguments.output)
    print(f"{len(rows)} rows of {len({row.zone for row in rows})} zones under {arguments.output}")


if __name__ == "__main__":
    main()
