"""``show``: which rows, in which form, and that it only reads."""

import csv
import io

import duckdb
import pytest

from tests.cli.shell import Shell

INSTANTS = ("2025-01-01", "2025-01-01 12:00", "2025-01-02T10:00:00", "2025-01-02 18:20:00", "2025-01-03", "2026-01-01")


def test_a_table_sorted_by_key_and_clock(built: Shell) -> None:
    said = built("show", "customer_history", "--key", "1")
    assert said.code == 0
    assert said.out == (
        "customer_id  tier    region  valid_from           valid_to             is_current\n"
        "-----------  ------  ------  -------------------  -------------------  ----------\n"
        "          1  bronze  emea    2025-01-01 08:15:00  2025-01-01 19:30:00  false\n"
        "          1  bronze  apac    2025-01-01 19:30:00  2025-01-02 10:00:00  false\n"
        "          1  silver  emea    2025-01-02 10:00:00  2025-01-03 16:00:00  false\n"
        "          1  gold    emea    2025-01-03 16:00:00  NULL                 true\n"
    )
    assert said.err == "4 rows\n"


def test_several_values_of_a_single_key(built: Shell) -> None:
    rows = built("show", "customer_history", "--key", "3", "--key", "4", "--json").json
    assert [row["customer_id"] for row in rows] == [3, 4]


def test_a_limit_says_how_many_there_are(built: Shell) -> None:
    said = built("show", "customer_history", "--limit", "2")
    assert said.out.count("\n") == 2 + 2
    assert said.err == "2 of 8 rows; --limit shows more\n"
    assert built("show", "customer_history", "--limit", "0").err == "8 rows\n"
    assert built("show", "customer_history", "--limit", "8").err == "8 rows\n"


@pytest.mark.parametrize("at", INSTANTS)
@pytest.mark.parametrize("lead", [True, False])
def test_as_of_is_the_version_in_force(shell: Shell, at: str, lead: bool) -> None:
    """Against the events themselves: the last one of each key up to the instant, unless it is a delete."""
    if not lead:
        # No LEAD of the clock is projected bare: then only the ledger tells where a deleted version ends.
        shell.edit(
            "models/customer_history.sql",
            "    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,\n",
            "",
        )
    assert shell("run", "customer_history").code == 0
    said = shell("show", "customer_history", "--as-of", at, "--json")
    query = f"""SELECT customer_id, tier FROM (
          SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY effective_ts DESC) AS back
          FROM read_csv('{shell.root}/data/customer_changes/*.csv') WHERE effective_ts <= TIMESTAMP '{at}')
        WHERE back = 1 AND NOT is_deleted ORDER BY customer_id"""
    with duckdb.connect() as connection:
        expected = connection.execute(query).fetchall()
    assert [(row["customer_id"], row["tier"]) for row in said.json] == expected


def test_json_has_every_type_exactly(shell: Shell) -> None:
    shell.write(
        "models/types.sql",
        "SELECT 1.20::DECIMAL(5, 2) AS price, 9007199254740993 AS big, 'NaN'::DOUBLE AS nan, NULL AS nothing,\n"
        "  [1, NULL] AS list, {'a': DATE '2025-01-01'} AS struct, '{\"k\": [1]}'::JSON AS json, TRUE AS yes,\n"
        "  TIMESTAMPTZ '2025-01-01 00:00:00+02' AS at, '漢\"' AS text\n",
    )
    assert shell("run", "types").code == 0
    assert shell("show", "types", "--json").json == [
        {
            "price": "1.20",
            "big": 9007199254740993,
            "nan": "NaN",
            "nothing": None,
            "list": [1, None],
            "struct": {"a": "2025-01-01"},
            "json": {"k": [1]},
            "yes": True,
            "at": "2024-12-31 22:00:00+00",
            "text": '漢"',
        }
    ]


