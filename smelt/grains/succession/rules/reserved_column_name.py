"""# ReservedColumnName

## What was found

A succession model projects a column named `rowid`, or one that begins with `__smelt_`, or its source declares a column
that begins so.

## Why it blocks

`rowid` is how DuckDB names a stored row, and a column of that name hides it; the others are columns that a fold works
with.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier AS rowid,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
```

## Accepted

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier AS row_number,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.shape import WORK_PREFIX, is_reserved
from smelt.text.identifiers import fold

CODE = Code(
    name="ReservedColumnName",
    severity=Severity.ERROR,
    message="`{column}` is a name that a fold needs for itself",
    help="give the column another name{how}",
    witness="Neighbours are deleted by rowid; with a user's values in its place, other rows would be.",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Output columns, and declared columns of the driving source, that a fold could take for its own."""
    for output in c.outputs:
        if output.name is not None and is_reserved(output.name):
            yield report(CODE, Location(c.model.file, output.item.span), column=output.name, how=" with AS")
    for index, column in enumerate(c.source.columns if c.source is not None else ()):
        if fold(column.name).startswith(WORK_PREFIX) and c.source is not None:
            how = f": `expression: {column.name}` makes it from the one of this name"
            yield report(CODE, c.source.marks.at("columns", index), column=column.name, how=how)
