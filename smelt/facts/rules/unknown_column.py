"""# UnknownColumn

## What was found

A query refers to a column that nothing it reads has.

## Why it blocks

The query cannot run.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    teir,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```

## Accepted

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```
"""

from collections.abc import Iterable

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.sql.names import written as quoted_if_needed
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, is_slip, nearest

CODE = Code(
    name="UnknownColumn",
    severity=Severity.ERROR,
    message="there is no column `{column}`",
    help="{suggestion}",
    witness="none can show it: the query cannot run",
)


def finding(
    location: Location, written: str, known: Iterable[str], where: str, others: Iterable[Fix] = ()
) -> Diagnostic:
    """An unknown column; the nearest known one is offered, as an edit if there is only one.

    Args:
        location: the reference.
        written: the column's name as written.
        known: the names that could have been meant.
        where: what has these columns, for the help.
        others: further ways to mend it.
    """
    names = list(known)
    close = nearest(written, names)
    suggestion = did_you_mean(written, names) or f"{where} has: " + ", ".join(names[:20])
    fixes = []
    if len(close) == 1:
        new = quoted_if_needed(close[0])
        fixes.append(
            Fix(f"Write {new}", is_slip(written, close[0]), (FileEdit(location.file, Edit(location.span, new)),))
        )
    return report(CODE, location, column=written, suggestion=suggestion, fixes=(*fixes, *others))
