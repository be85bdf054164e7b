"""# SuccessionOrderNotMonotoneClock

## What was found

A window's `ORDER BY` is missing, has a second key, `DESC`, an expression, or a column that is not the source's
`event_time_column`, may be NULL, or has a type that is no clock.

## Why it blocks

The order of the windows is the order of history. A patch looks for the greatest clock below an event and the least
above it; both must exist and be the same in the SQL and in the table.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts DESC) AS valid_to
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```

## Accepted

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Load, Location, Related, Severity, Witness, report
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate, Window
from smelt.sql.model import OrderItem
from smelt.sql.names import written
from smelt.sql.types import is_clock_type
from smelt.text.edits import Edit
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionOrderNotMonotoneClock",
    severity=Severity.ERROR,
    message="the window is not ordered by the clock: {reason}",
    help="{suggestion}",
    witness=Witness(
        "with DESC, LEAD gives the event before: the row that changes is behind a late event, not before it",
        (
            Load(
                ("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')", "(1, 'b', 'x', '2025-01-05', FALSE, '2025-01-05')")
            ),
            Load(("(1, 'c', 'x', '2025-01-03', FALSE, '2025-01-06')",)),
        ),
    ),
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every window whose order is not the one, ascending, NOT NULL event-time column."""
    clock = c.event_time_column
    for window in c.windows if clock is not None else ():
        assert clock is not None
        for span, reason, suggestion, related, repairs in _problems(c, window, clock):
            where = Location(c.model.file, span)
            yield report(
                CODE, where, label=reason, reason=reason, suggestion=suggestion, related=related, fixes=repairs
            )


_Problem = tuple[Span, str, str, tuple[Related, ...], tuple[Fix, ...]]


def _problems(c: Candidate, window: Window, clock: str) -> Iterator[_Problem]:
    first, order = window.first_order, window.spec.order_by
    if first is None:
        found = _add_order(c, window, clock)
        yield window.spec.span, "there is no ORDER BY", f"add ORDER BY {written(clock)}", (), found
        return
    for second in order[1:]:
        rest = Span(first.span.end, order[-1].span.end)
        fix = fixes.replace(c, "Drop the further sort keys", rest, "")
        yield second.span, "a second sort key", f"keep ORDER BY {written(clock)} alone", (), (fix,)
    if first.descending is not None:
        yield _descending(c, window, first, clock)
        return
    column = window.clock
    if window.order[0].unknown:
        return
    if column is None:
        reason = f"`{c.query.text_of(first.expr)}` is an expression, not the source's event time (`{clock}`)"
        yield first.span, reason, f"write ORDER BY {written(clock)}", (), _order_by(c, window, clock)
    elif column != clock:
        reason = f"`{column}` is not the source's event time (`{clock}`)"
        suggestion = f"write ORDER BY {written(clock)}, or declare the other as `event_time_column`"
        yield first.span, reason, suggestion, (), _order_by(c, window, clock)
    else:
        yield from _clock_problems(c, first.span, clock)


def _descending(c: Candidate, window: Window, item: OrderItem, clock: str) -> _Problem:
    assert item.descending is not None
    found = _order_by(c, window, clock)
    if window.clock == clock:
        found = (fixes.replace(c, "Drop DESC", Span(item.expr.span.end, item.descending.end), ""),)
    suggestion = f"write ORDER BY {written(clock)}, with LEAD for the event after and LAG for the one before"
    return item.span, "it descends", suggestion, (), found


def _order_by(c: Candidate, window: Window, clock: str) -> tuple[Fix, ...]:
    """Put the clock in the place of the first sort key, and of the arguments that followed that key."""
    first, shown = window.first_order, fixes.projecting(c, [clock])
    if first is None or shown is None or not _is_clock(c, clock):
        return ()
    spans = [first.span] + [
        call.written.arguments[0].span
        for call in c.calls
        if call.window is window and call.argument is not None and call.argument.bare_column == window.clock
    ]
    edits = tuple(FileEdit(c.model.file, Edit(span, written(clock))) for span in spans)
    return (Fix(f"Order by {written(clock)}", False, (*shown, *edits)),)


def _add_order(c: Candidate, window: Window, clock: str) -> tuple[Fix, ...]:
    shown = fixes.projecting(c, [clock])
    if shown is None or not _is_clock(c, clock):
        return ()
    spec = window.spec
    frame = spec.frame_span
    at = frame.start if frame is not None and spec.span.covers(frame) else spec.span.end - 1
    edits = fixes.insert(c, "", at, f"ORDER BY {written(clock)}").edits
    return (Fix(f"Order by {written(clock)}", False, (*shown, *edits)),)


def _is_clock(c: Candidate, clock: str) -> bool:
    """Whether the declared event time is fit to be ordered by."""
    column = c.source.column(clock) if c.source is not None else None
    return column is not None and is_clock_type(column.type) and c.is_not_null(clock)


def _clock_problems(c: Candidate, span: Span, clock: str) -> Iterator[_Problem]:
    column = c.source.column(clock) if c.source is not None else None
    if column is not None and not is_clock_type(column.type):
        suggestion = "declare a clock of type DATE, TIMESTAMP, TIMESTAMPTZ or an integer"
        yield span, f"`{clock}` is {column.type}, which is no clock type", suggestion, (), ()
    elif not c.is_not_null(clock):
        suggestion = f"declare `{clock}` with `nullable: false`, or add WHERE {written(clock)} IS NOT NULL"
        yield span, f"`{clock}` may be NULL", suggestion, *fixes.declare_not_null(c, clock)
