"""SQL of the steps that turn a window of the source into events. Pure."""

from smelt.engines.duckdb.statements import Statement, columns, select_list
from smelt.grains.succession.shape import OutputColumn, SuccessionShape
from smelt.plan import succession as steps
from smelt.plan.succession import StagedInput
from smelt.plan.windows import bound
from smelt.project.model import Granularity
from smelt.text.identifiers import fold, quote, quote_literal
from smelt.text.intervals import Interval

RAW = 'temp."__smelt_raw"'
EVENTS = 'temp."__smelt_events"'
POINTS = 'temp."__smelt_points"'
ROWS = 'temp."__smelt_rows"'

PARTITION = '"__smelt_partition"'
KEPT = '"__smelt_kept"'
DELETED = '"__smelt_deleted"'

_FIRST, _END = "0001-01-01", "10000-01-01"
"""The first day of the calendar, and the day after its last."""
_COMPARABLE = ("DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE")


def clear() -> tuple[Statement, ...]:
    """Drop every work table."""
    return tuple(Statement("clear", f"DROP TABLE IF EXISTS {table}") for table in (RAW, EVENTS, POINTS, ROWS))


def stage(step: steps.Stage) -> tuple[Statement, ...]:
    """The copy, empty: typed as declared, so that the source need not be bound for it."""
    typed = [f"{quote(name)} {step.source.type_of(name)}" for name in step.shape.reads]
    marks = [f"{_null_mark(at)} BOOLEAN" for at, _ in enumerate(_unread(step.shape, step.source.required))]
    body = select_list([*typed, *marks, f"{PARTITION} TIMESTAMP", f"{KEPT} BOOLEAN"])
    return (Statement("prepare the copy", f"CREATE TEMP TABLE {RAW} (\n       {body}\n)"),)


def stage_window(step: steps.StageWindow) -> tuple[Statement, ...]:
    """The raw rows of one range. Rows without a partition come along, to be found by the check."""
    shape, source = step.shape, step.source
    kept = "TRUE" if shape.pre_filter is None else f"({shape.pre_filter}) IS TRUE"
    items = [
        *(quote(name) for name in shape.reads),
        *(f"{quote(name)} IS NULL" for name in _unread(shape, source.required)),
        partition_of(shape, source.axis_type),
        kept,
    ]
    sql = (
        f"INSERT INTO {RAW}\nSELECT {select_list(items)}\nFROM {source.relation}\n"
        f"WHERE {in_window(shape, source.axis_type)}"
    )
    return (Statement("copy the window", sql),)


def null_columns(step: steps.Inspect) -> tuple[tuple[str, str], ...]:
    """Each column that may hold no NULL, and the condition on the copy that finds one."""
    shape = step.shape
    unread = _unread(shape, step.required)
    declared = {fold(name) for name in step.required}
    proven = (*shape.key, shape.clock, *(() if shape.flag is None else (shape.flag,)))
    return (
        (shape.run_axis, f"{PARTITION} IS NULL"),
        *((name, f"{quote(name)} IS NULL") for name in step.required if name not in unread and name != shape.run_axis),
        *((name, _null_mark(at)) for at, name in enumerate(unread)),
        *((name, f"{KEPT} AND {quote(name)} IS NULL") for name in proven if fold(name) not in declared),
    )


def inspect(step: steps.Inspect) -> tuple[Statement, ...]:
    """One row per partition: raw rows, kept rows, then the rows that break each NOT NULL."""
    broken = [f"count(*) FILTER ({condition})" for _, condition in null_columns(step)]
    items = select_list([PARTITION, "count(*)", f"count(*) FILTER ({KEPT})", *broken])
    return (Statement("count the window and look for NULL", f"SELECT {items}\nFROM {RAW}\nGROUP BY {PARTITION}"),)


def collapse(step: steps.Collapse) -> tuple[Statement, ...]:
    """One row per event. Of a delete only key and clock count: its payload can decide nothing."""
    shape = step.shape
    live = KEPT if shape.flag is None else f"{KEPT} AND NOT {quote(shape.flag)}"
    items = [*(_aliased(column) for column in shape.row_local), f"FALSE AS {DELETED}"]
    sql = f"SELECT DISTINCT {select_list(items)}\nFROM {RAW}\nWHERE {live}"
    if shape.flag is not None:
        identity = zip((*shape.key, shape.clock), (*shape.key_outputs, shape.clock_output), strict=True)
        deletes = [*(f"{quote(name)} AS {quote(output)}" for name, output in identity), f"TRUE AS {DELETED}"]
        sql += (
            f"\nUNION ALL BY NAME\nSELECT DISTINCT {select_list(deletes)}\nFROM {RAW}\n"
            f"WHERE {KEPT} AND {quote(shape.flag)}"
        )
    return (Statement("collapse to events", f"CREATE TEMP TABLE {EVENTS} AS\n{sql}"),)


def partition_of(shape: SuccessionShape, axis_type: str) -> str:
    """SQL for the start of a row's partition, a naive UTC TIMESTAMP; NULL for a row that lies in none."""
    first, end = _calendar(axis_type)
    axis = _axis(shape.run_axis, axis_type)
    return f"CASE WHEN {axis} >= {first} AND {axis} < {end} THEN {_start(shape, axis_type)} END"


