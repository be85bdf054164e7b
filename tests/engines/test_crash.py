"""A process killed at each place where a fold can be killed leaves the old table or the new one, never a mixture."""

import os
import signal
from pathlib import Path

import duckdb
import pytest

from smelt.engines.duckdb.verifying import verify
from smelt.failpoints import VARIABLE
from tests import forked
from tests.engines.labs import Lab, days
from tests.engines.test_sources import files

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
    child = forked.run(CHILD, str(root), what, cwd=forked.REPOSITORY, environment={**os.environ, VARIABLE: point})
    assert child.returncode == -signal.SIGKILL, child.stderr


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


FILLING = """
import json, os, resource, sys
from pathlib import Path
from smelt.engines.model import WarehouseError
from tests.engines.labs import Lab
from tests.engines.test_crash import project
root = Path(sys.argv[1])
lab = Lab(root, project())
size = (root / "target" / "lab.duckdb").stat().st_size + int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
try:
    lab.fold()
except WarehouseError as error:
    print(error.failure.code, flush=True)
os._exit(0)  # as a machine that stops: nothing is tidied up
"""


@pytest.mark.parametrize("room", [0, 64 << 10, 512 << 10])
def test_a_disk_that_fills_up_in_the_middle_of_a_fold(tmp_path: Path, room: int) -> None:
    """Files may grow no further, as on a full disk; the fold needs megabytes, and an fsync of them may fail as well."""
    prepared(tmp_path)
    lab = Lab(tmp_path, project())
    lab.fold(window=days(1, 2))
    lab.run(
        "INSERT INTO main.events SELECT range % 50000, md5(range::VARCHAR), "
        "TIMESTAMP '2025-02-01' + to_seconds(range), FALSE, DATE '2025-01-02' FROM range(200000)"
    )
    lab.run("CHECKPOINT")
    before = lab.state()
    lab.close()
    child = forked.run(FILLING, str(tmp_path), str(room), cwd=forked.REPOSITORY, environment=os.environ)
    assert (child.stdout, child.returncode) == ("WarehouseDiskFull\n", 0), child.stderr
    lab = Lab(tmp_path, project())
    assert lab.state() == before
    assert lab.fold().rows_inserted == 200002
    found = verify(lab.warehouse.session, lab.root, lab.project, lab.model("history"), 3)
    assert found is not None
    assert (found.differs, found.behind) == (False, 0)
    lab.close()
