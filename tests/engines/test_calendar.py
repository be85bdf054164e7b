"""Both ends of the calendar on the run axis, and what lies beyond them."""

from datetime import datetime
from pathlib import Path

import duckdb
import pytest

from smelt.plan.windows import Grid
from smelt.project.model import Granularity
from smelt.text.intervals import Interval
from tests.engines.labs import Lab
from tests.engines.test_sources import COLUMNS, MODEL, files

FIRST, LAST = datetime.min, datetime.max
GRANULARITIES = ("hour", "day", "week", "month", "quarter", "year")
AXES = {
    "DATE": ("DATE '0001-01-01'", "DATE '9999-12-31'"),
    "TIMESTAMP": ("TIMESTAMP '0001-01-01'", "TIMESTAMP '9999-12-31 23:59:59.999999'"),
    "TIMESTAMPTZ": ("TIMESTAMPTZ '0001-01-01 00:00:00+00'", "TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'"),
}
FARTHEST = ("5877642-06-25 (BC)", "5881580-07-10") if duckdb.__version__ >= "2" else ("5881580-07-10",)
"""DuckDB 1.4 cannot truncate its own first day to a month, wherever in a query that stands: the run fails by another
name there, before it writes."""

BEYOND = {
    "DATE": ("infinity", "-infinity", "0044-03-15 (BC)", "10000-01-01", *FARTHEST),
    "TIMESTAMP": ("infinity", "-infinity", "0044-03-15 (BC)", "10000-01-01", "290309-12-22 (BC)"),
    "TIMESTAMPTZ": ("infinity", "-infinity", "0044-03-15 (BC) 00:00:00+00", "10000-01-01 00:00:00+00"),
}


def lab_of(root: Path, axis: str, granularity: str, week_start: str = "monday") -> Lab:
    columns = COLUMNS.replace("name: d, type: DATE", f"name: d, type: {axis}")
    given = files("name: main.events", columns, model=MODEL)
    path = "models/sources/events.yml"
    given[path] = given[path].replace("granularity: day", f"granularity: {granularity}, week_start: {week_start}")
    lab = Lab(root, given)
    lab.run(f"CREATE TABLE main.events (k INTEGER, v VARCHAR, t TIMESTAMP, gone BOOLEAN, d {axis})")
    return lab


def add(lab: Lab, clock: int, axis: str) -> None:
    lab.run(f"INSERT INTO main.events VALUES (1, 'v{clock}', '2025-01-{clock:02}', FALSE, {axis})")


@pytest.mark.parametrize("axis", sorted(AXES))
@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_both_ends_are_folded_with_a_window_and_without(tmp_path: Path, axis: str, granularity: str) -> None:
    lab = lab_of(tmp_path, axis, granularity, "sunday")
    add(lab, 3, f"{axis} '2025-06-01'")
    lab.fold()
    for clock, value in enumerate(AXES[axis], start=1):
        add(lab, clock, value)
    assert lab.fold().rows_inserted == 2
    assert lab.fold().strategy == "none"
    assert lab.fold(window=Interval(FIRST, LAST)).re_presented == 3
    lab.run("DROP TABLE main.history; DROP TABLE main.history__tombstones")
    lab.run("DROP TABLE main._smelt_models; DROP TABLE main._smelt_frontier")
    assert lab.fold(window=Interval(FIRST, LAST)).row_count == 3
    assert lab.fold(full_refresh=True).row_count == 3
    lab.run("DROP TABLE main.history; DROP TABLE main.history__tombstones; DROP TABLE main._smelt_models")
    lab.fold()
    end = "9999-12-31 01:00:00" if (axis, granularity) == ("DATE", "hour") else "the end of the calendar"
    assert lab.announced[-1] == f"history: first run, 3 rows of the source from 0001-01-01 to before {end}"
    lab.close()


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_a_date_lies_in_the_hour_that_it_begins_with(tmp_path: Path, granularity: str) -> None:
    lab = lab_of(tmp_path, "DATE", granularity)
    add(lab, 1, "DATE '2025-01-01'")
    start = datetime(2024, 12, 30) if granularity == "week" else datetime(2025, 1, 1)
    ends = {"hour": datetime(2025, 1, 1, 1), "day": datetime(2025, 1, 2), "week": datetime(2025, 1, 6)}
    end = ends.get(granularity, datetime(2026, 1, 1))
    assert lab.fold(window=Interval(start, end)).row_count == 1
    lab.close()


@pytest.mark.parametrize("axis", ["TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "DATETIME"])
@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_timestamps_of_any_unit_are_folded_without_a_window_and_with_each(
    tmp_path: Path, axis: str, granularity: str
) -> None:
    lab = lab_of(tmp_path, axis, granularity)
    for clock, value in enumerate(("1700-01-01", "2024-12-31 23:59:59.9999999", "2200-06-01 12:34:56"), start=1):
        add(lab, clock, f"CAST('{value}' AS {axis})")
    assert lab.fold().row_count == 3
    folded = [row[0] for row in lab.run('SELECT "partition" FROM main._smelt_frontier ORDER BY 1')]
    assert len(folded) == 3
    grid = Grid(Granularity(granularity))
    for at in folded:
        assert isinstance(at, datetime)
        assert lab.fold(window=grid.granule(at)).re_presented == 1
    lab.close()


@pytest.mark.parametrize(("axis", "value"), [(axis, value) for axis in sorted(BEYOND) for value in BEYOND[axis]])
def test_what_lies_beyond_is_refused_by_its_value(tmp_path: Path, axis: str, value: str) -> None:
    lab = lab_of(tmp_path, axis, "month")
    add(lab, 1, f"{axis} '2025-01-01'")
    add(lab, 2, f"{axis} '{value}'")
    for window in (None, Interval(datetime(2025, 1, 1), datetime(2025, 2, 1))):
        failure = lab.failure(window=window)
        assert failure.code == "PartitionColumnNullable"
        told = "d lies outside the calendar (0001-01-01 to 9999-12-31) in 1 of the rows read: d = "
        assert told in failure.message
        assert failure.message.split(told)[1].startswith(value.split()[0])
        assert "NULL" not in failure.message
    lab.run("UPDATE main.events SET d = NULL WHERE k = 1 AND v = 'v1'")
    message = lab.failure().message
    assert "is NULL in 1 of the rows read" in message
    assert "lies outside the calendar" in message
    lab.close()
