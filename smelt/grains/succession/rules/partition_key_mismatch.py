"""# SuccessionPartitionKeyMismatch

## What was found

A window without `PARTITION BY`, one over an expression or over a column that may be NULL, or two windows over different
columns.

## Why it blocks

The key says which events belong to one history. A patch finds the neighbours of an event by its key, so there must be
one, made of columns that always have a value.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    region,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    LAG(effective_ts) OVER (PARTITION BY region ORDER BY effective_ts) AS before
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

from smelt.diagnostics.model import Code, Diagnostic, Fix, Load, Location, Related, Severity, Witness, report
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate, Window
from smelt.sql.names import listed, written

CODE = Code(
    name="SuccessionPartitionKeyMismatch",
    severity=Severity.ERROR,
    message="the PARTITION BY of this window is no key: {reason}",
    help="{suggestion}",
    witness=Witness(
        "an event has neighbours in two histories, and a patch by one of the keys misses those by the other",
        (
            Load(
                ("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')", "(2, 'b', 'x', '2025-01-05', FALSE, '2025-01-05')")
            ),
            Load(("(1, 'c', 'x', '2025-01-03', FALSE, '2025-01-06')",)),
        ),
    ),
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every window whose key is missing, is no list of columns, may be NULL, or differs from the first."""
    for window in c.windows:
        partition = window.spec.partition_by
        span = partition[0].span.join(partition[-1].span) if partition else window.spec.span
        found = _problem(c, window)
        if found is not None:
            reason, suggestion, related, repairs = found
            where = Location(c.model.file, span)
            yield report(
                CODE, where, label=reason, reason=reason, suggestion=suggestion, related=related, fixes=repairs
            )


_Problem = tuple[str, str, tuple[Related, ...], tuple[Fix, ...]]


def _problem(c: Candidate, window: Window) -> _Problem | None:
    if not window.partition:
        return "there is no PARTITION BY", "add PARTITION BY with the key's columns", (), _add_key(c, window)
    if any(formula.unknown for formula in window.partition):
        return None
    key = window.key
    if key is None:
        at = next(i for i, formula in enumerate(window.partition) if formula.bare_column is None)
        text = c.query.text_of(window.spec.partition_by[at])
        suggestion = "declare it as a source column with `expression:`, and partition by that column"
        return f"`{text}` is an expression", suggestion, (), _same_key(c, window)
    if c.key is not None and set(key) != set(c.key):
        reason = f"`{', '.join(key)}` here, `{', '.join(c.key)}` in the first window"
        return reason, f"partition every window by {', '.join(c.key)}", (), _same_key(c, window)
    nullable = [name for name in key if not c.is_not_null(name)]
    if not nullable:
        return None
    names = ", ".join(f"`{name}`" for name in nullable)
    filters = " AND ".join(f"{written(name)} IS NOT NULL" for name in nullable)
    suggestion = f"declare {names} with `nullable: false`, or add WHERE {filters}"
    return f"{names} may be NULL", suggestion, *fixes.declare_not_null(c, *nullable)


def _same_key(c: Candidate, window: Window) -> tuple[Fix, ...]:
    """Take the key that the first window with one has."""
    if c.key is None:
        return ()
    partition = window.spec.partition_by
    span = partition[0].span.join(partition[-1].span)
    return (fixes.replace(c, "Partition by the same columns as the other windows", span, listed(c.key)),)


def _add_key(c: Candidate, window: Window) -> tuple[Fix, ...]:
    if c.key is None:
        return ()
    spec = window.spec
    parts = [part.start for part in (spec.order_span, spec.frame_span) if part is not None and spec.span.covers(part)]
    at = min(parts, default=spec.span.end - 1)
    return (fixes.insert(c, "Partition by the same columns as the other windows", at, f"PARTITION BY {listed(c.key)}"),)
