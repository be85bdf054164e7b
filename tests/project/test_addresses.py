"""Paths to addresses, two files with one address, two addresses with one relation."""

import pytest

from smelt.project.addresses import address_of
from smelt.project.model import Address
from tests.project.loading import SETUP, load, only, shown

ONE = "SELECT 1 AS one"


@pytest.mark.parametrize(
    ("path", "prefixes", "address"),
    [
        ("models/silver/orders.sql", ["models"], "silver.orders"),
        ("models/sources/customer_changes.yml", ["models"], "sources.customer_changes"),
        ("models/x.CSV", ["models"], "x"),
        ("models/x.yaml", ["models"], "x"),
        ("models/x.txt", ["models"], None),
        ("models/x", ["models"], None),
        ("models.sql", ["models"], None),
        ("other/x.sql", ["models"], None),
        ("modelsx/x.sql", ["models"], None),
        ("models/gold/x.sql", ["models", "models/gold"], "x"),
        ("models/gold/x.sql", ["models/gold", "models"], "x"),
        ("x.sql", [""], "x"),
        ("a/x.sql", [""], "a.x"),
        ("smelt.yml", [""], None),
        ("models/a.b/c.sql", ["models"], "a.b.c"),
        ("models/été 1/Ünü.sql", ["models"], "été 1.Ünü"),
    ],
)
def test_address_of(path: str, prefixes: list[str], address: str | None) -> None:
    found = address_of(path, prefixes)
    assert (str(found) if found is not None else None) == address
    assert found is None or found == Address(tuple(str(found).split(".")))


@pytest.mark.parametrize(
    ("files", "seeds", "second", "first"),
    [
        ({"models/a.sql": ONE, "models/a.yml": ""}, [], "models/a.yml", "models/a.sql"),
        ({"models/a.sql": ONE, "models/A.sql": ONE}, [], "models/a.sql", "models/A.sql"),
        ({"models/a.sql": ONE, "more/a.sql": ONE}, [], "more/a.sql", "models/a.sql"),
        ({"models/a.b.sql": ONE, "models/a/b.sql": ONE}, [], "models/a/b.sql", "models/a.b.sql"),
        ({"models/a.sql": ONE}, ["models/a.csv"], "models/a.sql", "models/a.csv"),
        ({"models/a.yml": "", "models/a.yaml": ""}, [], "models/a.yml", "models/a.yaml"),
        ({"models/a.yml": "", "models/a.yaml": ""}, ["models/a.csv"], "models/a.yml", "models/a.csv"),
        ({"more/a.yml": ""}, ["models/a.csv"], "more/a.yml", "models/a.csv"),
    ],
)
def test_two_files_with_one_address(files: dict[str, str], seeds: list[str], second: str, first: str) -> None:
    setup = SETUP + "paths: [models, more]\n"
    project = load({"smelt.yml": setup, **files}, seeds=seeds)
    found = next(one for one in project.diagnostics if one.code.name == "DuplicateAddress")
    assert found.location.file == second
    assert [one.location.file for one in found.related] == [first]
    assert second in found.message
    assert first in found.message


def test_the_first_of_two_files_stays() -> None:
    files = {"smelt.yml": SETUP + "paths: [models, more]\n", "models/a.sql": ONE, "more/a.sql": "SELECT 2 AS two"}
    assert load(files).models[Address(("a",))].file == "models/a.sql"


@pytest.mark.parametrize(
    "files",
    [
        {"models/a/b.sql": ONE, "models/a_b.sql": ONE},
        {"models/a.sql": "---\nname: X\n---\nSELECT 1 AS one", "models/x.sql": ONE},
        {"models/a.sql": "---\nname: x\ntarget: dev\n---\nSELECT 1 AS one", "models/x.sql": ONE},
    ],
)
def test_two_models_with_one_relation(files: dict[str, str]) -> None:
    project = load(files)
    assert [code for code, *_ in shown(project)] == ["DuplicateRelation"]
    assert {only(project).location.file, only(project).related[0].location.file} == set(files)


def test_a_seed_and_a_model_with_one_relation() -> None:
    project = load({"models/a_b.sql": ONE}, seeds=["models/a/b.csv"])
    assert [code for code, *_ in shown(project)] == ["DuplicateRelation"]


def test_one_name_in_two_places_is_two_relations() -> None:
    setup = "name: s\ndefault_target: a\ntargets:\n  a: {database: a.duckdb}\n  b: {database: b.duckdb}\n"
    files = {"models/x.sql": ONE, "models/y.sql": "---\nname: x\ntarget: b\n---\nSELECT 1 AS one"}
    assert load({"smelt.yml": setup, **files}).diagnostics == ()
    same = setup.replace("b.duckdb", "a.duckdb")
    assert [code for code, *_ in shown(load({"smelt.yml": same, **files}))] == ["DuplicateRelation"]


@pytest.mark.parametrize("path", ["models/_smelt_state.sql", "models/h__tombstones.sql", "models/h/_tombstones.sql"])
def test_reserved_relation_names_by_path(path: str) -> None:
    assert [code for code, *_ in shown(load({path: ONE}))] == ["ReservedRelationName"]


def test_files_outside_the_paths_do_not_belong() -> None:
    project = load({"other/m.sql": "SELEC", ".github/w.yml": "a: [", "readme.sql": "("})
    assert project.diagnostics == ()
    assert project.models == {}
