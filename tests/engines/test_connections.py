"""Several connections to one database: each gives the same results, and none loses what another writes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from smelt.engines.duckdb.warehouse import DuckDBWarehouse
from smelt.engines.model import FoldRequest, SingleConnection, WarehouseError
from tests.engines.labs import Lab

SMELT_YML = """name: lab
targets:
  dev: {type: duckdb, database: target/dev.duckdb, schema: shop%s}
default_target: dev
"""
SOURCE = """name: raw.events
mutation_profile: append_only
timeseries: {event_time_column: ts, partition_column: arrived, granularity: day}
columns:
  - {name: k, type: INTEGER, nullable: false}
  - {name: ts, type: TIMESTAMP, nullable: false}
  - {name: v, type: VARCHAR}
  - {name: arrived, type: DATE, nullable: false}
"""
HISTORY = """---
refresh: incremental
---
SELECT k, v, ts AS valid_from, LEAD(ts) OVER w AS valid_to
FROM smelt.sources.events WHERE k % 4 = {part}
WINDOW w AS (PARTITION BY k ORDER BY ts)
"""
PARTS = 4


def lab_at(root: Path, options: str = "", **models: str) -> Lab:
    (root / "target").mkdir(parents=True, exist_ok=True)
    return Lab(root, {"smelt.yml": SMELT_YML % options, **{f"models/{name}.sql": sql for name, sql in models.items()}})


@contextmanager
def opened(lab: Lab, count: int = 1) -> Iterator[tuple[DuckDBWarehouse, ...]]:
    others = lab.warehouse.beside(count, tuple(lab.analysis.models.values()))
    try:
        yield others
    finally:
        for one in others:
            one.close()
        lab.warehouse.close()


def test_settings_and_init_sql_hold_in_each(tmp_path: Path) -> None:
    options = """, settings: {TimeZone: Europe/Zurich, threads: 1}, init_sql: [
      "ATTACH ':memory:' AS side; CREATE TABLE side.kept AS SELECT 1 AS n",
      "SET VARIABLE rate = 7; create or replace temp macro twice(x) AS x * 2",
      "CREATE TEMP TABLE names AS SELECT 'a' AS name",
      "INSERT INTO names VALUES ('b'); INSERT INTO side.kept VALUES (2)"]"""
    lab = lab_at(tmp_path, options)
    question = (
        "SELECT current_setting('TimeZone'), current_schema(), twice(getvariable('rate')), "
        "(SELECT count(*) FROM names), (SELECT count(*) FROM side.kept), '2025-07-01 00:00:00'::TIMESTAMPTZ::VARCHAR"
    )
    expected = [("Europe/Zurich", "shop", 14, 2, 2, "2025-07-01 00:00:00+02")]
    with opened(lab, 2) as others:
        for one in (lab.warehouse, *others):
            assert one.session.run(question) == expected


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (", settings: {lock_configuration: 'true'}", "a statement works only once: "),
        (
            ', init_sql: ["SET VARIABLE seed = random()"]',
            "init_sql leaves another variable seed in each connection",
        ),
    ],
)
def test_what_cannot_be_had_twice_is_told(tmp_path: Path, options: str, why: str) -> None:
    lab = lab_at(tmp_path, options)
    with pytest.raises(SingleConnection, match=why):
        lab.warehouse.beside(1, ())
    lab.warehouse.close()


def test_each_sees_what_another_one_committed(tmp_path: Path) -> None:
    lab = lab_at(tmp_path, first="---\nrefresh: full\n---\nSELECT 1 AS n", second="SELECT n FROM smelt.first")
    with opened(lab) as (other,):
        other.build_table(lab.model("first"), "run-1", 1)
        assert lab.warehouse.build_view(lab.model("second"), "run-1", 1).strategy == "view"
        other.session.run("DROP TABLE shop.first CASCADE")
        other.session.catalogue.forget()
        with pytest.raises(WarehouseError):
            lab.warehouse.build_view(lab.model("second"), "run-2", 2)


def test_what_was_rolled_back_is_seen_by_none(tmp_path: Path) -> None:
    lab = lab_at(tmp_path, first="---\nrefresh: full\n---\nSELECT 1 AS n", second="SELECT n FROM smelt.first")
    with opened(lab) as (other,):

        def fail() -> None:
            with other.session.transaction("first"):
                other.session.run("CREATE TABLE shop.first AS SELECT 1 AS n")
                other.session.catalogue.created("table", "first")
                other.session.run("SELECT no_such_column FROM shop.first")

        with pytest.raises(WarehouseError):
            fail()
        with pytest.raises(WarehouseError) as refused:
            lab.warehouse.build_view(lab.model("second"), "run-1", 1)
        assert refused.value.failure.code == "RelationNotBuilt"


def test_tables_of_record_are_made_once_and_only_those_that_are_needed(tmp_path: Path) -> None:
    lab = lab_at(tmp_path, first="---\nrefresh: full\n---\nSELECT 1 AS n")
    with opened(lab):
        assert lab.run("SELECT table_name FROM duckdb_tables()") == [("_smelt_models",)]


def test_folds_side_by_side_lose_nothing(tmp_path: Path) -> None:
    """Every connection writes the same tables of record in each of its transactions."""
    parts = {f"part_{number}": HISTORY.format(part=number) for number in range(PARTS)}
    lab = lab_at(tmp_path, **parts)
    lab.load({**lab.files, "models/sources/events.yml": SOURCE})
    lab.run("CREATE SCHEMA raw; CREATE TABLE raw.events(k INTEGER, ts TIMESTAMP, v VARCHAR, arrived DATE)")
    with opened(lab, PARTS - 1) as others:
        connections = (lab.warehouse, *others)

        def fold(number: int, sequence: int) -> int:
            request = FoldRequest(f"run-{sequence}", sequence, chunk=1)
            built = connections[number].fold(lab.model(f"part_{number}"), request, lambda text: None)
            return built.row_count or 0

        rows = 0
        with ThreadPoolExecutor(PARTS) as pool:
            for run in range(1, 6):
                lab.run(
                    f"INSERT INTO raw.events SELECT i % 40, '2025-01-01'::TIMESTAMP + to_hours(i * 7 + {run}), "
                    f"'v' || i, '2025-01-0{run}'::DATE + (i % 3)::INTEGER FROM range(200) AS numbers(i)"
                )
                for number in range(PARTS):
                    connections[number].session.catalogue.forget()
                rows = sum(pool.map(fold, range(PARTS), [run] * PARTS))
        assert rows == lab.run("SELECT count(DISTINCT (k, ts)) FROM raw.events")[0][0]
        assert lab.run("SELECT model, sequence FROM shop._smelt_models ORDER BY model") == [
            (f"part_{number}", 5) for number in range(PARTS)
        ]
        folded = lab.run("SELECT sum(raw_rows)::BIGINT, count(*) FROM shop._smelt_frontier")
        days = lab.run("SELECT count(*) * 4, count(DISTINCT arrived) * 4 FROM raw.events")
        assert folded == days
