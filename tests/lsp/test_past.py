"""What code lenses say of runs: read from files, while another process holds the database and the lock."""

import fcntl
from pathlib import Path

import duckdb
import pytest

from smelt.editor.lens import Past, lenses
from smelt.editor.session import Workspace
from smelt.editor.snapshot import Snapshot
from smelt_lsp.past import past_of, target_of
from tests.cli.shell import Shell
from tests.editor.projects import MODEL, look, make

EVENTS = """customer_id,tier,region,effective_ts,is_deleted,ingested_date
1,gold,emea,2025-01-01 09:00:00,false,2025-01-01
1,silver,emea,2025-01-02 09:00:00,false,2025-01-02
2,gold,emea,2025-01-04 09:00:00,false,2025-01-04
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    root = make(tmp_path, {"data/changes.csv": EVENTS, "models/tiers.sql": "SELECT 1 AS n"})
    monkeypatch.chdir(root)
    return Shell(root)


def titles(snapshot: Snapshot, root: Path, file: str = MODEL) -> str:
    target = target_of(snapshot, file)
    assert target == "dev"
    past = past_of(root, target, str(snapshot.addresses[file]), target)
    return lenses(snapshot, file, past)[0].title


def test_runs_and_ranges_as_they_are_on_record(shell: Shell) -> None:
    snapshot = look(Workspace(), shell.root)
    assert titles(snapshot, shell.root) == "succession · never run · covers nothing"
    assert shell("run", "--start", "2025-01-01", "--end", "2025-01-02").code == 0
    said = titles(snapshot, shell.root)
    assert said.startswith("succession · last run 20")
    assert said.endswith(" UTC: 1 row inserted · covers 2025-01-01 to before 2025-01-02")
    assert shell("run", "customer_history", "--start", "2025-01-02", "--end", "2025-01-03").code == 0
    assert titles(snapshot, shell.root).endswith(": 1 row inserted, 1 patched · covers 2025-01-01 to before 2025-01-03")
    assert shell("run", "customer_history", "--start", "2025-01-04", "--end", "2025-01-05").code == 0
    assert titles(snapshot, shell.root).endswith("covers 2025-01-01 to before 2025-01-05, 1 gap")
    assert "view · last run 20" in titles(snapshot, shell.root, "models/tiers.sql")


def test_neither_the_database_nor_the_lock_is_needed(shell: Shell) -> None:
    shell("run")
    snapshot = look(Workspace(), shell.root)
    with (
        duckdb.connect(next(shell.root.glob("target/*.duckdb"))),
        (shell.root / ".smelt/lock").open() as lock,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "last run" in titles(snapshot, shell.root)


def test_a_damaged_record_says_nothing(shell: Shell) -> None:
    shell("run")
    next(shell.root.glob(".smelt/targets/dev/intervals.json")).write_text("{")
    assert past_of(shell.root, "dev", "customer_history", "dev") == Past()
    next(shell.root.glob(".smelt/targets/dev/intervals.json")).write_text('{"models": 3}')
    assert past_of(shell.root, "dev", "customer_history", "dev") == Past()


def test_a_failure_is_told(shell: Shell) -> None:
    shell("run")
    shell.edit(MODEL, "    tier,\n", "    upper(tier) AS tier,\n")
    assert shell("run", "customer_history").code == 3
    assert "succession · failed 20" in titles(look(Workspace(), shell.root), shell.root)