def _start(shape: SuccessionShape, axis_type: str) -> str:
    axis = _axis(shape.run_axis, axis_type)
    if axis_type == "TIMESTAMP WITH TIME ZONE":
        axis = f"{axis} AT TIME ZONE 'UTC'"
    elif axis_type == "DATE" and shape.granularity in (Granularity.DAY, Granularity.HOUR):
        return f"CAST({axis} AS TIMESTAMP)"
    unit = quote_literal(shape.granularity.value)
    if shape.granularity is Granularity.WEEK and shape.week_start == "sunday":
        start = f"CAST(date_trunc({unit}, {axis} + INTERVAL 1 DAY) AS TIMESTAMP) - INTERVAL 1 DAY"
        return f"greatest({start}, TIMESTAMP '{_FIRST}')"
    return f"CAST(date_trunc({unit}, {axis}) AS TIMESTAMP)"


def in_window(shape: SuccessionShape, axis_type: str) -> str:
    """The condition that a row lies in ``[$start, $end)``, or in no partition at all."""
    name = _axis(shape.run_axis, axis_type)
    low, high = _bound("start", shape, axis_type), _bound("end", shape, axis_type)
    return f"({name} >= {low} AND {name} < {high}) OR {nowhere(shape.run_axis, axis_type)}"


def nowhere(axis: str, axis_type: str) -> str:
    """The condition that a value of the run axis lies in no partition."""
    first, end = _calendar(axis_type)
    name = _axis(axis, axis_type)
    return f"{name} IS NULL OR {name} < {first} OR {name} >= {end}"


def bounds_of(window: Interval) -> dict[str, str]:
    """The values of ``$start`` and ``$end``."""
    return {"start": bound(window.start), "end": bound(window.end)}


def _bound(parameter: str, shape: SuccessionShape, axis_type: str) -> str:
    """A bound of the window in the type of the axis; UTC whatever the session's time zone is."""
    at = f"CAST(${parameter} AS TIMESTAMP)"
    if axis_type == "TIMESTAMP WITH TIME ZONE":
        return f"({at} AT TIME ZONE 'UTC')"
    if axis_type != "DATE":
        return at
    # A date is its midnight. The first one at or after an hour is that of the next day.
    ceiling = " + INTERVAL '86399.999999 seconds'" if shape.granularity is Granularity.HOUR else ""
    return f"CAST({at}{ceiling} AS DATE)"


def _axis(name: str, axis_type: str) -> str:
    """The run axis to be compared with the calendar's ends. Timestamps of another unit may have a shorter calendar."""
    return f"CAST({quote(name)} AS TIMESTAMP)" if axis_type not in _COMPARABLE else quote(name)


def _calendar(axis_type: str) -> tuple[str, str]:
    """The first instant of the calendar and the one after its last, in the type of the axis."""
    if axis_type == "TIMESTAMP WITH TIME ZONE":
        return f"TIMESTAMPTZ '{_FIRST} 00:00:00+00'", f"TIMESTAMPTZ '{_END} 00:00:00+00'"
    unit = "DATE" if axis_type == "DATE" else "TIMESTAMP"
    return f"{unit} '{_FIRST}'", f"{unit} '{_END}'"


def count_source(shape: SuccessionShape, source: StagedInput) -> Statement:
    """Raw rows of every partition that the source has now: what a run without a window decides by."""
    partition = partition_of(shape, source.axis_type)
    sql = f"SELECT {partition} AS {PARTITION}, count(*)\nFROM {source.relation}\nGROUP BY {PARTITION}"
    return Statement("count the source", sql)


def fingerprint_source(shape: SuccessionShape, source: StagedInput, *, windowed: bool) -> Statement:
    """Raw rows and a fingerprint of the declared values of each partition, whatever the order of its rows."""
    values = ", ".join(quote(name) for name, _ in source.types)
    where = f"\nWHERE {in_window(shape, source.axis_type)}" if windowed else ""
    sql = (
        f"SELECT {partition_of(shape, source.axis_type)} AS {PARTITION}, count(*), "
        f"CAST(sum(hash({values})) AS VARCHAR)\nFROM {source.relation}{where}\nGROUP BY {PARTITION}"
    )
    return Statement("fingerprint the source", sql)


def outputs(shape: SuccessionShape) -> list[str]:
    """The model's columns in order, over row-local outputs and the two slots."""
    return [quote(column.name) if column.kind == "row_local" else _aliased(column) for column in shape.outputs]


def row_values(shape: SuccessionShape) -> str:
    """The row-local columns by output name."""
    return columns(column.name for column in shape.row_local)


def _aliased(column: OutputColumn) -> str:
    return f"{column.sql} AS {quote(column.name)}"


def _unread(shape: SuccessionShape, required: tuple[str, ...]) -> tuple[str, ...]:
    read = {fold(name) for name in shape.reads}
    return tuple(name for name in required if fold(name) not in read)


def _null_mark(at: int) -> str:
    return quote(f"__smelt_null_{at}")
