"""Views, full tables and seeds: whole relations, each in one transaction."""

from pathlib import Path

import pytest

from smelt.engines.duckdb.record import Record
from smelt.engines.model import Built, WarehouseError
from tests.engines.labs import Lab

ORDERS = "CREATE TABLE main.raw_orders AS SELECT 1 AS id, 'open' AS state"
SOURCE = "name: main.raw_orders\ncolumns:\n  - {name: id, type: INTEGER}\n  - {name: state, type: VARCHAR}\n"


def lab_of(root: Path, models: dict[str, str], seeds: dict[str, str] | None = None) -> Lab:
    texts = {f"models/{name}.sql": text for name, text in models.items()}
    lab = Lab(root, {**texts, **(seeds or {}), "models/sources/orders.yml": SOURCE})
    lab.run(ORDERS)
    return lab


def view(lab: Lab, name: str) -> Built:
    return lab.warehouse.build_view(lab.model(name), "run-1", 1)


def table(lab: Lab, name: str) -> Built:
    return lab.warehouse.build_table(lab.model(name), "run-1", 1)


def seed(lab: Lab) -> Built:
    return lab.warehouse.load_seed(next(iter(lab.project.seeds.values())), "run-1", 1)


def code_of(error: pytest.ExceptionInfo[WarehouseError]) -> str:
    return error.value.failure.code


def created_at(lab: Lab, relation: str) -> object:
    rows = lab.run(f"SELECT view_oid FROM duckdb_views() WHERE view_name = '{relation}'")
    return rows[0][0]


def test_references_keep_the_authors_names_and_text(tmp_path: Path) -> None:
    models = {
        "silver/orders": "SELECT orders.id, o2.state -- a comment; with a semicolon\n"
        "FROM smelt.sources.orders JOIN smelt.sources.orders AS o2 USING (id);\n",
        "gold": "SELECT orders.id FROM smelt.silver.orders WHERE orders.id IN (SELECT id FROM smelt.silver.orders x)",
    }
    lab = lab_of(tmp_path, models)
    assert view(lab, "silver.orders").strategy == "view"
    built = view(lab, "gold")
    assert [(column.name, column.type) for column in built.columns] == [("id", "INTEGER")]
    assert lab.run("FROM main.gold") == [(1,)]
    lab.close()


def test_a_view_is_created_only_if_it_is_missing_or_differs(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, {"v": "SELECT id FROM smelt.sources.orders"})
    view(lab, "v")
    first, before = created_at(lab, "v"), lab.state()
    view(lab, "v")
    assert (created_at(lab, "v"), lab.state()) == (first, before)
    lab.run("DROP VIEW main.v")
    view(lab, "v")
    assert lab.run("FROM main.v") == [(1,)]
    lab.close()


def test_what_is_recorded_of_views_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = {"one": "SELECT id FROM smelt.sources.orders", "two": "SELECT id FROM smelt.one"}
    lab = lab_of(tmp_path, models)
    for name in ("one", "two"):
        view(lab, name)
    made = [created_at(lab, name) for name in ("one", "two")]
    lab.load(lab.files)
    with monkeypatch.context() as patch:
        patch.setattr(Record, "find", lambda *_: pytest.fail("asked about one view"))
        for name in ("one", "two"):
            view(lab, name)
    assert [created_at(lab, name) for name in ("one", "two")] == made
    lab.load({**lab.files, "models/one.sql": "SELECT id + 1 AS id FROM smelt.sources.orders"})
    view(lab, "one")
    assert lab.run("FROM main.two") == [(2,)]
    view(lab, "one")
    lab.close()


def test_a_view_follows_the_columns_of_what_it_reads(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, {"base": "SELECT 1 AS a", "top": "SELECT * FROM smelt.base"})
    view(lab, "base")
    view(lab, "top")
    lab.load({"models/base.sql": "SELECT 'x' AS a, 2 AS b", "models/top.sql": "SELECT * FROM smelt.base"})
    view(lab, "base")
    assert [column.name for column in view(lab, "top").columns] == ["a", "b"]
    assert lab.run("FROM main.top") == [("x", 2)]
    lab.close()


