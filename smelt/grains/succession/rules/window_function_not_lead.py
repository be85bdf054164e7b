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

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.grains.succession.candidate import Candidate
from smelt.sql.model import WindowCall
from smelt.text.edits import Edit
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionWindowFunctionNotLead",
    severity=Severity.ERROR,
    message="{call} is not the clock of a row's neighbour: {reason}",
    help="write LEAD(t) or LAG(t) over the clock that the window is ordered by, with no further argument",
    witness="with LEAD(t, 2) a late event changes the second row before it, which is no neighbour",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every projected window call that is no plain neighbour's clock."""
    for call in c.query.calls:
        if call.nested or call.item is None:
            continue
        refused = _refusal(c, call)
        if refused is not None:
            span, reason, fixes = refused
            text = c.query.text_of(call.call_span)
            where = Location(c.model.file, span)
            yield report(CODE, where, call=text, reason=reason, label=reason, fixes=fixes)


def _refusal(c: Candidate, call: WindowCall) -> tuple[Span, str, tuple[Fix, ...]] | None:
    if call.function not in ("LEAD", "LAG"):
        return call.call_span, f"{call.function} is neither LEAD nor LAG", ()
    if len(call.arguments) != 1:
        return call.call_span, _argument_reason(call), _drop_arguments(c, call)
    extra = next((kind for kind, _ in call.extras if kind != "respect_nulls"), None)
    if extra is not None:
        return call.call_span, _EXTRAS[extra], ()
    window = c.window_of(call)
    if window is not None and window.spec.frame_span is not None:
        return window.spec.frame_span, "a frame", ()
    if c.scope is None or window is None:
        return None
    if c.scope.strangers(call.arguments[0], c.aliases):
        return None
    argument = c.scope.bare(call.arguments[0], c.aliases)
    if argument is None:
        return call.call_span, "its argument is an expression", ()
    if window.clock is not None and argument != window.clock:
        return call.call_span, f"`{argument}` is not what its window is ordered by (`{window.clock}`)", ()
    return None


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
    edit = Edit(Span(first.end, last.end), "")
    return (Fix(f"Drop the further arguments of {call.function}", safe, (FileEdit(c.model.file, edit),)),)


_EXTRAS = {
    "ignore_nulls": "IGNORE NULLS reaches arbitrarily far",
    "misplaced_nulls": "IGNORE NULLS reaches arbitrarily far",
    "filter": "a FILTER",
    "distinct": "DISTINCT",
    "argument_order": "an ORDER BY inside the call",
}
