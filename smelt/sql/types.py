"""DuckDB type texts: their normal form, and which may stand where."""

import re

_ALIASES = {
    "INT": "INTEGER", "INT4": "INTEGER", "SIGNED": "INTEGER", "INT32": "INTEGER",
    "INT8": "BIGINT", "LONG": "BIGINT", "INT64": "BIGINT",
    "INT2": "SMALLINT", "SHORT": "SMALLINT", "INT16": "SMALLINT", "INT1": "TINYINT",
    "INT128": "HUGEINT", "UINT8": "UTINYINT", "UINT16": "USMALLINT", "UINT32": "UINTEGER", "UINT64": "UBIGINT",
    "UINT128": "UHUGEINT",
    "TEXT": "VARCHAR", "STRING": "VARCHAR", "CHAR": "VARCHAR", "BPCHAR": "VARCHAR", "NVARCHAR": "VARCHAR",
    "BOOL": "BOOLEAN", "LOGICAL": "BOOLEAN",
    "DATETIME": "TIMESTAMP", "TIMESTAMP_US": "TIMESTAMP", "TIMESTAMP WITHOUT TIME ZONE": "TIMESTAMP",
    "TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE", "TIMETZ": "TIME WITH TIME ZONE",
    "FLOAT4": "FLOAT", "REAL": "FLOAT", "FLOAT8": "DOUBLE", "DOUBLE PRECISION": "DOUBLE",
    "NUMERIC": "DECIMAL", "DEC": "DECIMAL",
    "BYTEA": "BLOB", "BINARY": "BLOB", "VARBINARY": "BLOB", "GUID": "UUID", "BITSTRING": "BIT",
}  # fmt: skip
_SIMPLE = {
    *_ALIASES.values(), "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS",
    "DATE", "TIME", "INTERVAL", "JSON", "BIGNUM", "VARINT", "TIME_NS", "VARIANT", "GEOMETRY", "TIMESTAMPTZ_NS",
}  # fmt: skip
_CLOCKS = {
    "DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE",
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT",
    "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT",
}  # fmt: skip
_RUN_AXES = {"DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"}
_WIDER = {
    "TINYINT": ("SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DOUBLE"),
    "SMALLINT": ("INTEGER", "BIGINT", "HUGEINT", "DOUBLE"),
    "INTEGER": ("BIGINT", "HUGEINT", "DOUBLE"),
    "BIGINT": ("HUGEINT",),
    "UTINYINT": ("USMALLINT", "UINTEGER", "UBIGINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UHUGEINT", "DOUBLE"),
    "USMALLINT": ("UINTEGER", "UBIGINT", "INTEGER", "BIGINT", "HUGEINT", "UHUGEINT", "DOUBLE"),
    "UINTEGER": ("UBIGINT", "BIGINT", "HUGEINT", "UHUGEINT", "DOUBLE"),
    "UBIGINT": ("UHUGEINT", "HUGEINT"),
    "FLOAT": ("DOUBLE",),
    "DATE": ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"),
    "TIMESTAMP_S": ("TIMESTAMP_MS", "TIMESTAMP"),
    "TIMESTAMP_MS": ("TIMESTAMP",),
    "JSON": ("VARCHAR",),
    "UUID": ("VARCHAR",),
}
_PIECE = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[(),\[\]]|[^\s(),\[\]'\"]+")
MAX_LENGTH = 20_000


def normal(text: str) -> str | None:
    """The type as DuckDB prints it, or None if it is no DuckDB type.

    Enumerations are kept as written; field names keep their spelling.
    """
    if len(text) > MAX_LENGTH or len(text.strip()) == 0:
        return None
    pieces = _PIECE.findall(text)
    if "".join(pieces) != "".join(text.split()) and "'" not in text and '"' not in text:
        return None
    try:
        result, rest = _type(pieces)
    except (IndexError, ValueError, RecursionError):
        return None
    return result if result is not None and not rest else None


def _type(pieces: list[str]) -> tuple[str | None, list[str]]:
    base, rest = _base(pieces)
    while base is not None and rest[:1] == ["["]:
        if rest[1] == "]":
            base, rest = f"{base}[]", rest[2:]
        elif rest[1].isdigit() and rest[2] == "]":
            base, rest = f"{base}[{rest[1]}]", rest[3:]
        else:
            return None, rest
    return base, rest


def _base(pieces: list[str]) -> tuple[str | None, list[str]]:
    word, rest = pieces[0].upper(), pieces[1:]
    if word in ("STRUCT", "ROW", "UNION") and rest[:1] == ["("]:
        return _fields("STRUCT" if word == "ROW" else word, rest[1:])
    if word == "MAP" and rest[:1] == ["("]:
        return _map(rest[1:])
    if word == "ENUM" and rest[:1] == ["("]:
        end = rest.index(")")
        return "ENUM(" + ", ".join(piece for piece in rest[1:end] if piece != ",") + ")", rest[end + 1 :]
    if word == "LIST" and rest[:1] == ["("]:
        inner, rest = _type(rest[1:])
        return (f"{inner}[]", rest[1:]) if inner is not None and rest[:1] == [")"] else (None, rest)
    for words in (("WITH", "TIME", "ZONE"), ("WITHOUT", "TIME", "ZONE"), ("PRECISION",)):
        if tuple(piece.upper() for piece in rest[: len(words)]) == words:
            word, rest = f"{word} {' '.join(words)}", rest[len(words) :]
    name = _ALIASES.get(word, word)
    if name == "DECIMAL":
        return _decimal(rest)
    if rest[:1] == ["("] and name in ("VARCHAR", "BIT", "TIME", "TIMESTAMP", "BLOB") and rest[2:3] == [")"]:
        return (name, rest[3:]) if rest[1].isdigit() else (None, rest)
    return (name, rest) if name in _SIMPLE else (None, rest)


def _decimal(rest: list[str]) -> tuple[str | None, list[str]]:
    if rest[:1] != ["("]:
        return "DECIMAL(18,3)", rest
    end = rest.index(")")
    numbers = [piece for piece in rest[1:end] if piece != ","]
    if not numbers or len(numbers) > 2 or not all(number.isdigit() for number in numbers):
        return None, rest
    width, scale = int(numbers[0]), int(numbers[1]) if len(numbers) == 2 else 0
    return (f"DECIMAL({width},{scale})" if 1 <= width <= 38 and scale <= width else None), rest[end + 1 :]


def _fields(word: str, rest: list[str]) -> tuple[str | None, list[str]]:
    fields: list[str] = []
    while True:
        name, (kind, rest) = rest[0], _type(rest[1:])
        if kind is None or not rest or name in "(),[]":
            return None, rest
        fields.append(f"{name} {kind}")
        separator, rest = rest[0], rest[1:]
        if separator == ")":
            return f"{word}({', '.join(fields)})", rest
        if separator != ",":
            return None, rest


def _map(rest: list[str]) -> tuple[str | None, list[str]]:
    key, rest = _type(rest)
    if key is None or rest[:1] != [","]:
        return None, rest
    value, rest = _type(rest[1:])
    return (f"MAP({key}, {value})", rest[1:]) if value is not None and rest[:1] == [")"] else (None, rest)


def is_clock_type(text: str) -> bool:
    """Whether a succession clock may have this type: dates, timestamps of every precision, integers."""
    return normal(text) in _CLOCKS


def is_run_axis_type(text: str) -> bool:
    """Whether a partition column may have this type."""
    return normal(text) in _RUN_AXES


def is_boolean(text: str) -> bool:
    """Whether the type is BOOLEAN."""
    return normal(text) == "BOOLEAN"


def is_time_with_offset(text: str) -> bool:
    """Whether a value of the type holds a time of day with an offset and no date."""
    return "TIME WITH TIME ZONE" in (normal(text) or "").replace("TIMESTAMP WITH TIME ZONE", "")


def widens(narrow: str, wide: str) -> bool:
    """Whether every value of ``narrow`` is one of ``wide``, without loss; equal types widen."""
    first, second = normal(narrow), normal(wide)
    if first is None or second is None:
        return narrow.strip().upper() == wide.strip().upper()
    if first == second or second in _WIDER.get(first, ()):
        return True
    a, b = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", first), re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", second)
    if a and b:
        (w1, s1), (w2, s2) = ((int(m[1]), int(m[2])) for m in (a, b))
        return s2 >= s1 and w2 - s2 >= w1 - s1
    return first.startswith("ENUM(") and second == "VARCHAR"


def names() -> tuple[str, ...]:
    """The type names that can be written, aliases included."""
    return tuple(sorted({*_ALIASES, *_SIMPLE, "STRUCT", "MAP", "ENUM", "UNION", "LIST"}))
