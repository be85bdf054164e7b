"""What a target sets beside the models is part of what its tables were built as."""

import json
from pathlib import Path

import pytest

from smelt.engines.duckdb.environment import environment, what_changed
from smelt.engines.duckdb.errors import Redaction
from smelt.project.model import Target
from tests.engines.labs import Lab
from tests.engines.test_sources import COLUMNS, MODEL, files

UPPER = MODEL.replace("k, v,", "k, upper(v) AS v,")


def lab_of(root: Path, more: str) -> Lab:
    given = files("name: main.events", COLUMNS, model=UPPER)
    given["smelt.yml"] = (
        f"name: lab\ntargets:\n  dev: {{type: duckdb, database: dev.duckdb{more}}}\ndefault_target: dev\n"
    )
    return Lab(root, given)


def built(root: Path, more: str) -> None:
    lab = lab_of(root, more)
    lab.run("CREATE TABLE main.events (k INTEGER, v VARCHAR, t TIMESTAMP, gone BOOLEAN, d DATE)")
    lab.run("INSERT INTO main.events VALUES (1, 'a', '2025-01-01', FALSE, '2025-01-01')")
    lab.fold()
    lab.close()


MACRO = """, init_sql: ["CREATE TEMP MACRO upper(x) AS 'P' || x"]"""


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("", MACRO, "init_sql changed"),
        (MACRO, "", "init_sql changed"),
        (MACRO, MACRO.replace("'P'", "'Q'"), "init_sql changed"),
        ("", ", extensions: [core_functions]", "extensions changed from none to core_functions"),
        ("", ", settings: {scalar_subquery_error_on_multiple_rows: false}", "changed from none to false"),
        ("", ", settings: {TimeZone: Asia/Kolkata}", "setting TimeZone changed from utc to asia/kolkata"),
        ("", """, init_sql: ["SET TimeZone = 'Asia/Kolkata'"]""", "setting TimeZone changed from utc to asia/kolkata"),
    ],
)
def test_what_may_change_a_value_needs_approval(tmp_path: Path, before: str, after: str, told: str) -> None:
    built(tmp_path, before)
    lab = lab_of(tmp_path, after)
    failure = lab.failure()
    assert (failure.code, failure.approval) == ("DefinitionDeltaPending", True)
    assert told in failure.message
    lab.fold(full_refresh=True)
    assert lab.fold().strategy == "none"
    lab.close()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (MACRO, """, init_sql: ["create  temp macro upper ( x ) as 'P'||x ; -- louder"]"""),
        ("", ', settings: {threads: 1, memory_limit: 1GB}, init_sql: ["SET GLOBAL threads = 2"]'),
        ("", ', init_sql: ["CREATE OR REPLACE TEMPORARY SECRET s (TYPE http, BEARER_TOKEN abc)"]'),
    ],
)
def test_what_changes_none_needs_nothing(tmp_path: Path, before: str, after: str) -> None:
    built(tmp_path, before)
    lab = lab_of(tmp_path, after)
    assert lab.fold().strategy == "none"
    lab.close()


def test_an_interpolated_value_is_compared_and_not_stored() -> None:
    def told(word: str) -> str:
        return environment(Target("dev", init_sql=(f"CREATE MACRO f() AS '{word}'",)), {}, Redaction((word,)))

    assert "hunter2" not in told("hunter2")
    assert what_changed(told("hunter2"), told("hunter2")) == []
    assert len(what_changed(told("hunter2"), told("hunter3"))) == 1


def test_what_an_older_record_does_not_hold_is_no_change() -> None:
    now = environment(
        Target("dev", init_sql=("CREATE MACRO f() AS 1",), extensions=("icu",)), {"TimeZone": "utc"}, Redaction()
    )
    assert what_changed(None, now) == []
    assert what_changed(json.dumps({"TimeZone": "utc"}), now) == []
    assert what_changed(json.dumps({"TimeZone": "asia/kolkata"}), now) != []
