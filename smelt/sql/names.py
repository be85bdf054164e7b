"""Names as they must be written in a query."""

from smelt.text.identifiers import fold, quote

_RESERVED = frozenset(
    """
    all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast check
    collate collation column columns concurrently constraint create cross default deferrable desc describe
    distinct do else end except false fetch for foreign freeze from full generated glob group having ilike in
    initially inner intersect into is isnull join lambda lateral leading left like limit map natural not notnull
    null offset on only or order outer overlaps pivot pivot_longer pivot_wider placing positional primary qualify
    references returning right select semi show similar some struct summarize symmetric table tablesample then to
    trailing true try_cast tuple union unique unpack unpivot using variadic verbose when where window with
    """.split()
)
"""DuckDB's words that name no column without quotes; the last eleven call a function."""


def written(name: str) -> str:
    """The name as it must be written: in quotes only where it needs them."""
    plain = name.isidentifier() and name.isascii() and fold(name) not in _RESERVED
    return name if plain else quote(name)


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Names as they must be written, with commas between."""
    return ", ".join(written(name) for name in names)
