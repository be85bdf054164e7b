"""Every function of the installed DuckDB: what is called stable here is so there, and the rest is refused."""

import re
from dataclasses import dataclass

import duckdb
import pytest

from smelt.facts.locality import Gap, gaps
from smelt.sql.functions import FunctionClass, classify
from smelt.sql.parse import parse_expression
from smelt.sql.scopes import ColumnRef
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Overload:
    """One way to call a function, as DuckDB lists it."""

    kind: str
    stability: str | None
    types: tuple[str, ...]
    body: str | None


def installed() -> dict[str, list[Overload]]:
    rows = duckdb.connect().execute(
        "SELECT lower(function_name), function_type, stability, list_append(parameter_types, return_type),"
        " macro_definition FROM duckdb_functions()"
    )
    found: dict[str, list[Overload]] = {}
    for name, kind, stability, types, body in rows.fetchall():
        found.setdefault(name, []).append(Overload(kind, stability, tuple(map(str, types)), body))
    return found


FUNCTIONS = installed()
NAMED = re.compile(
    r"list_aggr\((?=.*'(?:any_value|avg|bit_and|bit_or|bit_xor|bool_and|bool_or|count|first|last|max|median|min|product"
    r"|string_agg|sum)')"
)
"""What ``list_aggr`` does hangs on a name; with these it depends on the list alone."""
CONSTANT_SESSION = {"TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ_NS"}
"""DuckDB lets what takes these depend on the query, because it reads the session's time zone, which smelt sets."""
TODAY = ("timezone", ("VARCHAR", "TIME WITH TIME ZONE", "TIME WITH TIME ZONE"))
"""This one reads the day as well; it is known by the types it is given, not by its name."""


class Names:
    """Columns of which nothing is known."""

    def is_row(self, ref: ColumnRef) -> bool:
        return False

    def has_offset(self, ref: ColumnRef) -> bool:
        return ref.parts == ("offset_time",)


def lost(text: str) -> tuple[Gap, ...]:
    """Where the proof for an expression is lost; the whole text if it cannot be read."""
    parsed = parse_expression(text, Span(0, len(text)))
    if parsed.query is None or parsed.errors:
        return (Gap(Span(0, len(text)), "cannot be read", "deterministic"),)
    return gaps(parsed.query, parsed.query.items[0].expr, Names())


def stable(name: str) -> bool:
    return classify(name, 2) is FunctionClass.STABLE


@pytest.mark.parametrize("name", sorted(name for name in FUNCTIONS if stable(name)))
def test_what_is_stable_here_is_stable_there(name: str) -> None:
    """A table function of the same name is another thing, and cannot stand in an expression."""
    scalars = [overload for overload in FUNCTIONS[name] if overload.kind not in ("table", "table_macro", "macro")]
    for overload in scalars:
        assert overload.kind == "scalar"
        if overload.stability == "CONSISTENT" or (name, overload.types) == TODAY:
            continue
        assert overload.stability == "CONSISTENT_WITHIN_QUERY"
        assert CONSTANT_SESSION & set(overload.types)
    for overload in FUNCTIONS[name]:
        if overload.kind == "macro":
            assert overload.body is not None
            assert lost(readable(overload.body)) == ()
    assert scalars or any(overload.kind == "macro" for overload in FUNCTIONS[name])


def readable(body: str) -> str:
    """A macro's body without what DuckDB only prints: a schema before functions, parentheses around a lambda."""
    return re.sub(r"\((lambda .*)\)\)$", r"\1)", NAMED.sub("list_sum(", body.replace("main.", "")))


def test_what_is_not_stable_is_refused_in_an_expression() -> None:
    refused = [name for name in FUNCTIONS if name.isidentifier() and not stable(name)]
    passed = [name for name in refused if not lost(f"{name}(a, b)")]
    assert passed == ["glob"]  # the word of an operator, which DuckDB calls only between its operands
    assert len(refused) > 200
    assert {"random", "uuid", "now", "nextval", "sum", "unnest", "current_setting"} <= set(refused)


def test_what_is_stable_passes_in_an_expression() -> None:
    """Also a check that the one above refuses because of the name. One word of a grammar of its own is left out."""
    names = [name for name in FUNCTIONS if name.isidentifier() and stable(name)]
    refused = [name for name in names if all(lost(f"{name}({args})") for args in ("", "a", "a, b", "a, b, c"))]
    assert refused == ["apply"]
    assert len(names) > 300


@pytest.mark.parametrize("name", ["my_udf", "sumx", "uppercase", "now_", "Ünknown", "_", "f1"])
def test_a_function_that_duckdb_does_not_have_is_unknown_and_refused(name: str) -> None:
    assert name.lower() not in FUNCTIONS
    assert classify(name) is None
    (gap,) = lost(f"{name}(a)")
    assert gap.proof == "deterministic"
    assert gap.reason == f"`{name}` is not a function whose result is known to be the same each time"


def test_no_volatile_function_is_stable_under_another_name() -> None:
    volatile = {name for name, overloads in FUNCTIONS.items() if any(o.stability == "VOLATILE" for o in overloads)}
    assert [name for name in volatile if stable(name)] == []
    assert len(volatile) > 5


@pytest.mark.parametrize(
    "text",
    [
        "age(a)", "AGE(a)", "current_date", "CURRENT_TIMESTAMP", "localtime", "user", "get_current_timestamp()",
        "today()", "getvariable('a')", "current_setting('TimeZone')", "list_aggregate(a, 'first')",
        "json_serialize_plan('SELECT 1')", '"random"()', "main.upper(a)", "(a).random()", "a.random()",
        "list_transform(l, x -> x + random())", "[random()]", "{'a': random()}", "CASE WHEN random() < 1 THEN 1 END",
        "upper(a) || uuid()", "txid_current()", "version()", "pg_typeof(a)", "sum(a)", "rank()",
        "offset_time AT TIME ZONE 'Europe/Berlin'", "timezone('Europe/Berlin', offset_time)", "a::TIMETZ",
        "CAST(a AS TIME WITH TIME ZONE)", "TIMETZ '12:00:00'", "a::TIMETZ AT TIME ZONE 'UTC'",
    ],
)  # fmt: skip
def test_run_dependent(text: str) -> None:
    assert lost(text)


@pytest.mark.parametrize(
    "text",
    [
        "age(a, b)",
        '"upper"(a)',
        "upper(a)",
        "a::VARCHAR",
        "list_sum(l)",
        "pi()",
        "l[1]",
        "a AT TIME ZONE 'UTC'",
        "timezone('UTC', a)",
        "offset_time::VARCHAR",
        "TIMETZ '12:00:00+02'",
        "offset_time > TIMETZ '12:00:00 -05:30'",
    ],
)
def test_stable(text: str) -> None:
    assert lost(text) == ()
