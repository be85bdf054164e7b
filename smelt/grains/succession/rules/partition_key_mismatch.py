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

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Related, Severity, report
from smelt.grains.succession.candidate import Candidate, Window
from smelt.grains.succession.sources import nullable_column
from smelt.text.edits import Edit
from smelt.text.identifiers import quote
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionPartitionKeyMismatch",
    severity=Severity.ERROR,
    message="the windows of this model have no common key: {reason}",
    help="{suggestion}",
    witness="with two keys an event has neighbours in two histories, and a patch by one of them misses the other",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every window whose key is missing, is no list of columns, may be NULL, or differs from the first."""
    if c.scope is None:
        return
    for window in c.windows:
        if any(c.scope.strangers(expr, c.aliases) for expr in window.spec.partition_by):
            continue
        found = _problem(c, window)
        if found is not None:
            span, reason, suggestion, related, fixes = found
            where = Location(c.model.file, span)
            yield report(CODE, where, label=reason, reason=reason, suggestion=suggestion, related=related, fixes=fixes)


_Problem = tuple[Span, str, str, tuple[Related, ...], tuple[Fix, ...]]


def _problem(c: Candidate, window: Window) -> _Problem | None:
    spec = window.spec
    if not spec.partition_by:
        return spec.span, "there is no PARTITION BY", "add PARTITION BY with the key's columns", (), ()
    span = spec.partition_by[0].span.join(spec.partition_by[-1].span)
    if window.key is None:
        text = next(
            (
                c.query.text_of(e)
                for e in spec.partition_by
                if c.scope is not None and c.scope.bare(e, c.aliases) is None
            ),
            "",
        )
        suggestion = "declare it as a source column with `expression:`, and partition by that column"
        return span, f"`{text}` is an expression", suggestion, (), ()
    if c.key is not None and set(window.key) != set(c.key):
        reason = f"`{', '.join(window.key)}` here, `{', '.join(c.key)}` in the first window"
        edit = Edit(span, ", ".join(_written(name) for name in c.key))
        fix = Fix("Partition by the same columns as the first window", False, (FileEdit(c.model.file, edit),))
        return span, reason, f"partition every window by {', '.join(c.key)}", (), (fix,)
    nullable = [name for name in window.key if name not in c.proven]
    if nullable:
        name = nullable[0]
        suggestion = f"declare `{name}` with `nullable: false`, or add WHERE {_written(name)} IS NOT NULL"
        return span, f"`{name}` may be NULL", suggestion, *nullable_column(c, name)
    return None


def _written(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else quote(name)
