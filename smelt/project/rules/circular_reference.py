"""# CircularReference

## What was found

Models refer to each other in a circle.

## Why it blocks

No order exists in which each is built after what it reads.

## Refused

```sql models/a.sql
SELECT one FROM smelt.b
```

```sql models/b.sql
SELECT 1 AS one FROM smelt.b
```

## Accepted

```sql models/a.sql
SELECT one FROM smelt.b
```

```sql models/b.sql
SELECT 1 AS one
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="CircularReference",
    severity=Severity.ERROR,
    message="this model reads itself: {path}",
    help="break the circle: let one of them read a source instead",
    witness="none can show it: no run could start",
)
