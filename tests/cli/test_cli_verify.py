"""``smelt verify``: what it says and how it ends."""

import duckdb

from tests.cli.shell import Shell


def edit(shell: Shell, sql: str) -> None:
    with duckdb.connect(next(shell.root.glob("target/*.duckdb"))) as connection:
        connection.execute(sql)


def test_a_sound_table(shell: Shell) -> None:
    shell("run")
    said = shell("verify")
    assert (said.code, said.out, said.err) == (0, "same     customer_history  8 rows; 1 tombstone\n", "")
    assert shell("verify", "customer_history", "--json").json["models"][0]["outcome"] == "same"


def test_a_difference_is_shown_with_its_rows(shell: Shell) -> None:
    shell("run")
    edit(shell, "UPDATE customer_history SET tier = 'x' WHERE tier = 'gold'")
    said = shell("verify")
    assert said.code == 1
    assert said.out.startswith("differs  customer_history  8 rows; 1 tombstone\n")
    assert "in the table, and should not be" in said.out
    assert "missing from the table" in said.out
    found = shell("verify", "--json").json["models"][0]["table"]
    assert found["unexpected"]["count"] == found["missing"]["count"] >= 1
    assert found["unexpected"]["sample"][0]["tier"] == "x"


def test_what_is_behind_fails_only_if_asked(shell: Shell) -> None:
    shell("run", "customer_history", "--start", "2025-01-01", "--end", "2025-01-02")
    assert shell("verify").code == 0
    strict = shell("verify", "--strict")
    assert strict.code == 1
    assert "behind by" in strict.out


def test_nothing_built_and_nothing_to_verify(shell: Shell) -> None:
    said = shell("verify")
    assert (said.code, said.out) == (1, "")
    assert "nothing is built in target dev yet" in said.err
    shell("run", "current_customers")
    assert shell("verify", "current_customers").code == 2


def test_another_definition_waits_for_a_person(shell: Shell) -> None:
    shell("run")
    shell.edit("models/customer_history.sql", "region,", "upper(region) AS region,")
    said = shell("verify")
    assert said.code == 3
    assert "DefinitionDeltaPending" in said.out
    assert shell("verify", "--json").json["models"][0]["error"]["code"] == "DefinitionDeltaPending"
