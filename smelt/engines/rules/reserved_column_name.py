"""# ReservedColumnName

## What was found

A succession model projects a column named `rowid`, or one that begins with `__smelt_`.

## Why it blocks

`rowid` is how DuckDB names a stored row, and a column of that name hides it; the others are columns that a fold works
with.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier AS rowid,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
```

## Accepted

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier AS row_number,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="ReservedColumnName",
    severity=Severity.ERROR,
    message="{model} projects {column}, a name that a fold needs for itself",
    help="give the column another name",
    stage="run",
    witness="Neighbours are deleted by rowid; with a user's values in its place, other rows would be.",
)
