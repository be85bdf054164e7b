"""# DuplicateRelation

## What was found

Two models or seeds have the same physical name.

## Why it blocks

Each run of one would overwrite the other.

## Refused

```sql models/a/b.sql
SELECT 1 AS one
```

```sql models/a_b.sql
SELECT 2 AS one
```

## Accepted

```sql models/a/b.sql
SELECT 1 AS one
```

```sql models/a_b.sql
---
name: other
---
SELECT 2 AS one
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="DuplicateRelation",
    severity=Severity.ERROR,
    message="two models build the relation `{relation}`",
    help="give one of them another `name:`",
    witness="build both: the table holds the rows of whichever ran last",
)
