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

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Related, Severity, report
from smelt.grains.succession.candidate import Candidate, Window
from smelt.grains.succession.sources import nullable_column
from smelt.sql.types import is_clock_type
from smelt.text.edits import Edit
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionOrderNotMonotoneClock",
    severity=Severity.ERROR,
    message="the window is not ordered by the clock: {reason}",
    help="{suggestion}",
    witness="with DESC, LEAD gives the event before: the patch would correct the row on the wrong side",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every window whose order is not the one, ascending, NOT NULL event-time column."""
    if c.scope is None or c.event_time_column is None:
        return
    for window in c.windows:
        if any(c.scope.strangers(item.expr, c.aliases) for item in window.spec.order_by):
            continue
        for span, reason, suggestion, related, fixes in _problems(c, window, c.event_time_column):
            where = Location(c.model.file, span)
            yield report(CODE, where, label=reason, reason=reason, suggestion=suggestion, related=related, fixes=fixes)


_Problem = tuple[Span, str, str, tuple[Related, ...], tuple[Fix, ...]]


def _problems(c: Candidate, window: Window, clock: str) -> Iterator[_Problem]:
    spec = window.spec
    if not spec.order_by:
        yield spec.span, "there is no ORDER BY", f"add ORDER BY {clock}", (), ()
        return
    first = spec.order_by[0]
    for second in spec.order_by[1:]:
        gap = Edit(Span(spec.order_by[0].span.end, spec.order_by[-1].span.end), "")
        fix = Fix("Drop the further sort keys", False, (FileEdit(c.model.file, gap),))
        yield second.span, "a second sort key", f"keep ORDER BY {clock} alone", (), (fix,)
    if first.descending is not None:
        edit = Edit(Span(first.expr.span.end, first.descending.end), "")
        fix = Fix("Drop DESC", False, (FileEdit(c.model.file, edit),))
        yield (
            first.span,
            "it descends",
            f"write ORDER BY {clock}, and change LAG to LEAD where you mean the next",
            (),
            (fix,),
        )
        return
    if window.clock is None:
        yield first.span, "it is an expression", f"write ORDER BY {clock}", (), ()
    elif window.clock != clock:
        reason = f"`{window.clock}` is not the source's event time (`{clock}`)"
        yield first.span, reason, f"write ORDER BY {clock}, or declare the other as `event_time_column`", (), ()
    else:
        yield from _clock_problems(c, first.span, clock)


def _clock_problems(c: Candidate, span: Span, clock: str) -> Iterator[_Problem]:
    column = c.source.column(clock) if c.source is not None else None
    if column is not None and not is_clock_type(column.type):
        suggestion = "declare a clock of type DATE, TIMESTAMP, TIMESTAMPTZ or an integer"
        yield span, f"`{clock}` is {column.type}, which is no clock type", suggestion, (), ()
    elif clock not in c.proven:
        suggestion = f"declare `{clock}` with `nullable: false`, or add WHERE {clock} IS NOT NULL"
        yield span, f"`{clock}` may be NULL", suggestion, *nullable_column(c, clock)
