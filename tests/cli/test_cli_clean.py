"""``smelt clean``: what is named goes, nothing else."""

import json
import os
import pty
import subprocess
import sys

import duckdb
import pytest

from tests.cli.shell import Shell
from tests.state.children import HOLD, waiting

GONE = "current_customers: view main.current_customers"


def relations(shell: Shell) -> set[str]:
    with duckdb.connect(str(next(shell.root.glob("target/*.duckdb"))), read_only=True) as connection:
        return {
            str(row[0])
            for row in connection.execute("SELECT table_name FROM duckdb_columns() WHERE NOT internal").fetchall()
        }


def run_ids(shell: Shell, folder: str) -> list[str]:
    return sorted(path.stem for path in (shell.root / ".smelt/targets/dev" / folder).iterdir())


@pytest.fixture
def orphaned(built: Shell) -> Shell:
    """Both models are gone, their relations are not."""
    (built.root / "models/current_customers.sql").unlink()
    (built.root / "models/customer_history.sql").unlink()
    return built


def test_all_but_the_newest_runs_go(built: Shell) -> None:
    for _ in range(3):
        built("run")
    kept = run_ids(built, "runs")[-2:]
    (built.root / ".smelt/targets/dev/runs" / f"{run_ids(built, 'runs')[0]}.json").unlink()  # a clean that was killed
    said = built("clean", "--runs", "2", "--json")
    assert (said.code, said.json["runs_removed"], said.err) == (0, 2, "removed the records of 2 runs\n")
    assert run_ids(built, "runs") == run_ids(built, "reports") == kept
    assert built("clean", "--runs", "2").err == "removed the records of 0 runs\n"
    built("run")
    assert int(run_ids(built, "runs")[-1][-6:], 16) == 5


def test_orphans_are_listed_and_stay_without_a_word(orphaned: Shell) -> None:
    before = relations(orphaned)
    said = orphaned("clean", "--orphans")
    assert said.code == 0
    assert said.err.splitlines() == [
        GONE,
        "customer_history: table main.customer_history with 8 rows; table main.customer_history__tombstones with 1 row",
        "nothing is dropped; `smelt clean --orphans --yes` drops what is left of 2 models",
    ]
    assert relations(orphaned) == before


def test_orphans_go_with_all_that_was_recorded_of_them(orphaned: Shell) -> None:
    said = orphaned("clean", "--orphans", "--yes", "--json")
    assert [one["model"] for one in said.json["orphans"]] == ["current_customers", "customer_history"]
    assert all(each["dropped"] for one in said.json["orphans"] for each in one["relations"])
    assert relations(orphaned) == {"_smelt_models", "_smelt_frontier"}
    target = orphaned.root / ".smelt/targets/dev"
    assert json.loads((target / "intervals.json").read_text())["models"] == {}
    assert list((target / "schemas").iterdir()) == []
    assert orphaned("clean", "--orphans").err == "no relation in target dev is left of a model that is gone\n"


@pytest.mark.parametrize(("answer", "dropped"), [("y", True), ("n", False)])
def test_a_person_is_asked(built: Shell, answer: str, dropped: bool) -> None:
    (built.root / "models/current_customers.sql").unlink()
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", "from smelt.cli.main import main; main()", "clean", "--orphans"],
        cwd=built.root,
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        os.write(master, f"{answer}\n".encode())
        _, err = child.communicate(timeout=60)
    os.close(master)
    os.close(slave)
    assert (child.returncode, "drop what is left of 1 model? [y/N]" in err) == (0, True)
    assert ("current_customers" in relations(built)) is not dropped


def test_what_somebody_put_in_the_place_stays(orphaned: Shell) -> None:
    with duckdb.connect(str(next(orphaned.root.glob("target/*.duckdb")))) as connection:
        connection.execute("DROP TABLE customer_history; CREATE VIEW customer_history AS SELECT 1 AS one")
        connection.execute("DROP VIEW current_customers")
    said = orphaned("clean", "--orphans", "--yes")
    assert "view main.customer_history, which smelt did not make: it stays" in said.err
    assert "current_customers: its relations are gone already" in said.err
    assert "customer_history" in relations(orphaned)
    assert "customer_history__tombstones" not in relations(orphaned)
    assert "no relation" in orphaned("clean", "--orphans").err


def test_a_file_with_a_fault_is_no_model_that_is_gone(built: Shell) -> None:
    before = relations(built)
    built.write("models/customer_history.sql", "---\nname: [\n---\nSELECT 1")
    assert built("clean", "--orphans", "--yes").code == 2
    built.write("models/customer_history.sql", "SELEC 1")
    assert "no relation" in built("clean", "--orphans", "--yes").err
    assert relations(built) == before


def test_nothing_was_built_yet(shell: Shell) -> None:
    assert "no relation" in shell("clean", "--orphans", "--yes").err
    assert "0 runs" in shell("clean", "--runs", "1").err


def test_the_cache(shell: Shell) -> None:
    shell("check")
    assert (shell.root / "target/.cache").is_dir()
    assert shell("clean", "--cache").err == "removed target/.cache\n"
    assert not (shell.root / "target/.cache").exists()
    assert shell("clean", "--cache").err == "there is no cache\n"


@pytest.mark.parametrize("arguments", [(), ("--yes", "--runs", "3"), ("--runs", "0"), ("--runs", "some")])
def test_it_must_be_told_what(shell: Shell, arguments: tuple[str, ...]) -> None:
    assert shell("clean", *arguments).code == 2
    assert not (shell.root / ".smelt").exists()


def test_it_waits_for_nobody_and_touches_nothing_beside_a_run(built: Shell) -> None:
    before = run_ids(built, "runs")
    with waiting(HOLD, built.root):
        assert built("clean", "--runs", "1").code == 4
    assert run_ids(built, "runs") == before
