"""# UnknownDeclaredColumn

## What was found

The frontmatter's `columns:` names a column that the model does not have, or a `relationships` test names a `field:`
that the other relation does not have.

## Why it blocks

The tests of such a column could not run, and what is said of it is said of nothing.

## Refused

```sql models/tiers.sql
---
columns:
  - {name: teir, tests: [not_null]}
---
SELECT tier FROM smelt.sources.customer_changes
```

## Accepted

```sql models/tiers.sql
---
columns:
  - {name: tier, tests: [not_null]}
---
SELECT tier FROM smelt.sources.customer_changes
```
"""

from collections.abc import Iterable

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.project.quoting import in_yaml
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, is_slip, nearest

CODE = Code(
    name="UnknownDeclaredColumn",
    severity=Severity.ERROR,
    message="{owner} has no column `{column}`",
    help="{suggestion}",
    witness="none can show it: the table is the same, and a test of the column cannot run",
)
_SHOWN = 20


def finding(location: Location, written: str, known: Iterable[str], owner: str) -> Diagnostic:
    """A column that is not there; the nearest one is offered, as an edit if there is only one.

    Args:
        location: the name in the frontmatter.
        written: the name.
        known: the columns that there are.
        owner: the address of what has these columns.
    """
    names = list(known)
    close = nearest(written, names)
    suggestion = did_you_mean(written, names) or f"{owner} has: " + ", ".join(names[:_SHOWN])
    fixes = []
    if len(close) == 1:
        fixes.append(
            Fix(
                f"Write {close[0]}",
                is_slip(written, close[0]),
                (FileEdit(location.file, Edit(location.span, in_yaml(close[0]))),),
            )
        )
    return report(CODE, location, owner=owner, column=written, suggestion=suggestion, fixes=fixes)
