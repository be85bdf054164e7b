"""# SuccessionWindowFunctionNotLead

## What was found

A window function other than `LEAD(t)` or `LAG(t)` over the clock: another function, an offset or default argument,
`IGNORE NULLS`, a frame, or an argument that is not the column its window is ordered by.

## Why it blocks

A new event changes `LEAD(t)` of the event before it and `LAG(t)` of the event after it, and nothing else. Any other
window function may change for rows further away, which a patch of the neighbours would miss.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    LEAD(effective_ts, 2) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS next_but_one
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

from smelt.diagnostics.model import Code, Diagnostic, Fix, Load, Location, Severity, Witness, report
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Call, Candidate
from smelt.sql.model import WindowCall
from smelt.sql.names import written as written_name
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionWindowFunctionNotLead",
    severity=Severity.ERROR,
    message="{call} is not the clock of a row's neighbour: {reason}",
    help="write LEAD or LAG of the clock alone: the one column that the window is ordered by, without further argument",
    witness=Witness(
        "a new event changes LEAD(t, 2) of the second row before it, which is no neighbour",
        (
            Load(
                ("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')", "(1, 'b', 'x', '2025-01-02', FALSE, '2025-01-02')")
            ),
            Load(("(1, 'c', 'x', '2025-01-03', FALSE, '2025-01-03')",)),
        ),
    ),
)
_EXTRAS = {
    "ignore_nulls": "IGNORE NULLS reaches arbitrarily far",
    "misplaced_nulls": "IGNORE NULLS reaches arbitrarily far",
    "filter": "a FILTER",
    "distinct": "DISTINCT",
    "argument_order": "an ORDER BY inside the call",
}


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every projected window call that is no plain neighbour's clock."""
    for written in c.query.calls:
        if written.nested or written.item is None:
            continue
        refused = _spelled(c, written) or _meant(c, written)
        if refused is not None:
            span, reason, found = refused
            text = c.query.text_of(written.call_span)
            yield report(CODE, Location(c.model.file, span), call=text, reason=reason, label=reason, fixes=found)


_Refusal = tuple[Span, str, tuple[Fix, ...]]


def _spelled(c: Candidate, call: WindowCall) -> _Refusal | None:
    """What the call's own text shows, whatever the source is."""
    if call.function not in ("LEAD", "LAG"):
        return call.call_span, f"{call.function} is neither LEAD nor LAG", ()
    if len(call.arguments) != 1:
        return call.call_span, _argument_reason(call), _drop_arguments(c, call)
    extra = next((extra for extra in call.extras if extra[0] != "respect_nulls"), None)
    if extra is not None:
        return call.call_span, _EXTRAS[extra[0]], _drop_extra(c, call, *extra)
    frame = call.window.frame_span if call.window is not None else None
    if frame is not None:
        return frame, "a frame", (fixes.replace(c, "Remove the frame", fixes.without(c, frame), ""),)
    return None


def _meant(c: Candidate, written: WindowCall) -> _Refusal | None:
    """Whether the argument is the column that the call's own window is ordered by."""
    call = next((call for call in c.calls if call.written is written), None)
    if call is None or call.argument is None or call.argument.unknown:
        return None
    argument = call.argument.bare_column
    if argument is None:
        return written.call_span, "its argument is an expression", _take_clock(c, call)
    clock = _sorted_by(call)
    if clock is not None and argument != clock:
        return written.call_span, f"`{argument}` is not what its window is ordered by (`{clock}`)", _take_clock(c, call)
    return None


def _take_clock(c: Candidate, call: Call) -> tuple[Fix, ...]:
    """Look at the column that the window is ordered by, if that is the clock."""
    clock = _sorted_by(call)
    if clock is None or clock != c.event_time_column:
        return ()
    title = f"Write {call.written.function}({written_name(clock)})"
    return (fixes.replace(c, title, call.written.arguments[0].span, written_name(clock)),)


def _drop_extra(c: Candidate, call: WindowCall, kind: str, span: Span) -> tuple[Fix, ...]:
    """Over a column without NULLs there are none to ignore; an order inside the call means something."""
    if kind not in ("ignore_nulls", "argument_order"):
        return ()
    found = next((one for one in c.calls if one.written is call), None)
    column = found.argument.bare_column if found is not None and found.argument is not None else None
    safe = kind == "ignore_nulls" and column is not None and c.is_not_null(column)
    words = "IGNORE NULLS" if kind == "ignore_nulls" else "the ORDER BY inside the call"
    return (fixes.replace(c, f"Remove {words}", fixes.without(c, span), "", safe=safe),)


def _sorted_by(call: Call) -> str | None:
    return call.window.clock if call.window is not None else None


def _argument_reason(call: WindowCall) -> str:
    if not call.arguments:
        return "it has no argument"
    return "an offset and a default" if len(call.arguments) > 2 else "an offset"


def _drop_arguments(c: Candidate, call: WindowCall) -> tuple[Fix, ...]:
    """An offset of 1 is what there is without it; any other argument means something."""
    if len(call.arguments) < 2:
        return ()
    first, last = call.arguments[0].span, call.arguments[-1].span
    safe = len(call.arguments) == 2 and c.query.text_of(call.arguments[1]) == "1"
    title = f"Drop the further arguments of {call.function}"
    return (fixes.replace(c, title, Span(first.end, last.end), "", safe=safe),)
