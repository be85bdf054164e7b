"""``--dry-run``: what it prints is what a run then does, and it touches nothing."""

import fcntl
from collections.abc import Mapping
from pathlib import Path

import duckdb
import pytest

from smelt.engines.duckdb.session import Row, Session
from smelt.engines.duckdb.statements import Statement
from tests.cli.shell import Shell


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def executed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that sessions run from here on."""
    found: list[str] = []
    really = Session.run

    def run(session: Session, sql: str | Statement, parameters: Mapping[str, object] | None = None) -> list[Row]:
        found.append(sql.sql if isinstance(sql, Statement) else sql)
        return really(session, sql, parameters)

    monkeypatch.setattr(Session, "run", run)
    return found


def test_a_first_run(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(shell.root)
    said = shell("run", "--dry-run")
    assert (said.code, said.err) == (0, "")
    assert "-- model customer_history: built 2025-01-01 to before 2025-01-04 in 1 transaction\n" in said.out
    assert "-- model current_customers: a view, made if it is missing or reads otherwise\n" in said.out
    planned = shell("run", "--dry-run", "--json").json["models"]
    assert files(shell.root) == before
    ran = executed(monkeypatch)
    assert shell("run").code == 0
    history = planned[0]
    for statement in history["transactions"][0]:
        if statement["label"] != "copy the window":  # its bounds are parameters
            assert statement["sql"] in ran


def test_what_is_new_and_what_is_not(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("run", "customer_history", "--start", "2025-01-01", "--end", "2025-01-02")
    before = files(shell.root)
    said = shell("run", "customer_history", "--dry-run")
    assert said.out.startswith("-- model customer_history: folds 2025-01-02 to before 2025-01-04 in 1 transaction\n")
    planned = shell("run", "customer_history", "--dry-run", "--json").json["models"][0]
    assert planned["ranges"] == [{"start": "2025-01-02T00:00:00", "end": "2025-01-04T00:00:00"}]
    assert files(shell.root) == before
    ran = executed(monkeypatch)
    assert shell("run", "customer_history").code == 0
    for statement in planned["transactions"][0]:
        if statement["label"] != "copy the window" and statement["guard"] is None:
            assert statement["sql"] in ran
    assert shell("run", "customer_history", "--dry-run").out == "-- model customer_history: nothing new\n\n"


def test_pieces_are_transactions(shell: Shell) -> None:
    said = shell("run", "customer_history", "--dry-run", "--chunk", "1")
    assert (
        "built 2025-01-01 to before 2025-01-02, 2025-01-02 to before 2025-01-03, 2025-01-03 to before 2025-01-04 "
        "in 3 transactions" in said.out
    )
    assert said.out.count("-- transaction ") == 3
    assert said.out.count("create the history") == 1


def test_a_refusal_is_told_with_the_exit_code_of_the_run(shell: Shell) -> None:
    shell("run")
    shell.edit("models/customer_history.sql", "region,", "upper(region) AS region,")
    said = shell("run", "--dry-run")
    assert said.code == 3
    assert "-- model customer_history: would be refused\n--   error[DefinitionDeltaPending]" in said.out
    assert shell("run", "--dry-run", "--json").json["models"][0]["error"]["code"] == "DefinitionDeltaPending"


def test_a_new_name_is_told(shell: Shell) -> None:
    shell("run", "customer_history")
    shell.edit("models/customer_history.sql", "refresh: incremental", "refresh: incremental\nname: renamed")
    before = files(shell.root)
    said = shell("run", "customer_history", "--dry-run")
    assert said.out == "-- model customer_history: nothing new; customer_history gets its new name first\n\n"
    assert files(shell.root) == before


def test_it_takes_no_lock_and_reads_beside_another_reader(shell: Shell) -> None:
    shell("run")
    with (
        duckdb.connect(next(shell.root.glob("target/*.duckdb")), read_only=True),
        (shell.root / ".smelt/lock").open() as lock,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert shell("run", "--dry-run").code == 0


def test_a_build_names_its_seeds(shell: Shell) -> None:
    shell.write("models/plans.csv", "id\n1\n")
    said = shell("build", "--dry-run")
    assert said.out.startswith("-- seed plans: load its file, unless it is the one that was loaded last\n")
