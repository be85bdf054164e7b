"""# WarehouseStatementFailed

## What was found

DuckDB refused or broke off a statement: a column or function that does not exist, a value that cannot be converted. For
a value the column or filter of a history that cannot take it is shown, with the first few of the rows.

## Why it blocks

The transaction was rolled back. Nothing of this model or seed was written.

## Refused

```sql models/customer_history.sql
SELECT no_such_function(1) AS n
```

## Accepted

```sql models/customer_history.sql
SELECT 1 AS n
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseStatementFailed",
    severity=Severity.ERROR,
    message="{name}: {reason}",
    help="",
    stage="run",
    witness="The statement has no result to compare.",
)
