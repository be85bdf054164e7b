"""# RefreshViewConflict

## What was found

`refresh: incremental` stands beside `materialization: view`.

## Why it blocks

A view keeps no rows, so there is nothing to fold new events into.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
materialization: view
---
SELECT customer_id, effective_ts, LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
```

## Accepted

The default project.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="RefreshViewConflict",
    severity=Severity.ERROR,
    message="an incremental model cannot be a view",
    help="drop the `materialization:` line, or write `materialization: table`",
    witness="none can show it: the two lines contradict each other",
)
