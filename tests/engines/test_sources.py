"""Sources bound to tables, files and seeds: declared columns in declared types, or a named refusal."""

from pathlib import Path

import pytest

from smelt.diagnostics.model import Severity
from smelt.engines.model import Failure, WarehouseError
from tests.engines.labs import Lab, days

MODEL = """---
refresh: incremental
---
SELECT k, v, t AS since, LEAD(t) OVER (PARTITION BY k ORDER BY t) AS valid_to
FROM smelt.sources.events
QUALIFY NOT gone
"""
COLUMNS = """  - {name: k, type: INTEGER, nullable: false}
  - {name: v, type: VARCHAR}
  - {name: t, type: TIMESTAMP, nullable: false}
  - {name: gone, type: BOOLEAN, nullable: false}
  - {name: d, type: DATE, nullable: false}
"""


def files(
    place: str, columns: str = COLUMNS, *, profile: str = "append_only", model: str = MODEL, granularity: str = "day"
) -> dict[str, str]:
    return {
        "models/history.sql": model,
        "models/sources/events.yml": (
            f"{place}\nmutation_profile: {profile}\n"
            f"timeseries: {{event_time_column: t, partition_column: d, granularity: {granularity}}}\n"
            f"columns:\n{columns}"
        ),
    }


def lab_of(root: Path, place: str, columns: str = COLUMNS, data: dict[str, str] | None = None, **kind: str) -> Lab:
    return Lab(root, {**files(place, columns, **kind), **(data or {})})


def refusal(lab: Lab) -> Failure:
    with pytest.raises(WarehouseError) as caught:
        lab.fold()
    lab.close()
    return caught.value.failure


def history(lab: Lab) -> list[tuple[str | None, ...]]:
    return lab.texts("SELECT * FROM main.history")


TWO_ROWS = [
    ("1", "a", "2025-01-01 10:00:00", "2025-01-02 10:00:00"),
    ("1", "b", "2025-01-02 10:00:00", None),
]


def test_parquet_with_hive_folders_and_files_that_differ(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, "files: data/*/*.parquet")
    for number, columns in ((1, "1 AS k, 'a' AS v"), (2, "'b' AS v, 'x' AS extra, 1::SMALLINT AS k")):
        folder = tmp_path / "data" / f"d=2025-01-0{number}"
        folder.mkdir(parents=True)
        lab.run(
            f"COPY (SELECT {columns}, TIMESTAMP '2025-01-0{number} 10:00' AS t, FALSE AS gone) "
            f"TO '{folder}/part.parquet'"
        )
    built = lab.fold()
    assert history(lab) == TWO_ROWS
    assert built.notices[0] == "sources.events: ignored columns that are not declared: extra"
    assert [(one.interval.start.day, one.rows) for one in built.landed[0][1]] == [(1, 1), (2, 1)]
    lab.close()


def test_a_glob_takes_new_files_in_the_next_run_and_sorts_them(tmp_path: Path) -> None:
    header = "k,v,t,gone,d\n"
    lab = lab_of(tmp_path, "files: data/*.csv", data={"data/b.csv": header + "1,a,2025-01-01 10:00,false,2025-01-01\n"})
    lab.fold()
    (tmp_path / "data" / "a.csv").write_text(header + "1,b,2025-01-02 10:00,false,2025-01-02\n")
    built = lab.fold()
    assert (built.rows_inserted, built.rows_patched) == (1, 1)
    assert history(lab) == TWO_ROWS
    lab.close()


def test_csv_is_read_by_name_as_declared_never_sniffed(tmp_path: Path) -> None:
    data = {
        "data/one.csv": (
            't,k,gone,v,d\n2025-01-01 10:00,1,false,007,2025-01-01\n2025-01-02 10:00,1,false,"",2025-01-01\n'
        ),
        "data/two.csv": "k,d,t,gone\n1,2025-01-01,2025-01-03 10:00,f\n",
    }
    lab = lab_of(tmp_path, "files: data/*.csv", data=data)
    lab.fold()
    assert [row[1] for row in sorted(history(lab), key=lambda row: str(row[2]))] == ["007", "", None]
    lab.close()