def test_kinds_change_in_one_transaction(tmp_path: Path) -> None:
    as_table = "---\nmaterialization: table\n---\nSELECT 1 AS one"
    lab = lab_of(tmp_path, {"m": "SELECT 1 AS one"})
    view(lab, "m")
    lab.load({"models/m.sql": as_table})
    assert table(lab, "m").row_count == 1
    assert lab.session_kind("m") == "table"
    lab.load({"models/m.sql": "SELECT 1 AS one"})
    view(lab, "m")
    assert lab.session_kind("m") == "view"
    lab.close()


def test_a_full_table_is_rebuilt_each_run(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, {"t": "---\nmaterialization: table\n---\nSELECT * FROM smelt.sources.orders"})
    assert table(lab, "t").row_count == 1
    lab.run("INSERT INTO main.raw_orders VALUES (2, 'paid')")
    assert table(lab, "t").row_count == 2
    lab.close()


def test_a_failed_rebuild_keeps_the_old_table(tmp_path: Path) -> None:
    text = "---\nmaterialization: table\n---\nSELECT CAST(state AS INTEGER) AS n FROM smelt.sources.orders"
    lab = lab_of(tmp_path, {"t": "---\nmaterialization: table\n---\nSELECT state AS n FROM smelt.sources.orders"})
    table(lab, "t")
    before = lab.state()
    lab.load({"models/t.sql": text, "models/sources/orders.yml": SOURCE})
    with pytest.raises(WarehouseError) as caught:
        table(lab, "t")
    assert code_of(caught) == "WarehouseStatementFailed"
    assert lab.state() == before
    lab.close()


def test_a_seeds_text_is_read_as_its_sidecar_says(tmp_path: Path) -> None:
    sidecar = "columns:\n  - {name: at, type: TIMESTAMP}\n  - {name: price, type: 'DECIMAL(10,2)'}\n"
    files = {"models/prices.yml": sidecar, "models/prices.csv": "at,price\n2025-01-01T12:00:00+02:00,1.50\n"}
    lab = lab_of(tmp_path, {}, files)
    seed(lab)
    assert lab.texts("FROM main.prices") == [("2025-01-01 10:00:00", "1.50")]
    (tmp_path / "models/prices.csv").write_text("at,price\n2025-01-01,1.239\n", "utf-8")
    with pytest.raises(WarehouseError) as caught:
        seed(lab)
    assert code_of(caught) == "SeedUnreadable"
    assert "1.239" in caught.value.failure.message
    lab.close()


def test_what_was_never_built_cannot_be_read(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, {"base": "SELECT 1 AS a", "top": "SELECT * FROM smelt.base"})
    with pytest.raises(WarehouseError) as caught:
        view(lab, "top")
    assert code_of(caught) == "RelationNotBuilt"
    assert caught.value.failure.help.endswith("smelt build +top")
    lab.close()


def test_the_relation_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, {"m": "SELECT 1 AS one"})
    lab.run("CREATE TABLE main.m AS SELECT 2 AS two")
    with pytest.raises(WarehouseError) as caught:
        view(lab, "m")
    assert code_of(caught) == "RelationNotManaged"
    lab.close()


def test_a_seed_is_loaded_once_until_its_file_changes(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, {}, {"models/regions.csv": "id,name\n1,Europe\n"})
    assert (seed(lab).strategy, seed(lab).strategy) == ("seed", "none")
    (tmp_path / "models" / "regions.csv").write_text("id,name\n1,Europe\n2,Asia\n")
    assert seed(lab).row_count == 2
    lab.run("DELETE FROM main.regions")
    assert seed(lab).strategy == "seed"
    lab.close()


def test_a_seed_is_typed_by_its_sidecar(tmp_path: Path) -> None:
    sidecar = "columns:\n  - {name: code, type: VARCHAR}\n  - {name: since, type: DATE}\n"
    lab = lab_of(tmp_path, {}, {"models/zips.csv": "code,since,n\n007,2025-01-01,5\n", "models/zips.yml": sidecar})
    assert [(column.name, column.type) for column in seed(lab).columns] == [
        ("code", "VARCHAR"),
        ("since", "DATE"),
        ("n", "VARCHAR"),
    ]
    lab.close()


