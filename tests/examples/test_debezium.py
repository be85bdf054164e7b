"""The history made by SQL must be the one that a plain fold of the envelopes makes."""

import itertools
import json
import random
from collections import defaultdict
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.examples.projects import Example, copy

EPOCH = datetime(1970, 1, 1)
HISTORY = (
    "SELECT customer_id, name, email, tier, registered_at, valid_from, valid_to, is_current FROM customers_history"
)


@pytest.fixture
def example(tmp_path: Path) -> Example:
    return copy("debezium", tmp_path)


def _envelopes(example: Example) -> list[dict[str, Any]]:
    lines = (
        line
        for file in sorted((example.root / "data").rglob("*.json"))
        for line in file.read_text(encoding="utf-8").splitlines()
    )
    return [message for message in map(json.loads, lines) if message is not None]


def _versions(example: Example) -> dict[int, dict[int, dict[str, Any] | None]]:
    """For each key and commit time (ms) the row from then on; None after a delete."""
    versions: dict[int, dict[int, dict[str, Any] | None]] = defaultdict(dict)
    for message in _envelopes(example):
        key = (message["after"] or message["before"])["id"]
        versions[key][message["source"]["ts_ms"]] = message["after"]
    return versions


def _history(example: Example) -> list[tuple[Any, ...]]:
    """The rows that the model means."""
    rows = []
    for key, versions in _versions(example).items():
        times = sorted(versions)
        for at, until in zip(times, [*times[1:], None], strict=True):
            after = versions[at]
            if after is not None:
                values = (after["name"], after["email"], after["tier"])
                registered = EPOCH + timedelta(microseconds=after["registered_at"])
                closed = None if until is None else EPOCH + timedelta(milliseconds=until)
                opened = EPOCH + timedelta(milliseconds=at)
                rows.append((key, *values, registered, opened, closed, until is None))
    return sorted(rows, key=lambda row: (row[0], row[5]))


def test_the_topic_holds_what_the_example_speaks_of(example: Example) -> None:
    envelopes = _envelopes(example)
    assert {message["op"] for message in envelopes} == {"r", "c", "u", "d"}
    identities = [(m["source"]["lsn"], m["ts_ms"]) for m in envelopes]
    assert len(set(identities)) < len(identities), "nothing was delivered twice"
    assert len({lsn for lsn, _ in identities}) < len(set(identities)), "nothing was sent again after the restart"
    text = "".join(file.read_text(encoding="utf-8") for file in (example.root / "data").rglob("*.json"))
    assert "\nnull\n" in text


def test_build_makes_the_history_that_the_envelopes_tell(example: Example) -> None:
    example.smelt("build")
    assert example.query(f"{HISTORY} ORDER BY customer_id, valid_from") == _history(example)


def test_weeks_in_any_order_make_the_same_history(example: Example) -> None:
    bounds = [date(2025, 3, day) for day in (1, 8, 15, 22, 29)] + [date(2025, 4, 1)]
    windows = list(itertools.pairwise(bounds))
    random.Random(5).shuffle(windows)
    for start, end in [*windows, windows[1]]:
        example.smelt("run", "customers_history", "--start", str(start), "--end", str(end))
    assert example.query(f"{HISTORY} ORDER BY customer_id, valid_from") == _history(example)


def test_the_view_is_the_table_of_the_shop(example: Example) -> None:
    example.smelt("build")
    last = {key: versions[max(versions)] for key, versions in _versions(example).items()}
    living = {key: (row["name"], row["email"], row["tier"]) for key, row in last.items() if row is not None}
    rows = example.query("SELECT customer_id, name, email, tier FROM customers")
    assert {key: tuple(rest) for key, *rest in rows} == living
