"""Selectors: what each names, in build order, and what is said of one that names nothing."""

import pytest

from smelt.project.selectors import select
from tests.project.loading import load

PROJECT = load(
    {
        "models/sources/events.yml": "name: main.events\ncolumns: [{name: id, type: INTEGER}]",
        "models/bronze/a.sql": "---\ntags: [core, night]\n---\nSELECT * FROM smelt.sources.events",
        "models/silver/b.sql": "---\ntags: [night]\n---\nSELECT * FROM smelt.bronze.a",
        "models/silver/c.sql": "SELECT * FROM smelt.bronze.a JOIN smelt.ref.codes USING (id)",
        "models/gold/d.sql": "SELECT * FROM smelt.silver.b JOIN smelt.silver.c USING (id)",
        "models/gold/Other.sql": "SELECT 1 AS one",
        "models/smelt/odd.sql": "SELECT 1 AS one",
    },
    seeds=["models/ref/codes.csv"],
)
ALL = ["ref.codes", "bronze.a", "gold.Other", "smelt.odd", "silver.b", "silver.c", "gold.d"]


def names(include: list[str], exclude: list[str] | None = None) -> list[str]:
    found = select(PROJECT, include, exclude or [])
    assert found.errors == ()
    return [str(address) for address in found.addresses]


def test_the_project_is_what_these_tests_take_it_for() -> None:
    assert PROJECT.diagnostics == ()


@pytest.mark.parametrize(
    ("include", "exclude", "selected"),
    [
        ([], [], ALL),
        (["silver.b"], [], ["silver.b"]),
        (["smelt.silver.b"], [], ["silver.b"]),
        (["SMELT.Silver.B"], [], ["silver.b"]),
        (["gold.other"], [], ["gold.Other"]),
        (["smelt.odd"], [], ["smelt.odd"]),
        (["smelt.smelt.odd"], [], ["smelt.odd"]),
        (["ref.codes"], [], ["ref.codes"]),
        (["+silver.c"], [], ["ref.codes", "bronze.a", "silver.c"]),
        (["silver.b+"], [], ["silver.b", "gold.d"]),
        (["+silver.b+"], [], ["bronze.a", "silver.b", "gold.d"]),
        (["ref.codes+"], [], ["ref.codes", "silver.c", "gold.d"]),
        (["sources.events+"], [], ["bronze.a", "silver.b", "silver.c", "gold.d"]),
        (["tag:night"], [], ["bronze.a", "silver.b"]),
        (["tag:core+"], [], ["bronze.a", "silver.b", "silver.c", "gold.d"]),
        (["path:models/silver"], [], ["silver.b", "silver.c"]),
        (["path:./models/silver/"], [], ["silver.b", "silver.c"]),
        (["path:models/silver/b.sql"], [], ["silver.b"]),
        (["path:models/*/[bc].sql"], [], ["silver.b", "silver.c"]),
        (["path:models/ref"], [], ["ref.codes"]),
        (["path:models/silver+"], [], ["silver.b", "silver.c", "gold.d"]),
        (["path:."], [], ALL),
        (["silver.*"], [], ["silver.b", "silver.c"]),
        (["smelt.silver.*"], [], ["silver.b", "silver.c"]),
        (["*.[ab]"], [], ["bronze.a", "silver.b"]),
        (["gold.d", "silver.b"], [], ["silver.b", "gold.d"]),
        (["+gold.d"], ["silver.b", "ref.*"], ["bronze.a", "silver.c", "gold.d"]),
        ([], ["tag:night", "gold.*"], ["ref.codes", "smelt.odd", "silver.c"]),
        (["silver.b"], ["silver.b"], []),
    ],
)
def test_selectors(include: list[str], exclude: list[str], selected: list[str]) -> None:
    assert names(include, exclude) == sorted(selected, key=names([]).index)


def test_the_order_is_seeds_then_the_build_order() -> None:
    assert names([]) == ["ref.codes", *map(str, PROJECT.order)]


@pytest.mark.parametrize(
    ("selector", "message", "words"),
    [
        ("silver.bb", "nothing is called `silver.bb`", "`silver.b`"),
        ("+smelt.silver.bb+", "nothing is called `silver.bb`", "`silver.b`"),
        ("d", "nothing is called `d`", "`gold.d`"),
        ("zzz*", "nothing is called `zzz*`", "`smelt list`"),
        ("", "nothing is called ``", "`smelt list`"),
        ("tag:nigth", "nothing has the tag `nigth`", "`night`"),
        ("tag:x", "nothing has the tag `x`", "core, night"),
        ("path:models/platinum", "nothing lies at `models/platinum`", "relative to the project"),
        ("sources.events", "`sources.events` is a source, which others load", "`sources.events+`"),
    ],
)
@pytest.mark.parametrize("side", ["include", "exclude"])
def test_a_selector_that_names_nothing(selector: str, message: str, words: str, side: str) -> None:
    found = select(PROJECT, **{"include": [], "exclude": [], side: [selector]})
    (error,) = found.errors
    assert (error.selector, error.message) == (selector, message)
    assert words in error.help


def test_a_source_that_nothing_reads_selects_nothing_and_is_no_error() -> None:
    project = load({"models/s.yml": "", "models/m.sql": "SELECT 1 AS one"})
    found = select(project, ["s+"], [])
    assert (found.addresses, found.errors) == ((), ())


def test_models_on_a_circle_can_be_selected() -> None:
    project = load({"models/a.sql": "SELECT * FROM smelt.b", "models/b.sql": "SELECT * FROM smelt.a"})
    found = select(project, ["+a"], [])
    assert [str(address) for address in found.addresses] == ["a", "b"]