@pytest.mark.parametrize("sidecar", ["", "columns:\n  - {name: id, type: INTEGER}\n  - {name: note, type: VARCHAR}\n"])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("id,note\n1,a\n2\n", "line 3: 1 value, but the header names 2 columns"),
        ("id,note\n1,a\n2,b,c\n", "line 3: 3 values, but the header names 2 columns"),
        ('id,note\n1,"a\n2,b\n', "line 2: a quote is not closed"),
        ("", "line 1 is empty"),
        ("\nid,note\n1,a\n", "line 1 is empty"),
        ("id,note,ID\n1,a,2\n", "line 1 names the column ID twice"),
        ("id,note\n1,\xe9\n", "line 2: the text is not UTF-8"),
    ],
)
def test_a_broken_seed_is_never_another_table(tmp_path: Path, sidecar: str, content: str, words: str) -> None:
    files = {"models/broken.csv": "id,note\n1,a\n", **({"models/broken.yml": sidecar} if sidecar else {})}
    lab = lab_of(tmp_path, {}, files)
    seed(lab)
    before = lab.state()
    (tmp_path / "models/broken.csv").write_bytes(content.encode("latin-1"))
    with pytest.raises(WarehouseError) as caught:
        seed(lab)
    assert code_of(caught) == "SeedUnreadable"
    assert f"models/broken.csv: {words}" in caught.value.failure.message
    assert "fixes" not in caught.value.failure.message
    assert lab.state() == before
    lab.close()


def test_a_seed_says_which_value_is_none_of_its_type_and_which_column_it_lacks(tmp_path: Path) -> None:
    sidecar = "columns:\n  - {name: Id, type: INTEGER}\n  - {name: note, type: VARCHAR}\n"
    content = 'note,id\n"two\nlines",1\na,one\n'
    lab = lab_of(tmp_path, {}, {"models/notes.csv": content, "models/notes.yml": sidecar})
    with pytest.raises(WarehouseError) as caught:
        seed(lab)
    assert "notes.csv: line 4: 'one' in id is no value of INTEGER" in caught.value.failure.message
    (tmp_path / "models/notes.csv").write_text("id;note\n1;a\n", "utf-8")
    with pytest.raises(WarehouseError) as caught:
        seed(lab)
    assert "line 1 has no column Id, which models/notes.yml declares; it has id;note" in caught.value.failure.message
    lab.close()


def test_a_seed_without_sidecar_is_typed_by_all_of_its_rows(tmp_path: Path) -> None:
    rows = "".join(f"{number},a\n" for number in range(30_000))
    lab = lab_of(tmp_path, {}, {"models/many.csv": f"id,note\n{rows}x,a\n"})
    assert [column.type for column in seed(lab).columns] == ["VARCHAR", "VARCHAR"]
    (tmp_path / "models/many.csv").write_text("id,note\n", "utf-8")
    assert seed(lab).row_count == 0
    lab.close()


def test_a_seed_that_cannot_be_read_keeps_the_old_table(tmp_path: Path) -> None:
    sidecar = "columns:\n  - {name: n, type: INTEGER}\n"
    lab = lab_of(tmp_path, {}, {"models/ns.csv": "n\n1\n", "models/ns.yml": sidecar})
    seed(lab)
    for text in ("n\nx\n", None):
        file = tmp_path / "models" / "ns.csv"
        file.unlink() if text is None else file.write_text(text)
        with pytest.raises(WarehouseError) as caught:
            seed(lab)
        assert code_of(caught) == "SeedUnreadable"
        assert lab.run("FROM main.ns") == [(1,)]
    lab.close()


def test_failing_rows_counts_all_and_shows_the_first(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, {})
    assert lab.warehouse.failing_rows("SELECT * FROM range(7) -- rows", 2) == (7, (("0",), ("1",)))
    assert lab.warehouse.failing_rows("SELECT 1 WHERE FALSE", 5) == (0, ())
    with pytest.raises(WarehouseError):
        lab.warehouse.failing_rows("SELECT nothing", 1)
    lab.close()


def test_a_renamed_file_that_keeps_its_table_is_told_whose_it_is(tmp_path: Path) -> None:
    text = "---\nmaterialization: table\nname: kept\n---\nSELECT 1 AS one"
    lab = lab_of(tmp_path, {"old": text})
    table(lab, "old")
    lab.load({"models/new.sql": text})
    with pytest.raises(WarehouseError) as caught:
        table(lab, "new")
    failure = caught.value.failure
    assert (failure.code, failure.message) == ("RelationNotManaged", "main.kept exists, and it is that of old")
    assert failure.help.startswith("name the file as before, so that new is old again;")
    lab.close()