def test_json_with_declared_types_and_an_expression_over_an_undeclared_column(tmp_path: Path) -> None:
    columns = (
        "  - {name: k, type: INTEGER, nullable: false, expression: 'after.id'}\n"
        "  - {name: v, type: VARCHAR, expression: 'after.v'}\n"
        "  - {name: t, type: TIMESTAMP, nullable: false, expression: 'epoch_ms(ts_ms)'}\n"
        "  - {name: ts_ms, type: BIGINT}\n"
        "  - {name: gone, type: BOOLEAN, nullable: false, expression: \"op = 'd'\"}\n"
        "  - {name: d, type: DATE, nullable: false}\n"
    )
    data = {
        "data/d=2025-01-01/a.json": '{"after": {"id": 1, "v": "a"}, "op": "c", "ts_ms": 1735725600000}\n',
        "data/d=2025-01-02/a.json": '{"after": {"id": 1, "v": "b"}, "op": "u", "ts_ms": 1735812000000, "more": 1}\n',
    }
    lab = lab_of(tmp_path, "files: data/*/*.json", columns, data)
    built = lab.fold()
    assert history(lab) == TWO_ROWS
    assert built.notices[0].endswith("not declared: more")
    lab.close()


def test_a_seed_is_a_source_whose_rows_ship_with_the_project(tmp_path: Path) -> None:
    sidecar = files("")["models/sources/events.yml"].lstrip("\n")
    project = {
        "models/history.sql": MODEL.replace("smelt.sources.events", "smelt.events"),
        "models/events.yml": sidecar,
        "models/events.csv": (
            "k,v,t,gone,d\n1,a,2025-01-01 10:00,false,2025-01-01\n1,b,2025-01-02 10:00,false,2025-01-02\n"
        ),
    }
    lab = Lab(tmp_path, project)
    seed = next(iter(lab.project.seeds.values()))
    assert lab.warehouse.load_seed(seed, "run-1", 1).strategy == "seed"
    assert lab.run("DESCRIBE main.events")[2][:2] == ("t", "TIMESTAMP")
    lab.fold()
    assert history(lab) == TWO_ROWS
    lab.close()


def test_a_narrower_type_widens(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, "name: main.raw", COLUMNS.replace("type: INTEGER", "type: BIGINT"))
    lab.run(
        "CREATE TABLE main.raw AS SELECT 1::SMALLINT AS k, 'a' AS v, DATE '2025-01-01' AS t, FALSE AS gone, "
        "DATE '2025-01-01' AS d"
    )
    lab.fold()
    assert [row[1] for row in lab.run("DESCRIBE main.history")] == ["BIGINT", "VARCHAR", "TIMESTAMP", "TIMESTAMP"]
    lab.close()


@pytest.mark.parametrize(
    ("select", "code", "words"),
    [
        ("'1' AS k, 'a' AS v", "SourceTypeMismatch", ("k", "VARCHAR", "INTEGER")),
        ("1::BIGINT AS k, 'a' AS v", "SourceTypeMismatch", ("k", "BIGINT", "INTEGER")),
        ("'a' AS v", "SourceColumnMissing", ("k",)),
        ("NULL::INTEGER AS k, 'a' AS v", "SourceNullViolation", ("k", "1")),
    ],
)
def test_what_breaks_a_declaration_is_refused(tmp_path: Path, select: str, code: str, words: tuple[str, ...]) -> None:
    lab = lab_of(tmp_path, "name: main.raw")
    lab.run(
        f"CREATE TABLE main.raw AS SELECT {select}, TIMESTAMP '2025-01-01' AS t, FALSE AS gone, DATE '2025-01-01' AS d"
    )
    failure = refusal(lab)
    assert failure.code == code
    assert all(word in failure.message for word in words)
    assert failure.diagnostics[0].location.file == "models/sources/events.yml"


def test_a_declared_not_null_holds_for_columns_that_the_model_does_not_read(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, "name: main.raw", COLUMNS + "  - {name: unread, type: VARCHAR, nullable: false}\n")
    lab.run(
        "CREATE TABLE main.raw AS SELECT 1 AS k, 'a' AS v, TIMESTAMP '2025-01-01' AS t, FALSE AS gone, "
        "DATE '2025-01-01' AS d, NULL::VARCHAR AS unread"
    )
    failure = refusal(lab)
    assert failure.code == "SourceNullViolation"
    assert "unread" in failure.message


