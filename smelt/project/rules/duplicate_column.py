"""# DuplicateColumn

## What was found

Two declared columns have the same name.

## Why it blocks

Which type and which facts hold cannot be told.

## Refused

```yaml models/sources/s.yml
columns:
  - {name: id, type: INTEGER}
  - {name: ID, type: VARCHAR}
```

## Accepted

```yaml models/sources/s.yml
columns:
  - {name: id, type: INTEGER}
  - {name: id_text, type: VARCHAR}
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="DuplicateColumn",
    severity=Severity.ERROR,
    message="the column `{column}` is declared twice",
    help="keep one of the two; upper and lower case do not count",
    witness="none can show it: nothing can be built from such a file",
)
