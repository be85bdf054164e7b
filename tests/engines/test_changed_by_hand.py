"""What stands in the warehouse is what smelt left there, or a named refusal before anything is folded."""

from pathlib import Path

import pytest

from smelt.engines.model import WarehouseError
from tests.engines.labs import Lab
from tests.engines.test_sources import COLUMNS, MODEL, files


def lab_of(root: Path, more: str = "") -> Lab:
    given = files("name: main.events", COLUMNS, model=MODEL)
    given["smelt.yml"] = (
        f"name: lab\ntargets:\n  dev: {{type: duckdb, database: dev.duckdb{more}}}\ndefault_target: dev\n"
    )
    return Lab(root, given)


def built(root: Path) -> Lab:
    lab = lab_of(root)
    lab.run("CREATE TABLE main.events (k INTEGER, v VARCHAR, t TIMESTAMP, gone BOOLEAN, d DATE)")
    lab.run("INSERT INTO main.events VALUES (1, 'a', '2025-01-01', FALSE, '2025-01-01')")
    lab.run("INSERT INTO main.events VALUES (1, 'b', '2025-01-03', TRUE, '2025-01-01')")
    lab.fold()
    lab.run("INSERT INTO main.events VALUES (1, NULL, '2025-01-02', FALSE, '2025-01-02')")
    return lab


def again(table: str, select: str) -> str:
    return f"CREATE TABLE main.kept AS {select}; DROP TABLE main.{table}; ALTER TABLE main.kept RENAME TO {table}"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("ALTER TABLE main.history ADD COLUMN extra INTEGER", "main.history has another column extra"),
        ("ALTER TABLE main.history DROP COLUMN v", "main.history lacks its column v"),
        ("ALTER TABLE main.history RENAME COLUMN v TO w", "main.history lacks its column v"),
        ("ALTER TABLE main.history ALTER v TYPE BLOB", "main.history has v as BLOB, smelt left VARCHAR"),
        ("ALTER TABLE main.history ALTER v SET NOT NULL", "main.history has v as VARCHAR NOT NULL, smelt left VARCHAR"),
        (again("history", "SELECT v, k, since, valid_to FROM main.history"), "main.history has its columns in another"),
        (
            "ALTER TABLE main.history RENAME TO kept; CREATE VIEW main.history AS FROM main.kept",
            "main.history is a view, smelt left a table",
        ),
        ("ALTER TABLE main.history__tombstones ADD COLUMN w INTEGER", "main.history__tombstones has another column w"),
        (again("history__tombstones", "SELECT t, k FROM main.history__tombstones"), "main.history__tombstones has its"),
        (
            "ALTER TABLE main.history__tombstones RENAME TO kept; "
            "CREATE VIEW main.history__tombstones AS FROM main.kept",
            "main.history__tombstones is a view, smelt left a table",
        ),
        ("DELETE FROM main.history", "main.history has 0 rows, smelt left 1"),
        ("DROP TABLE main.history", "main.history is gone"),
    ],
)
def test_a_relation_that_was_changed_is_not_folded_into(tmp_path: Path, change: str, told: str) -> None:
    lab = built(tmp_path)
    lab.run(change)
    failure = lab.failure()
    assert failure.code == "MaintainedRelationChanged"
    assert failure.message.startswith(told)
    lab.fold(full_refresh=True)
    assert lab.fold().strategy == "none"
    lab.close()


def test_columns_that_an_older_smelt_did_not_record_are_taken_as_they_are(tmp_path: Path) -> None:
    lab = built(tmp_path)
    lab.run("ALTER TABLE main._smelt_models DROP COLUMN relation_columns")
    assert lab.fold().rows_inserted == 1
    lab.run("ALTER TABLE main.history ADD COLUMN extra INTEGER")
    assert lab.failure().code == "MaintainedRelationChanged"
    lab.close()


@pytest.mark.parametrize("name", ["history", "HISTORY__tombstones", "_smelt_models", "_smelt_frontier"])
@pytest.mark.parametrize("kind", ["TABLE", "VIEW"])
def test_a_temporary_relation_may_hide_none_of_smelts(tmp_path: Path, name: str, kind: str) -> None:
    hiding = f', init_sql: ["CREATE TEMP {kind} {name} AS SELECT 1 AS one"]'
    _is_refused(tmp_path, hiding, name)
    built(tmp_path).close()
    _is_refused(tmp_path, hiding, name)


def test_a_temporary_relation_beside_them_hides_nothing(tmp_path: Path) -> None:
    lab_of(tmp_path, ', init_sql: ["CREATE TEMP TABLE codes AS SELECT 1 AS one"]').close()


def _is_refused(root: Path, hiding: str, name: str) -> None:
    with pytest.raises(WarehouseError) as caught:
        lab_of(root, hiding)
    assert caught.value.failure.code == "WarehouseInitSqlFailed"
    assert f"hides main.{name}" in caught.value.failure.message


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("DROP TABLE main._smelt_models; CREATE VIEW main._smelt_models AS SELECT 1 AS one", "it is a view"),
        ("DROP TABLE main._smelt_models; CREATE TABLE main._smelt_models (a INTEGER)", "beginning with model"),
        ("ALTER TABLE main._smelt_models ALTER coverage TYPE BLOB", "beginning with coverage"),
        ("DROP TABLE main._smelt_frontier; CREATE TABLE main._smelt_frontier (a INTEGER)", "beginning with model"),
        ("ALTER TABLE main._smelt_frontier DROP COLUMN raw_rows", "beginning with raw_rows"),
    ],
)
def test_a_table_of_record_of_another_shape_is_refused(tmp_path: Path, change: str, told: str) -> None:
    lab = built(tmp_path)
    lab.run(change)
    failure = lab.failure()
    assert failure.code == "ReservedRelationName"
    assert told in failure.message
    assert failure.help == "rename or drop it; smelt makes its own anew"
    lab.close()


def test_a_copy_of_a_table_of_record_is_taken(tmp_path: Path) -> None:
    lab = built(tmp_path)
    for table in ("_smelt_models", "_smelt_frontier"):
        lab.run(f"CREATE TABLE main.kept AS FROM main.{table}; DROP TABLE main.{table}")
        lab.run(f"ALTER TABLE main.kept RENAME TO {table}")
    assert lab.fold().rows_inserted == 1
    lab.close()


@pytest.mark.parametrize("statement", ["BEGIN", "START TRANSACTION", "BEGIN; SELECT 1", "BEGIN; COMMIT; BEGIN"])
def test_init_sql_leaves_no_transaction_open(tmp_path: Path, statement: str) -> None:
    with pytest.raises(WarehouseError) as caught:
        lab_of(tmp_path, f', init_sql: ["SELECT 1", "{statement}"]')
    assert caught.value.failure.code == "WarehouseInitSqlFailed"
    assert caught.value.failure.message.endswith("statement 2 failed: it leaves a transaction open")
    lab_of(tmp_path, ', init_sql: ["BEGIN; CREATE MACRO one() AS 1; COMMIT"]').close()
