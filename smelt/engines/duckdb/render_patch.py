"""SQL of the steps that fold events into the presented table and its ledger. Pure.

Stored rows are never updated and carry no index: DuckDB rewrites whole columns for an UPDATE, so a stale
neighbour is deleted by rowid and inserted again.
"""

from smelt.engines.duckdb.render_events import (
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
_LAST = '"__smelt_last"'
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
    """Stored points of the touched keys, rows with all their columns: the one pass over the presented table."""
    beyond = _beyond(step)
    sql = f"CREATE TEMP TABLE {POINTS} AS\n"
    if beyond is None:
        sql += _stored_rows(step, ())
    else:
        nearest, is_beyond = beyond
        keys, clock = columns(step.shape.key_outputs), quote(step.shape.clock_output)
        sql += (
            f"WITH near AS MATERIALIZED (\n{_stored_rows(step, (_FIRST, _LAST))}\n)\n"
            f"SELECT * EXCLUDE ({_FIRST}, {_LAST})\nFROM near\nWHERE NOT {is_beyond}\n"
            f"UNION ALL BY NAME\nSELECT {keys}, {nearest}({clock}) AS {clock}, TRUE AS {DELETED}\n"
            f"FROM near\nWHERE {is_beyond}\nGROUP BY {keys}"
        )
    if step.relations.ledger is not None:
        sql += f"\nUNION ALL BY NAME\n{_tombstones(step.shape, step.relations.schema, step.relations.ledger)}"
    return (Statement("locate stored points", sql),)


def _beyond(step: steps.Locate) -> tuple[str, str] | None:
    """Which of the stored rows beyond the new events of their key counts, and the condition for such rows.

    Where the model looks to one side only, a row there can be a neighbour but is never patched: of all those
    beyond the last new event the nearest one's clock is enough, and a long key has few points to sort.
    """
    clock = quote(step.shape.clock_output)
    known, shape = step.known, step.shape
    if known is not None and known.lead is not None and not shape.reads_lag:
        return "min", f"{clock} > {_LAST}"
    if known is not None and known.lag is not None and not shape.reads_lead:
        return "max", f"{clock} < {_FIRST}"
    return None


def _stored_rows(step: steps.Locate, bounds: tuple[str, ...]) -> str:
    """Rows of the touched keys that can be neighbours, with the named bounds of their key's new events."""
    shape, relations = step.shape, step.relations
    keys, clock = columns(shape.key_outputs), quote(shape.clock_output)
    stored = columns((column.name for column in shape.outputs), "p")
    items = [f"p.rowid AS {_RID}", stored, f"FALSE AS {DELETED}", *(f"e.{bound}" for bound in bounds)]
    sql = (
        f"SELECT {', '.join(items)}\nFROM {qualified(relations.schema, relations.presented)} AS p\n"
        f"JOIN (\nSELECT {keys}, min({clock}) AS {_FIRST}, max({clock}) AS {_LAST}\n"
        f"FROM {EVENTS}\nGROUP BY {keys}\n) AS e\n  ON {same(shape.key_outputs, 'p', 'e')}"
    )
    near = _near(step.known)
    return f"{sql}\nWHERE {near}" if near else sql


def _tombstones(shape: SuccessionShape, schema: str, ledger: str) -> str:
    pairs = list(zip((*shape.key, shape.clock), _identity(shape), strict=True))
    on = " AND ".join(f"t.{quote(name)} = e.{quote(output)}" for name, output in pairs[:-1])
    points = ", ".join(f"t.{quote(name)} AS {quote(output)}" for name, output in pairs)
    return (
        f"SELECT {points}, TRUE AS {DELETED}\nFROM {qualified(schema, ledger)} AS t\nSEMI JOIN {EVENTS} AS e\n  ON {on}"
    )


def check_ties(step: steps.CheckTies) -> tuple[Statement, ...]:
    """Like the check within a batch, over the batch and the stored events at the same key and clock.

    ``UNION`` drops what is equal, NULL-safe and for every type, so that an event presented again counts once.
    """
    identity = _identity(step.shape)
    names = f"{row_values(step.shape)}, {DELETED}"
    sql = (
        f"WITH seen AS (\nSELECT {names} FROM {EVENTS}\nUNION\n"
        f"SELECT {names} FROM {POINTS} AS p\nSEMI JOIN {EVENTS} AS e ON {same(identity, 'p', 'e')}\n)\n"
        f"{_ties(identity, 'seen')}"
    )
    return (Statement("check for clock ties", sql),)


def derive(step: steps.Derive) -> tuple[Statement, ...]:
    """The rows to write, by one window over old points and new events, then how many there are of each kind."""
    return (
        Statement("compute the rows to write", _rows(step)),
        Statement("count the changes", _counts(step.shape)),
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
            f"({columns((*shape.key, shape.clock))})\nSELECT {_ledger_columns(shape)}\n"
            f"FROM {_fresh_events(shape)}\nWHERE {DELETED}\nORDER BY {identity}"
        )
        statements.append(Statement("insert tombstones", sql, guard="tombstones > 0"))
    return tuple(statements)


def _rows(step: steps.Derive) -> str:
    shape = step.shape
    kept = [(column, quote(f"__smelt_stored_{at}")) for at, column in enumerate(shape.derived)]
    stored = [f"{quote(column.name)} AS {alias}" for column, alias in kept]
    changed = " OR ".join(f"({column.sql}) IS DISTINCT FROM {alias}" for column, alias in kept)
    names = ", ".join([_RID, row_values(shape), DELETED])
    sequence = (
        f"SELECT {names}, {', '.join(stored)}, FALSE AS {_FRESH} FROM {POINTS}\n"
        f"UNION ALL BY NAME\nSELECT {row_values(shape)}, {DELETED}, TRUE AS {_FRESH} FROM {_fresh_events(shape)}"
    )
    around = (
        f"SELECT {names}, {', '.join(alias for _, alias in kept)}, {_neighbours(step)}\nFROM (\n{sequence}\n)\n"
        f"{_window(shape)}\nQUALIFY NOT {DELETED} AND ({_is_touched(shape)})"
    )
    return (
        f"CREATE TEMP TABLE {ROWS} AS\nSELECT {_RID}, {select_list(outputs(shape))}\nFROM (\n{around}\n)\n"
        f"WHERE {_RID} IS NULL OR {changed}"
    )


def _fresh_events(shape: SuccessionShape) -> str:
    """``FROM`` of the events that are not in yet; after the check for ties, what has a point is in."""
    return f"{EVENTS} AS e ANTI JOIN {POINTS} AS p ON {same(_identity(shape), 'e', 'p')}"


def _near(known: steps.KnownNeighbours | None) -> str:
    """The condition that a stored row can be a neighbour of a new event of its key."""
    if known is None:
        return ""
    sides = []
    if known.lead is not None:
        sides.append(f"(p.{quote(known.lead)} IS NULL OR p.{quote(known.lead)} >= e.{_FIRST})")
    if known.lag is not None:
        sides.append(f"(p.{quote(known.lag)} IS NULL OR p.{quote(known.lag)} <= e.{_LAST})")
    return " AND ".join(sides)


def _neighbours(step: steps.Derive) -> str:
    """The two slots. Where no new event came beside a stored row, its own columns tell the neighbour."""
    shape, known = step.shape, step.known
    clock = quote(shape.clock_output)
    sides = [("lead", LEAD_SLOT, known.lead if known else None), ("lag", LAG_SLOT, known.lag if known else None)]
    items = []
    for function, slot, column in sides:
        value = f"{function}({clock}) OVER w"
        if column is not None:
            at = next(at for at, one in enumerate(shape.derived) if one.name == column)
            stays = f"NOT {_FRESH} AND NOT {function}({_FRESH}, 1, FALSE) OVER w"
            value = f"CASE WHEN {stays} THEN {quote(f'__smelt_stored_{at}')} ELSE {value} END"
        items.append(f"{value} AS {quote(slot)}")
    return ", ".join(items)


def _is_touched(shape: SuccessionShape) -> str:
    """New, or a stored row beside a new event on a side that the model reads."""
    sides = [_FRESH]
    if shape.reads_lead:
        sides.append(f"lead({_FRESH}, 1, FALSE) OVER w")
    if shape.reads_lag:
        sides.append(f"lag({_FRESH}, 1, FALSE) OVER w")
    return " OR ".join(sides)


def _counts(shape: SuccessionShape) -> str:
    return (
        f"SELECT (SELECT count(*) FROM {ROWS} WHERE {_RID} IS NULL) AS rows_inserted,\n"
        f"       (SELECT count(*) FROM {ROWS} WHERE {_RID} IS NOT NULL) AS rows_patched,\n"
        f"       (SELECT count(*) FROM {_fresh_events(shape)} WHERE {DELETED}) AS tombstones,\n"
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
