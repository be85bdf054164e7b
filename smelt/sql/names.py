"""Names as they must be written in a query."""

from smelt.text.identifiers import fold, quote

RESERVED = frozenset(
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
"""DuckDB's words that name no column without quotes, or would call a function."""

CLAUSE_WORDS = frozenset(
    """
    all and any as asc between by case cast collate cross desc distinct do else except exists false fetch filter for
    from full group having ilike in inner intersect into is isnull join lateral left like limit natural not notnull
    null offset on only or order outer over partition pivot positional qualify right select semi similar some then
    true try_cast union unpivot using when where window with
    """.split()
)
"""Words that belong to a clause or an expression: out of place they are a slip of the query, not a column's name."""

NO_BARE_ALIAS = frozenset(
    """
    all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast centuries
    century check collate collation column concurrently constraint create cross day days decade decades default
    deferrable desc describe distinct do else end escape exclude export_state false fetch filter for foreign freeze
    from full glob group having hour hours ignore ilike in initially inner into is join lambda lateral leading left
    like limit microsecond microseconds millennia millennium millisecond milliseconds minute minutes month months
    natural not null offset on only or order outer over overlaps pivot pivot_longer pivot_wider placing positional
    precision primary qualify quarter quarters references rename replace respect returning right second seconds select
    semi show similar some summarize symmetric table tablesample then to trailing true unique unpack unpivot using
    variadic varying verbose week weeks when where window with within without year years
    """.split()
)
"""Words that are no alias unless ``AS`` stands before them."""

KEYWORD_VALUES = frozenset(
    "current_date current_time current_timestamp localtime localtimestamp current_user current_role current_schema "
    "current_catalog session_user user".split()
)
"""Words that are a value without quotes and a column with them."""


def written(name: str) -> str:
    """The name as it must be written: in quotes only where it needs them."""
    plain = name.isidentifier() and name.isascii() and fold(name) not in RESERVED | KEYWORD_VALUES
    return name if plain else quote(name)


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Names as they must be written, with commas between."""
    return ", ".join(written(name) for name in names)
