"""# GrainAssertionMismatch

## What was found

A `grain:` line that differs from what the declarations and the SQL give.

## Why it blocks

The line is an assertion: a reader relies on it.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
grain: key
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```

## Accepted

```sql models/customer_history.sql
---
refresh: incremental
grain: succession
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

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report

CODE = Code(
    name="GrainAssertionMismatch",
    severity=Severity.ERROR,
    message="the frontmatter says `grain: {asserted}`, and the model is {derived}",
    help="write `grain: {derived}`, or change the declarations that decide it",
    witness="none is needed: it is the line that is wrong, not the table",
)


def finding(location: Location, asserted: str, derived: str) -> Diagnostic:
    """The assertion and what is true."""
    return report(CODE, location, asserted=asserted, derived=derived)
