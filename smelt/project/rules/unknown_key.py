"""# UnknownKey

## What was found

A key that the grammar of this file does not have.

## Why it blocks

A key that nobody reads is a wish that nobody hears: most are typing errors.

## Refused

```sql models/m.sql
---
refesh: full
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

from collections.abc import Iterable

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, nearest

CODE = Code(
    name="UnknownKey",
    severity=Severity.ERROR,
    message="there is no key `{key}` here",
    help="{suggestion}",
    witness="none can show it: nothing can be built from such a file",
)


def finding(location: Location, key: str, known: Iterable[str]) -> Diagnostic:
    """An unknown key; the nearest known one is offered, as an edit if there is only one."""
    names = sorted(known)
    close = nearest(key, names)
    suggestion = did_you_mean(key, names) or "known keys: " + ", ".join(names)
    fixes = (
        [Fix(f"Write {close[0]}", True, (FileEdit(location.file, Edit(location.span, close[0])),))]
        if len(close) == 1
        else []
    )
    return report(CODE, location, key=key, suggestion=suggestion, fixes=fixes)
