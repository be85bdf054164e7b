"""# DuplicateAddress

## What was found

Two files give the same address.

## Why it blocks

A reference to it could mean either.

## Refused

```sql models/a.sql
SELECT 1 AS one
```

```yaml models/a.yml
columns:
  - {name: one, type: INTEGER}
```

## Accepted

```sql models/a.sql
SELECT 1 AS one
```

```yaml models/b.yml
columns:
  - {name: one, type: INTEGER}
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="DuplicateAddress",
    severity=Severity.ERROR,
    message="the address `{address}` belongs to two files",
    help="rename or move one of them",
    witness="none can show it: nothing can be built from such a file",
)
