"""Values that a file holds as text, read as declared types: nothing dropped, nothing rounded.

DuckDB's own cast of text drops a UTC offset and cuts digits that the type has no room for. Here an offset is
converted to UTC, whatever the session's time zone is, and a text that the type cannot hold exactly fails the cast.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from smelt.text.identifiers import quote, quote_literal

if TYPE_CHECKING:
    # The oldest duckdb has it elsewhere.
    from duckdb.sqltypes import DuckDBPyType

Sql = Callable[[str], str]
"""SQL of a value, given SQL of what the file holds; the latter is a name, so it may be repeated."""

Format = Literal["csv", "json"]
"""``csv``: each value is text. ``json``: strings, and what a JSON number can be read as."""

INEXACT = "not kept exactly: "
"""What a text is prefixed with when its type cannot hold it, so that its cast fails and says so."""

_OFFSET = quote_literal(r"^[^:]*:[0-9:.]*\s*[A-Za-z+-]")
_DIGITS = {
    "TIMESTAMP_S": 0, "TIMESTAMP_MS": 3, "TIMESTAMP": 6, "TIMESTAMP WITH TIME ZONE": 6, "TIMESTAMP_NS": 9,
    "TIME": 6, "TIME WITH TIME ZONE": 6, "TIME_NS": 9,
}  # fmt: skip
_INTEGERS = {
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT",
}  # fmt: skip
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_WIDEST = 38


@dataclass(frozen=True, slots=True)
class Reading:
    """How a column is read.

    Attributes:
        stored: the type that the file is read as.
        value: from that to the declared type; None if the file can be read as the declared type at once.
    """

    stored: str
    value: Sql | None = None


def reading(kind: "DuckDBPyType", written: Format) -> Reading:
    """How a file's column of a declared type is read."""
    found = _reading(kind, written, 0)
    if written == "json" or str(kind) == "VARCHAR":
        return found
    outer, inner = found.stored, found.value
    if found.value is None:
        return Reading("VARCHAR", lambda text: f"CAST({text} AS {outer})")
    if outer == "VARCHAR":
        return found
    # A nested value is one text in a CSV file: split first, so that its parts are text.
    return Reading("VARCHAR", lambda text: _bound(f"CAST({text} AS {outer})", inner))


def _bound(sql: str, value: Sql | None) -> str:
    return sql if value is None else f"list_transform([{sql}], lambda whole: {value('whole')})[1]"


def _reading(kind: "DuckDBPyType", written: Format, depth: int) -> Reading:
    name = str(kind)
    decimal = _DECIMAL.fullmatch(name)
    if decimal is not None:
        width, scale = int(decimal.group(1)), int(decimal.group(2))
        if written == "json":
            return Reading(f"DECIMAL({_WIDEST},{_WIDEST - width + scale})", lambda number: _narrowed(number, name))
        return Reading("VARCHAR", lambda text: _number(text, name, scale))
    if name in _INTEGERS:
        return Reading("VARCHAR", lambda text: _number(text, name, 0))
    if name == "DATE":
        return Reading("VARCHAR", _date)
    if name in _DIGITS:
        return Reading("VARCHAR", lambda text: _time(text, name))
    return _nested(kind, written, depth)


def _nested(kind: "DuckDBPyType", written: Format, depth: int) -> Reading:
    name = str(kind)
    if kind.id not in ("struct", "list", "array", "map"):
        return Reading(name)
    parts = [(label, part) for label, part in kind.children if not isinstance(part, int | list)]
    inner = [(label, _reading(part, written, depth + 1)) for label, part in parts]
    if all(part.value is None for _, part in inner):
        return Reading(name)
    one = f"part{depth}"
    if kind.id == "struct":
        stored = ", ".join(f"{quote(label)} {part.stored}" for label, part in inner)
        return Reading(f"STRUCT({stored})", lambda whole: _struct(whole, inner))
    if kind.id == "map":
        stored = ", ".join(part.stored for _, part in inner)
        entry = _struct(one, inner)
        return Reading(
            f"MAP({stored})",
            lambda whole: f"map_from_entries(list_transform(map_entries({whole}), lambda {one}: {entry}))",
        )
    [(_, item)] = inner
    each = item.value(one) if item.value is not None else one
    if kind.id == "list":
        return Reading(f"{item.stored}[]", lambda whole: f"list_transform({whole}, lambda {one}: {each})")
    return Reading(f"{item.stored}[]", lambda whole: f"CAST(list_transform({whole}, lambda {one}: {each}) AS {name})")


