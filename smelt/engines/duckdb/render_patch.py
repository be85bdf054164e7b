"""SQL of the steps that fold events into the presented table and its ledger. Pure.

Stored rows are never updated and carry no index: DuckDB rewrites whole columns for an UPDATE, so a stale
neighbour is deleted by rowid and inserted again.
"""

from smelt.engines.duckdb.render_events import (
    CHANGES,
    DELETED,
    EVENTS,
    POINTS,
    ROWS,
    outputs,
    row_values,
)
from smelt.engines.duckdb.statements import Statement, columns, qualified, same, select_list
from smelt.grains.succession.shape import LAG_SLOT, LEAD_SLOT, SuccessionShape
from smelt.plan import succession as steps
from smelt.text.identifiers import quote

_RID = '"__smelt_rid"'
_FIRST = '"__smelt_first"'
_FRESH = '"__smelt_fresh"'
_TIES_SHOWN = 1000


def check_batch_ties(step: steps.CheckBatchTies) -> tuple[Statement, ...]:
    """Keys and clocks that hold more than one event, with how many."""
    identity = _identity(step.shape)
    return (Statement("check for clock ties", _ties(identity, EVENTS)),)


def build(step: steps.Build) -> tuple[Statement, ...]:
    """New tables from the events, ordered by key and clock so that a key's rows lie together."""
    shape, relations = step.shape, step.relations
    identity = columns(_identity(shape))
    presented = qualified(relations.schema, relations.presented)
    sql = (
        f"CREATE TABLE {presented} AS\nSELECT {select_list(outputs(shape))}\nFROM (\n"
        f"SELECT {row_values(shape)}, {DELETED}, {_slots(shape)}\nFROM {EVENTS}\n{_window(shape)}\n)\n"
        f"WHERE NOT {DELETED}\nORDER BY {identity}"
    )
    statements = [Statement("create the history", sql)]
    if relations.ledger is not None:
        ledger = qualified(relations.schema, relations.ledger)
        sql = f"CREATE TABLE {ledger} AS\nSELECT {_ledger_columns(shape)}\nFROM {EVENTS}\nWHERE {DELETED}\nORDER BY ALL"
        statements.append(Statement("create the tombstone ledger", sql))
    return tuple(statements)


def locate(step: steps.Locate) -> tuple[Statement, ...]:
    """Stored points of the touched keys, by one pass over the key column."""
    shape, relations = step.shape, step.relations
    keys, clock = shape.key_outputs, quote(shape.clock_output)
    sql = (
        f"CREATE TEMP TABLE {POINTS} AS\n"
        f"SELECT p.rowid AS {_RID}, {columns(_identity(shape), 'p')}, FALSE AS {DELETED}\n"
        f"FROM {qualified(relations.schema, relations.presented)} AS p\n"
        f"JOIN (SELECT {columns(keys)}, min({clock}) AS {_FIRST} FROM {EVENTS} GROUP BY {columns(keys)}) AS e\n"
        f"  ON {same(keys, 'p', 'e')}"
    )
    if step.bounded_by is not None:
        end = f"p.{quote(step.bounded_by)}"
        sql += f"\nWHERE {end} IS NULL OR {end} >= e.{_FIRST}"
    if relations.ledger is not None:
        pairs = zip(shape.key, keys, strict=True)
        on = " AND ".join(f"t.{quote(name)} = e.{quote(output)}" for name, output in pairs)
        stored = columns((*shape.key, shape.clock), "t")
        sql += (
            f"\nUNION ALL\nSELECT NULL, {stored}, TRUE\nFROM {qualified(relations.schema, relations.ledger)} AS t\n"
            f"SEMI JOIN {EVENTS} AS e\n  ON {on}"
        )
    return (Statement("locate stored points", sql),)


def check_ties(step: steps.CheckTies) -> tuple[Statement, ...]:
    """Like the check within a batch, over the batch and the stored events at the same key and clock.

    ``UNION`` drops what is equal, NULL-safe and for every type, so that an event presented again counts once.
    """
    shape, relations = step.shape, step.relations
    identity = _identity(shape)
    names = f"{row_values(shape)}, {DELETED}"
    stored = ", ".join([columns((column.name for column in shape.row_local), "p"), f"FALSE AS {DELETED}"])
    sql = (
        f"WITH twins AS MATERIALIZED (\n"
        f"SELECT p.* FROM {POINTS} AS p SEMI JOIN {EVENTS} AS e ON {same(identity, 'p', 'e')}\n),\n"
        f"seen AS (\nSELECT {names} FROM {EVENTS}\n"
        f"UNION BY NAME\nSELECT {columns(identity)}, {DELETED} FROM twins WHERE {DELETED}\n"
        f"UNION BY NAME\nSELECT {stored}\nFROM {qualified(relations.schema, relations.presented)} AS p\n"
        f"SEMI JOIN (SELECT {_RID} FROM twins WHERE NOT {DELETED}) AS t ON p.rowid = t.{_RID}\n)\n"
        f"{_ties(identity, 'seen')}"
    )
    return (Statement("check for clock ties", sql),)


def derive(step: steps.Derive) -> tuple[Statement, ...]:
    """The sequence around the new events, then the rows to write, then how many of each kind."""
    return (
        Statement("window over old points and new events", _changes(step.shape)),
        Statement("compute the rows to write", _rows(step)),
        Statement("count the changes", _counts()),
    )


