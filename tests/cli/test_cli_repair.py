"""``smelt repair``: whatever became of a table, it is what its SQL gives again."""

import duckdb
import pytest

from tests.cli.shell import Shell


def edit(shell: Shell, sql: str) -> None:
    with duckdb.connect(next(shell.root.glob("target/*.duckdb"))) as connection:
        connection.execute(sql)


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE customer_history",
        "DROP TABLE customer_history__tombstones",
        "DELETE FROM customer_history",
        "UPDATE customer_history SET tier = 'x'",
        "ALTER TABLE customer_history RENAME COLUMN tier TO other",
        "ALTER TABLE customer_history ADD COLUMN other INTEGER",
        "DROP TABLE customer_history; CREATE VIEW customer_history AS SELECT 1 AS one",
    ],
)
def test_it_mends_what_was_done_by_hand(shell: Shell, damage: str) -> None:
    shell("run")
    edit(shell, damage)
    said = shell("repair", "customer_history")
    assert (said.code, said.out) == (0, "")
    assert shell("verify").out == "same     customer_history  8 rows; 1 tombstone\n"
    assert shell.manifests()[-1]["command"] == "repair"
    assert shell("run", "customer_history").code == 0


def test_it_takes_a_changed_definition(shell: Shell) -> None:
    shell("run")
    shell.edit("models/customer_history.sql", "region,", "upper(region) AS region,")
    assert shell("run").code == 3
    assert shell("repair", "customer_history").code == 0
    assert shell("verify").code == 0


def test_lost_history_waits_for_a_word(shell: Shell) -> None:
    shell("run")
    data = next(shell.root.glob("**/*.csv"))
    lines = data.read_text().splitlines(keepends=True)
    last = lines[-1].rstrip("\n").rpartition(",")[2]
    data.write_text("".join(line for line in lines if not line.rstrip("\n").endswith(last)))
    assert shell("repair", "customer_history").code == 3
    assert shell("verify").out.startswith("same ")
    assert shell("repair", "customer_history", "--lose-history").code == 0


def test_what_smelt_did_not_build_is_left_alone(shell: Shell) -> None:
    shell("run")
    edit(shell, "DROP TABLE _smelt_models")
    said = shell("repair", "customer_history")
    assert said.code == 1
    assert "RelationNotManaged" in said.err


@pytest.mark.parametrize("arguments", [[], ["customer_history", "--all"]])
def test_it_wants_to_be_told_what(shell: Shell, arguments: list[str]) -> None:
    said = shell("repair", *arguments)
    assert (said.code, said.out) == (2, "")
    assert "repair what?" in said.err


def test_all_models(shell: Shell) -> None:
    shell("run")
    edit(shell, "DELETE FROM customer_history")
    assert shell("repair", "--all").code == 0
    assert shell("verify").code == 0