def _struct(whole: str, fields: list[tuple[str, Reading]]) -> str:
    values = []
    for label, field in fields:
        part = f"struct_extract({whole}, {quote_literal(label)})"
        values.append(f"{quote(label)} := {part if field.value is None else field.value(part)}")
    return f"CASE WHEN {whole} IS NOT NULL THEN struct_pack({', '.join(values)}) END"


def _number(text: str, kind: str, scale: int) -> str:
    """A whole or decimal number. With an exponent, its places cannot be counted in the text."""
    places = quote_literal(rf"^[^eE]*\.[0-9_]{{{scale}}}[0-9_]*[1-9][^eE]*$")
    cut = (
        f"(contains({text}, '.') AND regexp_matches({text}, {places})) OR "
        f"((contains({text}, 'e') OR contains({text}, 'E')) "
        f"AND TRY_CAST({text} AS DOUBLE) <> CAST(TRY_CAST({text} AS {kind}) AS DOUBLE))"
    )
    return f"CAST({_exact(text, cut)} AS {kind})"


def _narrowed(number: str, kind: str) -> str:
    """A JSON number, read with all the places there are. It may have come by a double: that much is no difference."""
    rest = f"abs(CAST({number} - CAST({number} AS {kind}) AS DOUBLE))"
    inexact = f"CAST({quote_literal(INEXACT)} || {number} AS {kind})"
    return f"CASE WHEN {rest} > abs(CAST({number} AS DOUBLE)) * 1e-15 THEN {inexact} ELSE CAST({number} AS {kind}) END"


def _time(text: str, kind: str) -> str:
    places = quote_literal(rf"\.[0-9]{{{_DIGITS[kind]}}}[0-9]*[1-9]")
    cut = f"contains({text}, '.') AND regexp_matches({text}, {places})"
    if kind in ("TIME", "TIME_NS"):
        cut = f"({cut}) OR regexp_matches({text}, {_OFFSET})"
    exact = _exact(text, cut)
    if not kind.startswith("TIMESTAMP") or kind == "TIMESTAMP WITH TIME ZONE":
        return f"CAST({exact} AS {kind})"
    instant = f"CAST({exact} AS TIMESTAMP WITH TIME ZONE)"
    if kind == "TIMESTAMP_NS":
        # The instant has microseconds only, and an offset has whole seconds: the rest is that of the local time.
        rest = f"(epoch_ns(CAST({text} AS TIMESTAMP_NS)) % 1000 + 1000) % 1000"
        utc = f"make_timestamp_ns(epoch_us({instant}) * 1000 + {rest})"
    else:
        utc = f"CAST({instant} AT TIME ZONE 'UTC' AS {kind})"
    return f"CASE WHEN regexp_matches({text}, {_OFFSET}) THEN {utc} ELSE CAST({exact} AS {kind}) END"


def _date(text: str) -> str:
    """A date, which may be written as the first instant of it."""
    instant = _time(text, "TIMESTAMP")
    inexact = f"CAST({quote_literal(INEXACT)} || {text} AS DATE)"
    whole = f"CASE WHEN {instant} = date_trunc('day', {instant}) THEN CAST({instant} AS DATE) ELSE {inexact} END"
    return f"CASE WHEN contains({text}, ':') THEN {whole} ELSE CAST({text} AS DATE) END"


def _exact(text: str, cut: str) -> str:
    return f"CASE WHEN {cut} THEN {quote_literal(INEXACT)} || {text} ELSE {text} END"
