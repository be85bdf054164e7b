"""Every example passes its own linter, and says of its incremental model that it is a succession."""

import json
from pathlib import Path

import pytest

from tests.examples.projects import NAMES, copy

HISTORIES = {"scd2_succession": "customer_history", "time_zones": "zone_validity", "debezium": "customers_history"}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    ended = copy(name, tmp_path).smelt("check", "--format", "json")
    assert json.loads(ended.stdout)["diagnostics"] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_history_is_maintained_by_patching(name: str, tmp_path: Path) -> None:
    ended = copy(name, tmp_path).smelt("explain", HISTORIES[name], "--json")
    assert json.loads(ended.stdout)["technique"] == "succession-patch"