@pytest.mark.parametrize("windowed", [False, True])
def test_a_row_without_a_partition_is_found_by_any_run(tmp_path: Path, windowed: bool) -> None:
    lab = lab_of(tmp_path, "name: main.raw")
    lab.run(
        "CREATE TABLE main.raw AS SELECT 1 AS k, 'a' AS v, TIMESTAMP '2025-01-01' AS t, FALSE AS gone, "
        "unnest([DATE '2025-01-01', NULL]) AS d"
    )
    with pytest.raises(WarehouseError) as caught:
        lab.fold(window=days(1, 2) if windowed else None)
    assert caught.value.failure.code == "PartitionColumnNullable"
    lab.close()


def test_text_that_is_no_value_of_its_type_names_the_column_and_a_sample(tmp_path: Path) -> None:
    lab = lab_of(
        tmp_path, "files: data/a.csv", data={"data/a.csv": "k,v,t,gone,d\none,a,2025-01-01,false,2025-01-01\n"}
    )
    failure = refusal(lab)
    assert failure.code == "SourceTypeMismatch"
    assert "k is no such value in 1 row, for example 'one' at data/a.csv:2" in failure.message


def test_a_bad_value_is_told_with_its_file_and_line(tmp_path: Path) -> None:
    data = {
        "data/d=2025-01-01/a.csv": "k,v,t,gone\n1,a,2025-01-01 10:00,false\n",
        "data/d=2025-01-02/b.csv": 'k,v,t,gone\n1,"two\nlines",2025-01-02 10:00,false\n\n2.5,b,2025-01-02,false\n',
    }
    lab = lab_of(tmp_path, "files: data/*/*.csv", data=data)
    failure = lab.failure()
    assert failure.code == "SourceTypeMismatch"
    assert "in 1 row, for example '2.5' at data/d=2025-01-02/b.csv:5, declared INTEGER" in failure.message
    assert "2.5" not in lab.failure(samples=0).message
    text = '{"k": 1, "v": "a", "t": "2025-01-01", "gone": false, "d": "2025-01-01"}\n'
    lab.load(files("files: data/*.json"))
    (tmp_path / "data/c.json").write_text(text + "\n" + text.replace('"2025-01-01", "gone"', '"soon", "gone"'), "utf-8")
    assert "for example 'soon' at data/c.json:3" in lab.failure().message
    (tmp_path / "data/c.json").write_text(text + text.replace('"k": 1', '"k": null'), "utf-8")
    failure = lab.failure()
    assert failure.code == "SourceNullViolation"
    assert "NULL in k, declared NOT NULL, in 1 row of those read: (k = NULL, v = a" in failure.message
    assert failure.message.endswith("at data/c.json:2")
    lab.close()


def test_parquet_rows_are_told_by_number(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, "files: data/*.parquet")
    (tmp_path / "data").mkdir()
    rest = "'a' AS v, TIMESTAMP '2025-01-01 10:00' AS t, FALSE AS gone, DATE '2025-01-01' AS d"
    lab.run(f"COPY (SELECT unnest([1, 2, NULL]) AS k, {rest}) TO '{tmp_path}/data/a.parquet'")
    assert refusal(lab).message.endswith("at data/a.parquet, row 3")


GOOD = "1,a,2025-01-01 10:00,false,2025-01-01\n"


