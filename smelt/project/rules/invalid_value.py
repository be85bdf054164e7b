"""# InvalidValue

## What was found

A value is not of the kind that its key takes.

## Why it blocks

A value that is bent to fit would be another one than what was written.

## Refused

```sql models/m.sql
---
refresh: sometimes
---
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
refresh: full
---
SELECT 1 AS one
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="InvalidValue",
    severity=Severity.ERROR,
    message="{problem}",
    help="{suggestion}",
    witness="none can show it: nothing can be built from such a file",
)
