"""Every type that DuckDB stores, as an attribute, as a key and as a clock: stored, patched and recognised again."""

from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from smelt.sql.types import is_clock_type
from tests.engines.labs import Lab, days

VALUES: dict[str, tuple[str, ...]] = {
    "BOOLEAN": ("true", "false"),
    "TINYINT": ("-128", "127"),
    "SMALLINT": ("-32768", "32767"),
    "INTEGER": ("-2147483648", "2147483647"),
    "BIGINT": ("-9223372036854775808", "9223372036854775807"),
    "HUGEINT": ("-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"),
    "UTINYINT": ("0", "255"),
    "USMALLINT": ("0", "65535"),
    "UINTEGER": ("0", "4294967295"),
    "UBIGINT": ("0", "18446744073709551615"),
    "UHUGEINT": ("0", "340282366920938463463374607431768211455"),
    "BIGNUM": ("'-123456789012345678901234567890123456789012345'", "'7'"),
    "FLOAT": ("'nan'", "'-inf'", "1.1", "-0.0"),
    "DOUBLE": ("'nan'", "'inf'", "0.1", "1e-300"),
    "DECIMAL(38,10)": ("1234567890123456789012345678.0123456789", "-0.0000000001"),
    "DECIMAL(4,2)": ("99.99", "0.10"),
    "VARCHAR": ("''", "'ä 😀 ''quoted'' '", "'A'", "'a '"),
    "BLOB": ("'\\x00\\xFF'::BLOB", "''::BLOB"),
    "BIT": ("'0'::BIT", "'00'::BIT", "'101'::BIT"),
    "DATE": ("'0044-03-15 (BC)'", "'infinity'", "'9999-12-31'", "'2024-02-29'"),
    "TIME": ("'00:00:00'", "'23:59:59.999999'"),
    "TIME_NS": ("'00:00:00'", "'23:59:59.999999999'"),
    "TIME WITH TIME ZONE": ("'12:00:00+00'", "'12:00:00+02'"),
    "TIMESTAMP": ("'1677-01-01 00:00:00'", "'2025-03-30 02:30:00.000001'", "'-infinity'"),
    "TIMESTAMP_S": ("'2025-01-01 00:00:01'", "'1969-12-31 23:59:59'"),
    "TIMESTAMP_MS": ("'2025-01-01 00:00:00.001'", "'1969-12-31 23:59:59.999'"),
    "TIMESTAMP_NS": ("'2025-01-01 00:00:00.000000001'", "'2025-01-01 00:00:00.000000002'"),
    "TIMESTAMP WITH TIME ZONE": ("'2025-10-26 00:30:00+00'", "'2025-10-26 01:30:00+00'", "'infinity'"),
    "INTERVAL": ("'1 month'", "'1 day 25 hours'"),
    "UUID": ("'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"),
    "ENUM('x', 'y')": ("'x'", "'y'"),
    "INTEGER[]": ("[]", "[1, NULL]", "[NULL]"),
    "INTEGER[2]": ("[1, 2]", "[2, NULL]"),
    "STRUCT(a INTEGER, b VARCHAR[])": ("{'a': NULL, 'b': ['x']}", "{'a': 1, 'b': NULL}"),
    "MAP(VARCHAR, INTEGER)": ("MAP {}", "MAP {'k': NULL}"),
    "UNION(n INTEGER, s VARCHAR)": ("union_value(n := 1)", "union_value(s := '1')"),
    "JSON": ("'{\"a\": 1}'", "'{\"a\":1}'", "'null'"),
}


def can_be_stored(kind: str) -> bool:
    """Whether this DuckDB has tables with such a column."""
    with duckdb.connect() as connection, suppress(duckdb.Error):
        connection.execute(f"CREATE TABLE one (v {kind})")
        return True
    return False


with duckdb.connect() as _connection:
    TYPES = {
        str(row[0])
        for row in _connection.execute(
            "SELECT DISTINCT logical_type FROM duckdb_types() WHERE database_name = 'system'"
        ).fetchall()
    }
NEWER = {
    "VARIANT": ("1::VARIANT", "'1'::VARIANT"),
    "GEOMETRY": ("'POINT(1 2)'", "'POINT(2 1)'"),
    "TIMESTAMPTZ_NS": ("'2025-01-01 00:00:00.000000001+00'", "'2025-01-01 00:00:00.000000002+00'"),
}
"""Types that not every supported DuckDB has."""

