"""Loaders that go on while a run reads: what comes too late for a run is folded by the next, and nothing twice."""

from pathlib import Path

import pytest

from smelt.engines.duckdb import folding
from smelt.engines.duckdb.verifying import verify
from tests.engines.labs import Lab, days
from tests.engines.test_folding import add, lab_of
from tests.engines.test_sources import COLUMNS, MODEL, files

POINTS = ("after-Stage", "after-stage", "after-Collapse", "after-Write", "before-record")
HEADER = "k,v,t,gone,d\n"


class Loader:
    """Does something once, when a fold comes by a point."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, point: str) -> None:
        self.point = point
        self.actions: list[object] = []
        monkeypatch.setattr(folding, "failpoint", self.passed)

    def passed(self, point: str) -> None:
        if point == self.point and self.actions:
            self.actions.pop()()  # type: ignore[operator]


def is_right(lab: Lab) -> None:
    assert lab.fold().strategy == "none"
    wanted = (
        "SELECT k, v, t AS since, lead(t) OVER (PARTITION BY k ORDER BY t) AS valid_to "
        "FROM (SELECT DISTINCT * EXCLUDE d FROM {}) QUALIFY NOT gone"
    )
    source = "main.events" if lab.run("FROM duckdb_tables() WHERE table_name = 'events'") else None
    read = f"read_csv('{lab.root}/data/*.csv', header = true)"
    assert lab.differ("SELECT * FROM main.history", wanted.format(source or read)) == []
    found = verify(lab.warehouse.session, lab.root, lab.project, lab.model("history"), 3)
    assert found is not None
    assert (found.differs, found.behind) == (False, 0)


@pytest.mark.parametrize("point", POINTS)
def test_rows_that_another_connection_commits_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (2, "x", 1, 1))
    lab.fold()
    add(lab, (1, "c", 3, 3))
    loader = Loader(monkeypatch, point)
    other = lab.connection.cursor()
    late = "INSERT INTO main.events VALUES (1, 'b', '2025-01-02 10:00', FALSE, '2025-01-03')"
    loader.actions.append(lambda: other.execute(late))
    lab.fold()
    assert loader.actions == []
    assert lab.run("SELECT count(*) FROM main.history") == [(3,)]
    lab.fold()
    is_right(lab)
    lab.close()


@pytest.mark.parametrize("window", [None, days(1, 4)])
@pytest.mark.parametrize("point", POINTS)
def test_files_that_are_added_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, window: object
) -> None:
    lab = Lab(tmp_path, files("files: data/*.csv", COLUMNS, profile="append_only", model=MODEL))
    (tmp_path / "data").mkdir()
    (tmp_path / "data/1.csv").write_text(f"{HEADER}1,a,2025-01-01 10:00:00,false,2025-01-01\n")
    lab.fold()
    (tmp_path / "data/2.csv").write_text(f"{HEADER}1,c,2025-01-03 10:00:00,false,2025-01-03\n")
    loader = Loader(monkeypatch, point)
    late = f"{HEADER}1,b,2025-01-02 10:00:00,false,2025-01-03\n1,z,2025-01-04 10:00:00,true,2025-01-04\n"
    loader.actions.append(lambda: (tmp_path / "data/3.csv").write_text(late))
    lab.fold(window=window)  # type: ignore[arg-type]
    assert loader.actions == []
    lab.fold()
    is_right(lab)
    lab.close()
