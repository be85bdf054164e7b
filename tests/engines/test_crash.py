"""A process killed at each place where a fold can be killed leaves the old table or the new one, never a mixture."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from smelt.failpoints import VARIABLE
from tests.engines.labs import Lab, days
from tests.engines.test_sources import files

ROOT = Path(__file__).parents[2]
CONFIG = "name: lab\ntargets:\n  dev: {type: duckdb, database: target/lab.duckdb}\ndefault_target: dev\n"
ROWS = (
    "(1, 'a', '2025-01-01 10:00', FALSE, '2025-01-01'), (1, NULL, '2025-01-01 11:00', TRUE, '2025-01-01'), "
    "(1, 'b', '2025-01-02 10:00', FALSE, '2025-01-02'), (1, 'late', '2025-01-01 10:30', FALSE, '2025-01-02')"
)
ORACLE = (
    "SELECT k, v, t AS since, lead(t) OVER (PARTITION BY k ORDER BY t) AS valid_to "
    "FROM (SELECT DISTINCT * EXCLUDE d FROM main.events WHERE d < '2025-01-0{}') QUALIFY NOT gone"
)
CHILD = """
import sys
from pathlib import Path
from tests.engines.labs import Lab, days
from tests.engines.test_crash import project
lab = Lab(Path(sys.argv[1]), project())
window = None if sys.argv[2] == "rebuild" else days(int(sys.argv[2]), int(sys.argv[2]) + 1)
lab.fold(window=window, full_refresh=window is None)
"""


def project() -> dict[str, str]:
    return {**files("name: main.events"), "smelt.yml": CONFIG}


def prepared(root: Path) -> None:
    lab = Lab(root, project())
    lab.run("CREATE TABLE main.events (k INTEGER, v VARCHAR, t TIMESTAMP, gone BOOLEAN, d DATE)")
    lab.run(f"INSERT INTO main.events VALUES {ROWS}")
    lab.close()


def killed_at(root: Path, point: str, what: str) -> None:
    environment = {**os.environ, VARIABLE: point}
    child = subprocess.run([sys.executable, "-c", CHILD, str(root), what], cwd=ROOT, env=environment, check=False)
    assert child.returncode == -signal.SIGKILL


def differs(root: Path, upto: int) -> list[tuple[object, ...]]:
    lab = Lab(root, project())
    found = lab.differ("SELECT * FROM main.history", ORACLE.format(upto))
    lab.close()
    return found


@pytest.mark.parametrize(("point", "done"), [("after-stage", False), ("before-commit", False), ("after-commit", True)])
def test_a_killed_patch(tmp_path: Path, point: str, done: bool) -> None:
    prepared(tmp_path)
    lab = Lab(tmp_path, project())
    lab.fold(window=days(1, 2))
    lab.close()
    killed_at(tmp_path, point, "2")
    assert differs(tmp_path, 3 if done else 2) == []
    lab = Lab(tmp_path, project())
    built = lab.fold()
    assert built.rows_inserted == (0 if done else 2)
    assert lab.differ("SELECT * FROM main.history", ORACLE.format(3)) == []
    assert lab.run("SELECT count(*) FROM main.history__tombstones") == [(1,)]
    lab.close()


@pytest.mark.parametrize("point", ["after-stage", "before-commit"])
def test_a_killed_first_run_leaves_nothing(tmp_path: Path, point: str) -> None:
    prepared(tmp_path)
    killed_at(tmp_path, point, "1")
    with duckdb.connect(str(tmp_path / "target" / "lab.duckdb")) as connection:
        assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("events",)]
    lab = Lab(tmp_path, project())
    assert lab.fold().row_count == 3
    lab.close()


@pytest.mark.parametrize("point", ["after-stage", "before-commit"])
def test_a_killed_rebuild_keeps_the_old_pair(tmp_path: Path, point: str) -> None:
    prepared(tmp_path)
    lab = Lab(tmp_path, project())
    lab.fold()
    before = lab.state()
    lab.close()
    killed_at(tmp_path, point, "rebuild")
    lab = Lab(tmp_path, project())
    assert lab.state() == before
    assert lab.fold().strategy == "none"
    lab.close()