VALUES.update({kind: values for kind, values in NEWER.items() if can_be_stored(kind)})
NAMELESS = {"LIST", "ARRAY", "NULL", "TUPLE", "TYPE"}
"""Written with brackets, or of no column: a tuple is a struct without names."""

MODEL = """---
refresh: incremental
---
SELECT {key}, v, t AS since, LEAD(t) OVER w AS valid_to, LAG(t) OVER w IS NULL AS is_first
FROM smelt.sources.events
WINDOW w AS (PARTITION BY {key} ORDER BY t)
"""


def lab_of(root: Path, key: str, clock: str, value: str) -> Lab:
    columns = (
        f"  - {{name: k, type: {yaml(key)}, nullable: false}}\n  - {{name: v, type: {yaml(value)}}}\n"
        f"  - {{name: t, type: {yaml(clock)}, nullable: false}}\n  - {{name: d, type: DATE, nullable: false}}\n"
    )
    source = (
        "name: main.events\nmutation_profile: append_only\n"
        "timeseries: {event_time_column: t, partition_column: d, granularity: day}\ncolumns:\n"
    )
    lab = Lab(root, {"models/history.sql": MODEL.format(key="k"), "models/sources/events.yml": source + columns})
    lab.run(f"CREATE TABLE main.events (k {key}, v {value}, t {clock}, d DATE)")
    return lab


def yaml(kind: str) -> str:
    return '"' + kind.replace('"', '\\"') + '"'


def is_right(lab: Lab) -> None:
    wanted = (
        "SELECT k, v, t AS since, LEAD(t) OVER w AS valid_to, LAG(t) OVER w IS NULL AS is_first "
        "FROM (SELECT DISTINCT k, v, t FROM main.events) WINDOW w AS (PARTITION BY k ORDER BY t)"
    )
    assert lab.differ("SELECT * FROM main.history", wanted) == []
    assert lab.run("DESCRIBE main.history") == lab.run(f"DESCRIBE {wanted}")


def fold_each_day_and_again(lab: Lab) -> None:
    """The second day's events lie before and between those of the first, so that every stored row is patched."""
    for day in (2, 1):
        lab.fold(window=days(day, day + 1))
    is_right(lab)
    for day in (1, 2):
        again = lab.fold(window=days(day, day + 1))
        assert (again.rows_inserted, again.rows_patched) == (0, 0)
    before = lab.texts("SELECT * FROM main.history")
    lab.fold(full_refresh=True)
    assert lab.texts("SELECT * FROM main.history") == before


@pytest.mark.parametrize("kind", VALUES)
def test_as_an_attribute(tmp_path: Path, kind: str) -> None:
    lab = lab_of(tmp_path, "INTEGER", "INTEGER", kind)
    for at, value in enumerate((*VALUES[kind], "NULL")):
        lab.run(f"INSERT INTO main.events SELECT 1, {value}, {at}, DATE '2025-01-01' + {at % 2}")
    fold_each_day_and_again(lab)
    lab.close()


@pytest.mark.parametrize(
    "kind", [kind for kind in VALUES if not kind.startswith(("UNION", "MAP", "JSON", "VARIANT", "GEOMETRY"))]
)
def test_as_a_key(tmp_path: Path, kind: str) -> None:
    lab = lab_of(tmp_path, kind, "INTEGER", "VARCHAR")
    for value in VALUES[kind]:
        for at in range(3):
            lab.run(f"INSERT INTO main.events SELECT {value}, 'v{at}', {at}, DATE '2025-01-01' + {at % 2}")
    fold_each_day_and_again(lab)
    lab.close()


@pytest.mark.parametrize("kind", [kind for kind in VALUES if is_clock_type(kind)])
def test_as_a_clock(tmp_path: Path, kind: str) -> None:
    lab = lab_of(tmp_path, "INTEGER", kind, "VARCHAR")
    for at, value in enumerate(VALUES[kind]):
        lab.run(f"INSERT INTO main.events SELECT 1, 'v{at}', {value}, DATE '2025-01-01' + {at % 2}")
    fold_each_day_and_again(lab)
    lab.close()


def test_no_type_of_this_duckdb_is_forgotten() -> None:
    known = {kind.partition("(")[0].partition("[")[0] for kind in VALUES}
    unstored = {kind for kind in NEWER if kind not in VALUES}
    assert TYPES - known - NAMELESS - unstored == set()
