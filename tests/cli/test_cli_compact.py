"""``smelt compact``: a smaller file with everything in it."""

from pathlib import Path

import duckdb
import pytest

from tests.cli.shell import Shell, in_a_process


def database(shell: Shell) -> Path:
    return next(shell.root.glob("target/*.duckdb"))


def execute(shell: Shell, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(database(shell)) as connection:
        return connection.execute(sql).fetchall()


def grown(shell: Shell) -> None:
    """A database with room to give back, and with things in it that are not smelt's."""
    assert shell("build").code == 0
    execute(
        shell,
        "CREATE SCHEMA other; CREATE TABLE other.kept AS SELECT range AS i FROM range(1000);"
        "COMMENT ON TABLE other.kept IS 'it''s kept'; COMMENT ON COLUMN main.customer_history.tier IS 'a plan';"
        "CREATE VIEW other.seen AS SELECT count(*) AS n FROM other.kept; CREATE MACRO twice(a) AS 2 * a;"
        "CREATE TABLE other.gone AS SELECT range AS i, 'text ' || range AS t FROM range(400000)",
    )
    execute(shell, "DROP TABLE other.gone")


def test_the_file_shrinks_and_keeps_everything(shell: Shell) -> None:
    grown(shell)
    history = execute(shell, "FROM main.customer_history ORDER BY ALL")
    before = database(shell).stat().st_size
    mode = database(shell).stat().st_mode
    done = shell("compact", "--json")
    assert done.code == 0
    assert done.json["bytes_before"] == before > 2 * done.json["bytes_after"]
    assert done.json["bytes_after"] == database(shell).stat().st_size
    assert database(shell).stat().st_mode == mode
    assert sorted(path.name for path in database(shell).parent.iterdir() if path.is_file()) == [database(shell).name]
    assert execute(shell, "FROM main.customer_history ORDER BY ALL") == history
    assert execute(shell, "SELECT n, twice(21) FROM other.seen") == [(1000, 42)]
    assert execute(shell, "SELECT comment FROM duckdb_tables() WHERE table_name = 'kept'") == [("it's kept",)]
    assert execute(shell, "SELECT comment FROM duckdb_columns() WHERE comment IS NOT NULL") == [("a plan",)]
    assert shell("verify").code == 0
    assert shell("run", "customer_history").err.startswith("done     customer_history    ")


def test_rows_of_a_key_lie_together_afterwards(shell: Shell) -> None:
    for day in (3, 1, 2):
        shell("run", "customer_history", "--start", f"2025-01-0{day}", "--end", f"2025-01-0{day + 1}")
    order = "SELECT customer_id, valid_from FROM main.customer_history"
    assert execute(shell, order) != sorted(execute(shell, order))
    assert shell("compact", "customer_history").code == 0
    assert execute(shell, order) == sorted(execute(shell, order))


def test_a_sequence_is_not_begun_again(shell: Shell) -> None:
    grown(shell)
    execute(shell, "CREATE SEQUENCE other.numbers")
    content = database(shell).read_bytes()
    said = shell("compact")
    assert said.code == 1
    assert "DatabaseNotCompactable" in said.err
    assert "sequence" in said.err
    assert len(database(shell).read_bytes()) == len(content)


@pytest.mark.parametrize("point", ["before-swap", "after-swap"])
def test_a_kill_leaves_one_whole_database(shell: Shell, point: str) -> None:
    grown(shell)
    history = execute(shell, "FROM main.customer_history ORDER BY ALL")
    killed = in_a_process("compact", cwd=shell.root, SMELT_FAILPOINT=point)
    assert killed.code == -9
    assert execute(shell, "FROM main.customer_history ORDER BY ALL") == history
    assert shell("compact").code == 0
    assert database(shell).is_file()
    assert not list(database(shell).parent.glob("*.compacting*"))
    assert execute(shell, "FROM main.customer_history ORDER BY ALL") == history


def test_it_waits_for_nobody(shell: Shell) -> None:
    grown(shell)
    with duckdb.connect(database(shell)):
        said = in_a_process("compact", cwd=shell.root)
    assert (said.code, "WarehouseLocked" in said.err) == (4, True)


def test_nothing_to_compact(shell: Shell) -> None:
    said = shell("compact")
    assert said.code == 1
    assert "is not there" in said.err
