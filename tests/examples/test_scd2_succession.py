"""The worked example, through the real command line, against an oracle that knows no window function."""

import itertools
import json
import random
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.examples.projects import Example, copied, copy

EVENTS = """
    SELECT DISTINCT customer_id, tier, region, effective_ts, is_deleted
    FROM read_parquet('data/changes/*/*.parquet', hive_partitioning = true)
"""

ORACLE = f"""
    WITH events AS ({EVENTS}),
    closed AS (
        SELECT e.*, (SELECT min(n.effective_ts) FROM events AS n
                     WHERE n.customer_id = e.customer_id AND n.effective_ts > e.effective_ts) AS valid_to
        FROM events AS e
    )
    SELECT customer_id, tier, region, effective_ts AS valid_from, valid_to, valid_to IS NULL AS is_current
    FROM closed WHERE NOT is_deleted
"""

EXPLAINED = """\
model customer_history  (emits: event history keyed by [customer_id], event-addressed by (customer_id, effective_ts))
  grain: succession
  identity: (customer_id, effective_ts)
  technique: succession-patch
  run axis: ingested_date (arrival-partitioned)
  clock: effective_ts
  posture: re-run tolerant; order-independent but serial
  internal state: tombstone ledger customer_history__tombstones (customer_id, effective_ts) — not part of the model's \
public schema
"""


@pytest.fixture
def example(tmp_path: Path) -> Example:
    return copy("scd2_succession", tmp_path)


@dataclass(frozen=True, slots=True)
class Build:
    """The example after its first build, and what that said of itself. Nothing in it may be changed."""

    example: Example
    summary: dict[str, Any]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Build:
    example = copy("scd2_succession", tmp_path_factory.mktemp("built"))
    return Build(example, json.loads(example.smelt("build", "--json").stdout))


@pytest.fixture
def built(first: Build, tmp_path: Path) -> Example:
    """A copy of it."""
    return copied(first.example, tmp_path)


def test_explain_prints_what_the_founding_document_prints(example: Example) -> None:
    assert example.smelt("explain", "customer_history").stdout == EXPLAINED


def test_build_makes_the_history_that_the_sql_means(first: Build) -> None:
    assert first.example.differences("FROM customer_history", ORACLE) == []


def test_build_tests_what_it_built(first: Build) -> None:
    assert set(first.summary["tests"].values()) == {"passed"}
    assert len(first.summary["tests"]) >= 6


def test_months_in_any_order_make_the_same_history(example: Example) -> None:
    bounds = [date(2025, month, 1) for month in range(1, 13, 2)] + [date(2026, 1, 1)]
    windows = list(itertools.pairwise(bounds))
    random.Random(11).shuffle(windows)
    for start, end in [*windows, windows[0]]:
        example.smelt("run", "customer_history", "--start", str(start), "--end", str(end))
    assert example.differences("FROM customer_history", ORACLE) == []


def test_more_nights_are_folded_alone(built: Example) -> None:
    subprocess.run(
        [sys.executable, "generate.py", "--land", "2026-01-05"], cwd=built.root, check=True, capture_output=True
    )
    summary = json.loads(built.smelt("run", "customer_history", "--json").stdout)
    folded = summary["models"]["customer_history"]
    (landed,) = built.query(
        "SELECT count(DISTINCT (customer_id, effective_ts)) FILTER (NOT is_deleted),"
        " count(DISTINCT (customer_id, effective_ts)) FILTER (is_deleted)"
        " FROM read_parquet('data/changes/ingested_date=2026-*/*.parquet')"
    )
    assert (folded["rows_inserted"], folded["tombstones"]) == landed
    assert 0 < folded["rows_patched"] <= sum(landed)
    assert built.differences("FROM customer_history", ORACLE) == []


def test_running_again_writes_nothing(built: Example) -> None:
    folded = json.loads(built.smelt("run", "customer_history", "--json").stdout)["models"]["customer_history"]
    assert (folded["outcome"], folded["rows_inserted"], folded["rows_patched"]) == ("success", 0, 0)


def test_movements_count_each_customer_once_a_month(first: Build) -> None:
    assert (
        first.example.differences(
            "FROM tier_movements",
            f"""
        WITH versions AS ({ORACLE})
        SELECT CAST(date_trunc('month', n.valid_from) AS DATE) AS month, p.tier AS from_tier, n.tier AS to_tier,
               count(DISTINCT n.customer_id) AS customers
        FROM versions AS n JOIN versions AS p ON p.customer_id = n.customer_id AND p.valid_to = n.valid_from
        WHERE p.tier <> n.tier GROUP BY ALL
        """,
        )
        == []
    )