@pytest.mark.parametrize("kind", ["succession", "table"])
@pytest.mark.parametrize(
    ("file", "text", "code", "words"),
    [
        (
            "a.csv",
            f"k,v,t,gone,d\n{GOOD}1,a\n",
            "SourceFileUnreadable",
            "data/a.csv:3: 2 values, but the header names 5",
        ),
        ("a.csv", f'k,v,t,gone,d\n1,"a,2025-01-01,f,2025-01-01\n{GOOD}', "SourceFileUnreadable", "a.csv:2: a quote is"),
        ("a.csv", "k,v,t,gone,d\n{GOOD}", "SourceFileUnreadable", "data/a.csv:2: 1 value, but"),
        ("a.json", '{"k": 1}\n{"k":\n', "SourceFileUnreadable", "data/a.json"),
        ("a.parquet", "no parquet", "SourceFileUnreadable", "data/a.parquet: "),
        ("a.csv", f"k,v,t,gone,d\n{GOOD}x{GOOD}", "SourceTypeMismatch", "'x1' at data/a.csv:3"),
    ],
)
def test_a_broken_file_is_told_with_its_line(
    tmp_path: Path, kind: str, file: str, text: str, code: str, words: str
) -> None:
    model = MODEL if kind == "succession" else "---\nmaterialization: table\n---\nSELECT k, t FROM smelt.sources.events"
    lab = lab_of(tmp_path, f"files: data/{file}", data={f"data/{file}": text}, model=model)
    build = lab.fold if kind == "succession" else lambda: lab.warehouse.build_table(lab.model("history"), "run-1", 1)
    with pytest.raises(WarehouseError) as caught:
        build()
    failure = caught.value.failure
    assert failure.code == code
    assert words in failure.message
    assert "fix" not in failure.message
    assert "Try" not in failure.message
    assert failure.diagnostics[0].location.file == "models/sources/events.yml"
    lab.close()


LACKING = "2025-01-02 10:00,false,2025-01-01\n"


def test_a_file_that_lacks_a_column_is_named(tmp_path: Path) -> None:
    data = {
        "data/one.csv": "k,v,t,gone,d\n1,a,2025-01-01 10:00,false,2025-01-01\n",
        "data/two.csv": f"k,t,gone,d\n1,{LACKING}",
    }
    lab = lab_of(tmp_path, "files: data/*.csv", data=data)
    assert lab.fold().notices == ("sources.events: data/two.csv: no column v, it reads NULL",)
    (tmp_path / "data/two.csv").write_text(f"key,v,t,gone,d\n1,a,{LACKING}", "utf-8")
    failure = refusal(lab)
    assert failure.code == "SourceColumnMissing"
    assert "data/two.csv has no column k; it has key, v, t, gone, d" in failure.message


def test_a_column_that_no_file_has_says_what_there_is(tmp_path: Path) -> None:
    data = {f"data/{name}.csv": f"k,value,t,gone,d\n1,a,{LACKING}" for name in ("one", "two")}
    lab = lab_of(tmp_path, "files: data/*.csv", data=data)
    told = "data/one.csv and 1 more: no column v, it reads NULL in every row; there are k, value, t, gone, d"
    assert told in lab.fold().notices[0]
    lab.close()


def test_a_file_with_another_separator_is_refused_though_nothing_is_declared_not_null(tmp_path: Path) -> None:
    columns = "columns:\n  - {name: a, type: INTEGER}\n  - {name: b, type: INTEGER}\n"
    project = {
        "models/t.sql": "---\nmaterialization: table\n---\nSELECT a, b FROM smelt.sources.pairs",
        "models/sources/pairs.yml": f"files: data/*.csv\n{columns}",
        "data/a.csv": "a;b\n1;2\n",
    }
    lab = Lab(tmp_path, project)
    with pytest.raises(WarehouseError) as caught:
        lab.warehouse.build_table(lab.model("t"), "run-1", 1)
    assert caught.value.failure.code == "SourceColumnMissing"
    assert "data/a.csv has no column a; it has a;b, which seems to be several separated by ';'" in str(caught.value)
    lab.close()


def test_a_parquet_file_that_lacks_a_column_is_named(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, "files: data/*.parquet")
    (tmp_path / "data").mkdir()
    rest = "{'x': {'y': 1}, 'k': 2} AS nested, TIMESTAMP '2025-01-01 10:00' AS t, FALSE AS gone, DATE '2025-01-01' AS d"
    lab.run(f"COPY (SELECT 1 AS k, NULL::VARCHAR AS v, {rest}) TO '{tmp_path}/data/a.parquet'")
    lab.run(f"COPY (SELECT 1 AS k, {rest}) TO '{tmp_path}/data/b.parquet'")
    assert lab.fold().notices[0] == "sources.events: data/b.parquet: no column v, it reads NULL"
    lab.run(f"COPY (SELECT 'a' AS v, {rest}) TO '{tmp_path}/data/b.parquet'")
    assert "data/b.parquet has no column k; it has v, nested, t, gone, d" in refusal(lab).message


