"""# YamlDuplicateKey

## What was found

A mapping has the same key twice.

## Why it blocks

Most readers take one of them in silence; which one is an accident.

## Refused

```sql models/m.sql
---
owner: ann
owner: bob
---
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
owner: ann
---
SELECT 1 AS one
```
"""

from smelt.diagnostics.model import Code, Diagnostic, Location, Related, Severity, report

CODE = Code(
    name="YamlDuplicateKey",
    severity=Severity.ERROR,
    message="the key `{key}` stands twice",
    help="keep one of the two",
    witness="none can show it: nothing can be built from such a file",
)


def finding(second: Location, first: Location, key: str) -> Diagnostic:
    """The second key is wrong; the first is related."""
    return report(CODE, second, key=key, related=[Related(first, "the first one")])
