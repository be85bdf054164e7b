"""# UnknownReference

## What was found

A query reads something that is neither an address of this project nor made by the query itself.

## Why it blocks

A run would fail, or read a relation whose facts nobody declared.

## Refused

```sql models/m.sql
SELECT customer_id FROM smelt.sources.customer_change
```

## Accepted

```sql models/m.sql
SELECT customer_id FROM smelt.sources.customer_changes
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="UnknownReference",
    severity=Severity.ERROR,
    message="nothing is called `{name}`",
    help="{suggestion}",
    witness="none can show it: there is no relation to read",
)