def write(step: steps.Write) -> tuple[Statement, ...]:
    """The three writes; each only if it has rows."""
    shape, relations = step.shape, step.relations
    presented = qualified(relations.schema, relations.presented)
    names = columns(column.name for column in shape.outputs)
    identity = columns(_identity(shape))
    statements = [
        Statement(
            "remove stale neighbours",
            f"DELETE FROM {presented}\nWHERE rowid IN (SELECT {_RID} FROM {ROWS} WHERE {_RID} IS NOT NULL)",
            guard="rows_patched > 0",
        ),
        Statement(
            "insert new rows and patched neighbours",
            f"INSERT INTO {presented} ({names})\nSELECT {names}\nFROM {ROWS}\nORDER BY {identity}",
            guard="rows_inserted + rows_patched > 0",
        ),
    ]
    if relations.ledger is not None:
        sql = (
            f"INSERT INTO {qualified(relations.schema, relations.ledger)} "
            f"({columns((*shape.key, shape.clock))})\nSELECT {_ledger_columns(shape)}\nFROM {CHANGES}\n"
            f"WHERE {DELETED} AND {_FRESH}\nORDER BY {identity}"
        )
        statements.append(Statement("insert tombstones", sql, guard="tombstones > 0"))
    return tuple(statements)


def _changes(shape: SuccessionShape) -> str:
    identity = _identity(shape)
    names = columns(identity)
    neighbours = []
    if shape.reads_lead:
        neighbours.append(f"lead({_FRESH}, 1, FALSE) OVER w")
    if shape.reads_lag:
        neighbours.append(f"lag({_FRESH}, 1, FALSE) OVER w")
    stale = " OR ".join(neighbours)
    return (
        f"CREATE TEMP TABLE {CHANGES} AS\n"
        f"SELECT {_RID}, {names}, {DELETED}, {_FRESH}, {_slots(shape)}\nFROM (\n"
        f"SELECT {_RID}, {names}, {DELETED}, FALSE AS {_FRESH} FROM {POINTS}\n"
        f"UNION ALL\nSELECT NULL, {columns(identity, 'e')}, e.{DELETED}, TRUE\nFROM {EVENTS} AS e\n"
        f"ANTI JOIN {POINTS} AS p ON {same(identity, 'e', 'p')}\n)\n{_window(shape)}\n"
        f"QUALIFY {_FRESH} OR NOT {DELETED} AND ({stale})"
    )


def _rows(step: steps.Derive) -> str:
    shape, relations = step.shape, step.relations
    identity = _identity(shape)
    slots = columns((LEAD_SLOT, LAG_SLOT), "c")
    local = [column.name for column in shape.row_local]
    kept = [(column, quote(f"__smelt_stored_{at}")) for at, column in enumerate(shape.derived)]
    stored = [f"p.{quote(column.name)} AS {alias}" for column, alias in kept]
    changed = " OR ".join(f"({column.sql}) IS DISTINCT FROM {alias}" for column, alias in kept)
    return (
        f"CREATE TEMP TABLE {ROWS} AS\nSELECT {_RID}, {select_list(outputs(shape))}\nFROM (\n"
        f"SELECT c.{_RID}, {columns(local, 'e')}, {slots}\nFROM {EVENTS} AS e\n"
        f"JOIN {CHANGES} AS c ON {same(identity, 'e', 'c')}\nWHERE c.{_FRESH} AND NOT c.{DELETED}\n"
        f"UNION ALL BY NAME\n"
        f"SELECT c.{_RID}, {columns(local, 'p')}, {slots}, {', '.join(stored)}\n"
        f"FROM {qualified(relations.schema, relations.presented)} AS p\n"
        f"JOIN {CHANGES} AS c ON p.rowid = c.{_RID}\n)\n"
        f"WHERE {_RID} IS NULL OR {changed}"
    )


def _counts() -> str:
    return (
        f"SELECT (SELECT count(*) FROM {ROWS} WHERE {_RID} IS NULL) AS rows_inserted,\n"
        f"       (SELECT count(*) FROM {ROWS} WHERE {_RID} IS NOT NULL) AS rows_patched,\n"
        f"       (SELECT count(*) FROM {CHANGES} WHERE {_FRESH} AND {DELETED}) AS tombstones,\n"
        f"       (SELECT count(*) FROM {EVENTS}) AS events"
    )


def _ties(identity: tuple[str, ...], table: str) -> str:
    """The first ties in order, as text, each with its number of events, and how many ties there are in all."""
    names = columns(identity)
    shown = ", ".join(f"CAST({quote(name)} AS VARCHAR)" for name in identity)
    return (
        f"SELECT {shown}, count(*), count(*) OVER ()\nFROM {table}\n"
        f"GROUP BY {names}\nHAVING count(*) > 1\nORDER BY {names}\nLIMIT {_TIES_SHOWN}"
    )


def _identity(shape: SuccessionShape) -> tuple[str, ...]:
    return (*shape.key_outputs, shape.clock_output)


def _ledger_columns(shape: SuccessionShape) -> str:
    pairs = zip((*shape.key, shape.clock), _identity(shape), strict=True)
    return ", ".join(f"{quote(output)} AS {quote(name)}" for name, output in pairs)


def _slots(shape: SuccessionShape) -> str:
    clock = quote(shape.clock_output)
    return f"lead({clock}) OVER w AS {quote(LEAD_SLOT)}, lag({clock}) OVER w AS {quote(LAG_SLOT)}"


def _window(shape: SuccessionShape) -> str:
    return f"WINDOW w AS (PARTITION BY {columns(shape.key_outputs)} ORDER BY {quote(shape.clock_output)})"
