"""# FrontmatterUnclosed

## What was found

A model begins with `---` but no later line closes the frontmatter.

## Why it blocks

Where the declarations end and the query begins cannot be told.

## Refused

```sql models/m.sql
---
tags: [core]
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
tags: [core]
---
SELECT 1 AS one
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="FrontmatterUnclosed",
    severity=Severity.ERROR,
    message="the frontmatter has no closing `---`",
    help="put --- on a line of its own before the SELECT",
    witness="none can show it: nothing can be built from such a file",
)