def test_csv_tells_null_from_an_empty_text(shell: Shell) -> None:
    shell.write("models/texts.sql", "SELECT NULL AS a, '' AS b, 'x,\"y\"' AS c, 'l' || chr(10) || 'm' AS \"d,e\"\n")
    assert shell("run", "texts").code == 0
    said = shell("show", "texts", "--csv").out
    assert said == 'a,b,c,"d,e"\n,"","x,""y""","l\nm"\n'
    assert list(csv.reader(io.StringIO(said)))[1] == ["", "", 'x,"y"', "l\nm"]


def test_a_cell_cannot_break_the_table(shell: Shell) -> None:
    shell.write("models/texts.sql", "SELECT 'a' || chr(10) || 'b' || chr(27) || '[31m' AS \"漢\", 12 AS n\n")
    assert shell("run", "texts").code == 0
    assert shell("show", "texts").out == "漢         n\n--------  --\na␊b␛[31m  12\n"


def test_seeds_can_be_shown(shell: Shell) -> None:
    shell.write("models/tiers.csv", "tier,fee\nbronze,1\n")
    assert shell("seed").code == 0
    assert shell("show", "tiers", "--csv").out == "tier,fee\nbronze,1\n"


def test_a_composite_key_is_given_in_order(shell: Shell) -> None:
    shell.edit(
        "models/sources/customer_changes.yml",
        "region,        type: VARCHAR,",
        "region,        type: VARCHAR, nullable: false,",
    )
    for day in ("2025-01-01", "2025-01-02", "2025-01-03"):
        file = shell.root / f"data/customer_changes/{day}.csv"
        file.write_text(file.read_text().replace("3,,,", "3,,apac,"))
    for _ in range(2):
        text = (shell.root / "models/customer_history.sql").read_text()
        shell.write(
            "models/customer_history.sql",
            text.replace("PARTITION BY customer_id ", "PARTITION BY region, customer_id "),
        )
    ran = shell("run", "customer_history")
    assert ran.code == 0, ran.err
    rows = shell("show", "customer_history", "--key", "emea", "--key", "1", "--json").json
    assert {(row["region"], row["customer_id"]) for row in rows} == {("emea", 1)}
    said = shell("show", "customer_history", "--key", "emea")
    assert said.code == 2
    assert "the key of customer_history is (region, customer_id), but --key stands 1 time" in said.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nope"], 2, "no such model: nope"),
        (["customer_histry"], 2, "did you mean `customer_history`?"),
        (["sources.customer_changes"], 2, "sources.customer_changes is a source, which others load"),
        (["customer_history", "--key", "one"], 2, "one is no INTEGER, which customer_id is"),
        (["customer_history", "--as-of", "soon"], 2, "soon is no TIMESTAMP, which valid_from is"),
        (["current_customers", "--key", "1"], 2, "current_customers has no key"),
        (["current_customers", "--as-of", "2025-01-01"], 2, "current_customers keeps no history"),
        (["customer_history", "--json", "--csv"], 2, "--json and --csv exclude each other"),
        (["unbuilt"], 1, "unbuilt is not built yet"),
    ],
)
def test_what_cannot_be_shown(built: Shell, arguments: list[str], code: int, message: str) -> None:
    built.write("models/unbuilt.sql", "SELECT 1 AS one\n")
    said = built("show", *arguments)
    assert (said.code, said.out) == (code, "")
    assert message in said.err


def test_nothing_built_at_all(shell: Shell) -> None:
    said = shell("show", "customer_history")
    assert said.code == 1
    assert said.err == "error: customer_history is not built yet\n = help: `smelt run customer_history` builds it\n"
    assert not (shell.root / "target").exists()


def test_showing_changes_nothing(built: Shell) -> None:
    database = built.root / "target" / "dev.duckdb"
    before = database.read_bytes(), sorted(path for path in built.root.rglob("*"))
    assert built("show", "customer_history").code == 0
    assert (database.read_bytes(), sorted(path for path in built.root.rglob("*"))) == before


def test_a_column_that_the_built_table_does_not_have(built: Shell) -> None:
    built.edit("models/customer_history.sql", "    effective_ts AS valid_from,", "    effective_ts AS since,")
    said = built("show", "customer_history", "--as-of", "2025-01-01")
    assert said.code == 1
    assert "it has no since" in said.err
    assert built("show", "customer_history").code == 0
