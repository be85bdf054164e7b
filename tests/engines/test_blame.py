"""A value that cannot be computed is told with its file, its line and its rows."""

from pathlib import Path

import pytest

from smelt.engines.model import Failure, WarehouseError
from tests.engines.labs import Lab, days
from tests.engines.test_sources import COLUMNS, files

MODEL = """---
refresh: incremental
---
SELECT
    k,
    {item},
    t AS since,
    LEAD(t) OVER (PARTITION BY k ORDER BY t) AS valid_to
FROM smelt.sources.events
{where}
QUALIFY NOT gone
"""


def lab_of(root: Path, item: str, where: str = "", columns: str = COLUMNS) -> Lab:
    lab = Lab(root, files("name: main.events", columns, model=MODEL.format(item=item, where=where)))
    lab.run("CREATE TABLE main.events (k INTEGER, v VARCHAR, t TIMESTAMP, gone BOOLEAN, d DATE)")
    lab.run("INSERT INTO main.events VALUES (1, '1', '2025-01-01', FALSE, '2025-01-01')")
    lab.run("INSERT INTO main.events VALUES (2, NULL, '2025-01-01', FALSE, '2025-01-01')")
    return lab


def place(lab: Lab, failure: Failure) -> tuple[str, str]:
    """The file and the text that a failure points at."""
    location = failure.diagnostics[0].location
    assert failure.diagnostics[0].message == failure.message
    return location.file, location.span.of(lab.files[location.file])


@pytest.mark.parametrize(
    ("item", "bad"),
    [
        ("CAST(v AS INTEGER) AS n", "x"),
        ("strptime(v, '%d') AS at", "x"),
        ("v::JSON ->> 'a' AS a", "{"),
        ("upper(v)::DATE AS day", "x"),
        ("1 + (200 + v::TINYINT)::TINYINT AS small", "100"),
    ],
)
def test_a_column_that_cannot_be_computed(tmp_path: Path, item: str, bad: str) -> None:
    lab = lab_of(tmp_path, item)
    lab.run("DELETE FROM main.events WHERE v IS NOT NULL")
    lab.run(f"INSERT INTO main.events VALUES (7, '{bad}', '2025-01-01', FALSE, '2025-01-02')")
    lab.run(f"INSERT INTO main.events VALUES (8, '{bad}', '2025-01-01', TRUE, '2025-01-02')")
    failure = lab.failure()
    assert failure.code == "WarehouseStatementFailed"
    assert place(lab, failure) == ("models/history.sql", item)
    assert f"in 1 of the rows read: (k = 7, v = {bad}, t = 2025-01-01 00:00:00" in failure.message
    assert lab.failure(samples=0).message == "history: this cannot be computed in 1 of the rows read"
    lab.close()


def test_only_rows_of_the_window_are_told(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, "CAST(v AS INTEGER) AS n")
    lab.run("INSERT INTO main.events VALUES (7, 'x', '2025-01-01', FALSE, '2025-01-02')")
    lab.run("INSERT INTO main.events VALUES (8, 'y', '2025-01-01', FALSE, '2025-01-03')")
    message = lab.failure(window=days(1, 3)).message
    assert "in 1 of the rows read: (k = 7" in message
    lab.close()


def test_a_filter_that_cannot_be_computed(tmp_path: Path) -> None:
    where = "WHERE CAST(v AS INTEGER) > 0"
    lab = lab_of(tmp_path, "v", where)
    lab.run("INSERT INTO main.events VALUES (7, 'x', '2025-01-01', FALSE, '2025-01-02')")
    failure = lab.failure()
    assert place(lab, failure) == ("models/history.sql", where)
    assert "in 1 of the rows read: (k = 7" in failure.message
    lab.close()


def test_a_derived_column_that_cannot_be_computed(tmp_path: Path) -> None:
    item = "COALESCE(LAG(t) OVER (PARTITION BY k ORDER BY t), 'never') AS before"
    lab = lab_of(tmp_path, item)
    failure = lab.failure()
    assert failure.code == "WarehouseStatementFailed"
    assert place(lab, failure) == ("models/history.sql", item)
    lab.close()


def test_an_expression_of_the_source_that_cannot_be_computed(tmp_path: Path) -> None:
    column = "{name: n, type: INTEGER, expression: CAST(v AS INTEGER)}"
    lab = lab_of(tmp_path, "n", columns=f"{COLUMNS}  - {column}\n")
    lab.run("INSERT INTO main.events VALUES (7, 'x', '2025-01-01', FALSE, '2025-01-02')")
    failure = lab.failure()
    assert failure.code == "WarehouseStatementFailed"
    assert place(lab, failure) == ("models/sources/events.yml", column)
    lab.close()


def test_a_table_that_cannot_be_computed(tmp_path: Path) -> None:
    model = "---\nmaterialization: table\n---\nSELECT CAST(v AS INTEGER) AS n FROM smelt.sources.events\n"
    lab = lab_of(tmp_path, "v")
    lab.load({**lab.files, "models/numbers.sql": model})
    lab.files = {**lab.files, "models/numbers.sql": model}
    lab.run("INSERT INTO main.events VALUES (7, 'x', '2025-01-01', FALSE, '2025-01-02')")
    with pytest.raises(WarehouseError) as caught:
        lab.warehouse.build_table(lab.model("numbers"), "run-1", 1)
    assert caught.value.failure.code == "WarehouseStatementFailed"
    assert place(lab, caught.value.failure) == ("models/numbers.sql", "SELECT")
    lab.close()


@pytest.mark.parametrize("kind", ["succession", "table"])
def test_a_file_that_breaks_off(tmp_path: Path, kind: str) -> None:
    line = '{"k": 1, "v": "a", "t": "2025-01-01", "gone": false, "d": "2025-01-01"}\n'
    table = "---\nmaterialization: table\n---\nSELECT k FROM smelt.sources.events\n"
    given = {
        **files("files: data/*.json", model=MODEL.format(item="v", where="")),
        "models/keys.sql": table,
        "data/a.json": line * 3,
    }
    lab = Lab(tmp_path, given)
    lab.fold()
    (tmp_path / "data/b.json").write_text(line + line[:30])
    if kind == "succession":
        failure = lab.failure()
    else:
        with pytest.raises(WarehouseError) as caught:
            lab.warehouse.build_table(lab.model("keys"), "run-2", 2)
        failure = caught.value.failure
    assert failure.code == "SourceFileUnreadable"
    assert place(lab, failure) == ("models/sources/events.yml", "data/*.json")
    assert "b.json" in failure.message
    lab.close()
