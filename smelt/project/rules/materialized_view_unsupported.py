"""# MaterializedViewUnsupported

## What was found

A model asks for `refresh: materialized_view`.

## Why it blocks

The engine has none, and a plain table in its place would go stale in silence.

## Refused

```sql models/m.sql
---
refresh: materialized_view
---
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
refresh: full
materialization: table
---
SELECT 1 AS one
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="MaterializedViewUnsupported",
    severity=Severity.ERROR,
    message="DuckDB maintains no materialized views",
    help="write `refresh: incremental`, or `refresh: full` with `materialization: table`",
    witness="append a row to the source: a table in its place keeps the old rows",
)
