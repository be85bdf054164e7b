"""Which functions give a value that depends on their arguments alone.

The catalogue is DuckDB's own. A function it does not list is unknown, and unknown means refused.
"""

from enum import StrEnum

from smelt.sql import catalogue


class FunctionClass(StrEnum):
    """How a function behaves, seen from one row."""

    STABLE = "stable"
    RUN_DEPENDENT = "run-dependent"
    VOLATILE = "volatile"
    AGGREGATE = "aggregate"
    WINDOW = "window"
    TABLE = "table"


_SYNTAX = frozenset(
    "cast try_cast extract coalesce ifnull nullif trim substring position overlay row struct_pack map list_value "
    "array case try collate at if greatest least".split()
)
"""Forms of the grammar that look like functions, and depend on their arguments alone."""

_STABLE_MACROS = frozenset(
    "array_append array_pop_back array_pop_front array_prepend array_push_back array_push_front array_reverse "
    "array_to_string date_add days_in_month fdiv if json list_any_value list_append list_avg list_bit_and "
    "list_bit_or list_bit_xor list_bool_and list_bool_or list_count list_first list_last list_max list_median "
    "list_min list_prepend list_product list_reverse list_string_agg list_sum map_contains_entry "
    "map_contains_value md5_number_lower md5_number_upper nullif split_part".split()
)
"""Macros whose bodies were read and hold only stable functions."""

_RUN_DEPENDENT = frozenset(
    "alias version getenv current_setting getvariable nextval currval txid_current current_schema current_schemas "
    "current_database current_catalog current_user current_role session_user user current_date current_time "
    "current_timestamp localtime localtimestamp now today get_current_timestamp get_current_time "
    "transaction_timestamp in_search_path ago stats rowid which_secret".split()
)
"""DuckDB lists some of these as consistent, or writes them as keywords; their value depends on the run."""

_UNPROVEN = frozenset(
    "aggregate array_aggr array_aggregate list_aggr list_aggregate index_key invoke json_serialize_plan".split()
)
"""DuckDB lists these as consistent; what they give hangs on a function that an argument names, or on the catalogue."""


def classify(name: str, arguments: int | None = None) -> FunctionClass | None:
    """The class of a function, or None if it is unknown.

    Args:
        name: as written, any case.
        arguments: how many it is given, if known: ``age`` with one argument reads the clock.
    """
    folded = name.lower()
    if folded in _RUN_DEPENDENT or (folded == "age" and arguments == 1):
        return FunctionClass.RUN_DEPENDENT
    if folded in _UNPROVEN:
        return None
    if folded in catalogue.VOLATILE:
        return FunctionClass.VOLATILE
    if folded == "unnest" or folded in ("generate_subscripts", "regexp_split_to_table"):
        return FunctionClass.TABLE
    if folded in catalogue.WINDOW_ONLY:
        return FunctionClass.WINDOW
    if folded in catalogue.AGGREGATE or folded in ("geomean", "geometric_mean", "wavg", "weighted_avg"):
        return FunctionClass.AGGREGATE
    if folded in catalogue.RUN_DEPENDENT:
        return FunctionClass.RUN_DEPENDENT
    if folded in catalogue.STABLE or folded in _SYNTAX or folded in _STABLE_MACROS:
        return FunctionClass.STABLE
    return FunctionClass.TABLE if folded in catalogue.TABLE else None