@pytest.mark.parametrize(
    ("text", "words"), [("", "line 1 is empty"), ("k,v,t,gone,d,K\n", "line 1 names the column K twice")]
)
def test_a_text_file_without_a_header_is_refused(tmp_path: Path, text: str, words: str) -> None:
    failure = refusal(lab_of(tmp_path, "files: data/*.csv", data={"data/a.csv": text}))
    assert failure.code == "SourceFileUnreadable"
    assert f"data/a.csv: {words}" in failure.message


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.csv", "k,v,t,gone,d\n1,a,2025-01-01T12:00:00+02:00,false,2025-01-01\n"),
        ("a.json", '{"k": 1, "v": "a", "t": "2025-01-01T12:00:00+02:00", "gone": false, "d": "2025-01-01"}\n'),
    ],
)
def test_an_offset_in_text_is_converted_to_utc(tmp_path: Path, file: str, text: str) -> None:
    lab = lab_of(tmp_path, f"files: data/{file}", data={f"data/{file}": text})
    lab.fold()
    assert history(lab) == [("1", "a", "2025-01-01 10:00:00", None)]
    lab.close()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.csv", "k,v,t,gone,d\n1,a,2025-01-01,false,2025-01-01\n1.5,b,2025-01-01,false,2025-01-01\n"),
        ("a.json", '{"k": 1.5, "v": "a", "t": "2025-01-01", "gone": false, "d": "2025-01-01"}\n'),
    ],
)
def test_a_number_is_refused_rather_than_rounded(tmp_path: Path, file: str, text: str) -> None:
    failure = refusal(lab_of(tmp_path, f"files: data/{file}", data={f"data/{file}": text}))
    assert failure.code == "SourceTypeMismatch"
    assert "'1.5'" in failure.message


@pytest.mark.parametrize(
    ("place", "data", "code"),
    [
        ("name: main.nowhere", {}, "SourceRelationMissing"),
        ("files: data/*.csv", {}, "SourceFilesMissing"),
        ("files: data/a.parquet", {"data/a.parquet": "no parquet"}, "SourceFileUnreadable"),
        ("description: nowhere", {}, "SourceUnbound"),
    ],
)
def test_nothing_to_read(tmp_path: Path, place: str, data: dict[str, str], code: str) -> None:
    assert refusal(lab_of(tmp_path, place, data=data)).code == code


def test_a_run_blocks_at_a_source_that_is_nowhere(tmp_path: Path) -> None:
    failure = refusal(lab_of(tmp_path, "description: nowhere"))
    assert [one.severity for one in failure.diagnostics] == [Severity.ERROR]


def test_a_missing_table_offers_the_nearest_name(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, "name: main.evnts")
    lab.run("CREATE TABLE main.events (a INTEGER)")
    assert "did you mean `main.events`?" in refusal(lab).help


def test_an_expression_column_may_hide_a_physical_one_of_its_name(tmp_path: Path) -> None:
    columns = COLUMNS.replace(
        "nullable: false}\n  - {name: d", "nullable: false, expression: \"gone = 'y'\"}\n  - {name: d"
    )
    lab = lab_of(tmp_path, "name: main.raw", columns)
    lab.run(
        "CREATE TABLE main.raw AS SELECT 1 AS k, 'a' AS v, TIMESTAMP '2025-01-01 10:00' AS t, 'y' AS gone, "
        "DATE '2025-01-01' AS d"
    )
    assert lab.fold().tombstones == 1
    lab.close()


def test_redelivery_none_refuses_a_repeated_event(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, "name: main.raw", profile="{kind: append_only, redelivery: none}")
    lab.run(
        "CREATE TABLE main.raw AS SELECT 1 AS k, 'a' AS v, TIMESTAMP '2025-01-01 10:00' AS t, FALSE AS gone, "
        "DATE '2025-01-01' AS d"
    )
    lab.fold()
    lab.run("INSERT INTO main.raw SELECT * REPLACE (DATE '2025-01-02' AS d) FROM main.raw")
    failure = refusal(lab)
    assert failure.code == "SourceRedeliveryViolated"
    assert "2 rows were read for 1 event" in failure.message
