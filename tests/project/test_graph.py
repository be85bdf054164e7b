"""References, what is none, circles, and the order to build in."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smelt.project.model import Address, Project
from tests.project.loading import load, mended, only, shown

ONE = "SELECT 1 AS one"
SOURCE = {"models/sources/customer_changes.yml": "files: c.csv\ncolumns: [{name: id, type: INTEGER}]"}


def reads(sql: str, **more: str) -> Project:
    return load({**SOURCE, "models/a.sql": ONE, "models/m.sql": sql, **more})


def read_by_m(project: Project) -> list[tuple[str, str]]:
    model = project.models[Address(("m",))]
    return [(str(one.address), one.span.of(model.text)) for one in model.references]


@pytest.mark.parametrize(
    ("sql", "references"),
    [
        ("SELECT * FROM smelt.a", [("a", "smelt.a")]),
        ("SELECT * FROM SMELT.A AS x", [("a", "SMELT.A")]),
        ('SELECT * FROM smelt."A"', [("a", 'smelt."A"')]),
        (
            "SELECT * FROM smelt.sources.customer_changes",
            [("sources.customer_changes", "smelt.sources.customer_changes")],
        ),
        ("SELECT * FROM smelt.a JOIN smelt . a USING (one)", [("a", "smelt.a"), ("a", "smelt . a")]),
        ("SELECT (SELECT max(one) FROM smelt.a) AS x", [("a", "smelt.a")]),
        ("WITH c AS (SELECT * FROM smelt.a) SELECT * FROM c", [("a", "smelt.a")]),
        ("SELECT * FROM (VALUES (1)) AS v(x)", []),
        ("SELECT * FROM range(3)", []),
        ("SELECT * FROM generate_series(1, 3)", []),
        ("SELECT * FROM UNNEST([1, 2])", []),
        ("SELECT one FROM smelt.a, smelt.nothing.at.all -- smelt.b", [("a", "smelt.a")]),
    ],
)
def test_references(sql: str, references: list[tuple[str, str]]) -> None:
    assert read_by_m(reads(sql)) == references


@pytest.mark.parametrize(
    ("sql", "place", "words"),
    [
        ("SELECT * FROM smelt.b", "smelt.b", "declare a source"),
        ("SELECT * FROM smelt.sources.customer_change", "smelt.sources.customer_change", "customer_changes`?"),
        ("SELECT * FROM smelt.customer_changes", "smelt.customer_changes", "`smelt.sources.customer_changes`?"),
        ("SELECT * FROM customer_changes", "customer_changes", "`smelt.sources.customer_changes`?"),
        ("SELECT * FROM a", "a", "`smelt.a`?"),
        ("SELECT * FROM main.orders", "main.orders", "declare a source"),
        ("SELECT * FROM read_parquet('x.parquet')", "read_parquet", "`files:`"),
        ("SELECT * FROM read_csv_auto('x.csv')", "read_csv_auto", "`files:`"),
        ("SELECT * FROM 'x.parquet'", "'x.parquet'", "declare a source"),
        ("SELECT * FROM glob('*')", "glob", "declare a source"),
        ("SELECT * FROM smelt", "smelt", "declare a source"),
        ("WITH c AS (SELECT 1) SELECT * FROM c, d", "d", "declare a source"),
        ("SELECT 1 WHERE 1 IN (SELECT x FROM inner_table)", "inner_table", "declare a source"),
    ],
)
def test_what_is_no_address_is_refused(sql: str, place: str, words: str) -> None:
    project = reads(sql)
    assert [text for code, _, text in shown(project) if code == "UnknownReference"] == [place]
    assert words in only(project).help


@pytest.mark.parametrize(
    ("sql", "safe"),
    [
        ("SELECT * FROM smelt.sources.customer_change", True),
        ("SELECT * FROM customer_changes", False),
    ],
)
def test_the_one_near_address_is_offered(sql: str, safe: bool) -> None:
    project = reads(sql)
    assert [fix.safe for fix in only(project).fixes] == [safe]
    after = mended(project, only(project))
    assert after["models/m.sql"] == "SELECT * FROM smelt.sources.customer_changes"
    assert load(after).diagnostics == ()


def test_another_name_in_the_same_folder_is_no_slip_of_the_pen() -> None:
    files = {"models/sources/a.yml": "files: a.csv", "models/m.sql": "SELECT * FROM smelt.sources.b"}
    assert [fix.safe for fix in only(load(files)).fixes] == [False]


def test_an_address_that_needs_quotes_is_offered_with_them() -> None:
    files = {"models/big orders.sql": ONE, "models/m.sql": "SELECT * FROM smelt.bigorders"}
    project = load(files)
    after = mended(project, only(project))
    assert after["models/m.sql"] == 'SELECT * FROM smelt."big orders"'
    assert load(after).diagnostics == ()


def test_half_typed_sql_keeps_its_references() -> None:
    project = reads("SELECT one, FROM smelt.a WHERE (")
    assert read_by_m(project) == [("a", "smelt.a")]
    assert "SqlSyntax" in [code for code, *_ in shown(project)]


def test_a_model_that_reads_itself() -> None:
    project = load({"models/a.sql": "SELECT * FROM smelt.a"})
    assert shown(project) == [("CircularReference", "models/a.sql", "smelt.a")]
    assert "a → a" in only(project).message
    assert project.order == ()


def test_a_circle_shows_its_whole_path_once() -> None:
    files = {
        "models/c.sql": "SELECT * FROM smelt.d",
        "models/d.sql": "SELECT * FROM smelt.e",
        "models/e.sql": "SELECT * FROM smelt.c",
        "models/f.sql": "SELECT * FROM smelt.e",
        "models/g.sql": "SELECT 1 AS one",
    }
    project = load(files)
    assert shown(project) == [("CircularReference", "models/c.sql", "smelt.d")]
    assert "c → d → e → c" in only(project).message
    assert [one.location.file for one in only(project).related] == ["models/d.sql", "models/e.sql"]
    assert [str(address) for address in project.order] == ["f", "g"]


def test_two_circles_are_two_findings() -> None:
    files = {
        "models/a.sql": "SELECT * FROM smelt.b",
        "models/b.sql": "SELECT * FROM smelt.a",
        "models/c.sql": "SELECT * FROM smelt.d",
        "models/d.sql": "SELECT * FROM smelt.c, smelt.a",
    }
    messages = [one.message for one in load(files).diagnostics]
    assert [message.rpartition(": ")[2] for message in messages] == ["a → b → a", "c → d → c"]


@given(st.integers(1, 9), st.randoms(use_true_random=False))
def test_the_order_is_topological_and_only_the_edges_decide_it(size: int, chance: random.Random) -> None:
    names = [f"m{number}" for number in range(size)]
    chance.shuffle(names)
    edges = {name: chance.sample(names[:index], chance.randint(0, index)) for index, name in enumerate(names)}
    files = {
        f"models/{name}.sql": "SELECT 1 AS one" + "".join(f", (SELECT 1 FROM smelt.{read}) AS {read}" for read in reads)
        for name, reads in edges.items()
    }
    project = load(files)
    order = [str(address) for address in project.order]
    assert sorted(order) == sorted(names)
    assert all(order.index(read) < order.index(name) for name, reads in edges.items() for read in reads)
    shuffled = list(files.items())
    chance.shuffle(shuffled)
    assert load(dict(shuffled)).order == project.order
