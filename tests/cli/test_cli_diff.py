"""``smelt diff``: what the project says and the warehouse does not have yet; only read."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.cli.shell import Shell
from tests.cli.test_cli_repair import edit
from tests.state.children import waiting

HISTORY = "models/customer_history.sql"
VIEW = "models/current_customers.sql"
OPEN = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(shell: Shell) -> Iterator[subprocess.Popen[str]]:
    """Another program has the database open for writing."""
    with waiting(OPEN, next(shell.root.glob("target/*.duckdb"))) as child:
        yield child


def test_before_the_first_run_everything_is_new(shell: Shell) -> None:
    said = shell("diff", "--exit-code")
    assert (said.code, said.err) == (1, "")
    assert said.out == (
        "new      customer_history   the next run builds it\nnew      current_customers  the next run builds it\n"
    )
    assert not (shell.root / ".smelt").exists()
    assert not (shell.root / "target").exists()


def test_after_it_nothing_is(built: Shell) -> None:
    said = built("diff", "--exit-code")
    assert (said.code, said.out, said.err) == (0, "", "nothing is pending\n")
    built.edit(HISTORY, "    region,", "    region,  -- where they live")
    assert built("diff", "--exit-code").code == 0


def test_columns_and_definitions(built: Shell) -> None:
    built.edit(HISTORY, "    region,", "    length(region) AS region,")
    built.edit(HISTORY, "    tier,\n", "    upper(tier) AS level,\n")
    built.edit(HISTORY, "{name: tier, tests", "{name: level, tests")
    said = built("diff", "customer_history")
    assert said.code == 0
    assert said.out.splitlines() == [
        "changed  customer_history  `smelt repair customer_history` rebuilds it",
        "  column tier was removed",
        "  column level was added",
        "  column region is computed in another way",
        "  tier: no longer there, was VARCHAR",
        "  level: new, VARCHAR",
        "  region: VARCHAR -> BIGINT",
    ]
    assert built("run", "customer_history").code == 3
    assert built("repair", "customer_history").code == 0
    assert built("diff", "customer_history").err == "nothing is pending\n"


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (VIEW, "SELECT", "SELECT 1 AS one,", ["changed", "the query changed", "one: new, INTEGER", "makes it anew"]),
        (
            VIEW,
            "materialization: view",
            "materialization: table",
            ["was kept as a view, is a table now", "makes it anew"],
        ),
        (VIEW, "---\n", "---\nname: others\n", ["changed from current_customers to others", "renames it"]),
        (VIEW, "SELECT", "SELEC", ["refused", "SqlSyntax", "`smelt check` says more"]),
        ("smelt.yml", "type: duckdb,", "type: duckdb, settings: {TimeZone: Asia/Tokyo},", ["timezone", "rebuilds it"]),
    ],
)
def test_each_kind_of_change(built: Shell, path: str, old: str, new: str, expected: list[str]) -> None:
    text = (built.root / path).read_text()
    (built.root / path).write_text(text.replace(old, new, 1))
    said = built("diff", "--exit-code")
    assert said.code == 1
    for part in expected:
        assert part.casefold() in said.out.casefold()


def test_what_is_gone_on_either_side(built: Shell) -> None:
    (built.root / VIEW).unlink()
    edit(built, "DROP TABLE customer_history")
    assert built("diff").out.splitlines() == [
        "changed  customer_history   `smelt repair customer_history` rebuilds it",
        "  what was built is gone",
        "gone     current_customers  `smelt clean --orphans` drops it",
    ]
    assert "current_customers" not in built("diff", "customer_history").out


def test_a_model_of_another_target_is_not_awaited_here(built: Shell) -> None:
    text = (built.root / "smelt.yml").read_text()
    (built.root / "smelt.yml").write_text(
        text.replace("targets:\n", "targets:\n  other: {type: duckdb, database: target/other.duckdb}\n")
    )
    built.write("models/elsewhere.sql", "---\ntarget: other\n---\nSELECT 1 AS one")
    assert built("diff").err == "nothing is pending\n"
    assert "new      elsewhere" in built("diff", "--target", "other").out


def test_json(built: Shell) -> None:
    built.edit(HISTORY, "    region,", "    length(region) AS region,")
    found = built("diff", "--json", "customer_history").json
    assert (found["target"], found["deployed_from"]) == ("dev", "warehouse")
    [model] = found["models"]
    assert model == {
        "model": "customer_history",
        "state": "changed",
        "deployed": "succession",
        "now": "succession",
        "changes": ["column region is computed in another way"],
        "columns": [{"name": "region", "deployed": "VARCHAR", "now": "BIGINT"}],
        "then": "`smelt repair customer_history` rebuilds it",
    }


def test_while_another_program_holds_the_database_snapshots_answer(built: Shell) -> None:
    built.edit(HISTORY, "    region,", "    length(region) AS region,")
    with held(built) as child:
        said = built("diff", "--json")
        assert said.json["deployed_from"] == "snapshots"
        assert [one["state"] for one in said.json["models"]] == ["changed", "changed"]
        assert str(child.pid) in said.err
        assert "compared with what the last runs wrote under .smelt/" in said.err
        snapshot = built.root / ".smelt/targets/dev/schemas/customer_history.json"
        snapshot.write_text(json.dumps({"version": 1}))
        said = built("diff")
        assert (said.code, "schemas/customer_history.json is corrupt" in said.err) == (2, True)
        shutil.rmtree(built.root / ".smelt")
        with (built.root / "smelt.yml").open("a") as file:
            file.write("state: {mode: stateless}\n")
        assert built("diff").code == 4
