"""# RefreshViewConflict

## What was found

`refresh: incremental` stands beside `materialization: view`.

## Why it blocks

A view keeps no rows, so there is nothing to fold new events into.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
materialization: view
---
SELECT customer_id, effective_ts, LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
```

## Accepted

The default project.
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.project.model import Refresh
from smelt.text.edits import Edit

CODE = Code(
    name="RefreshViewConflict",
    severity=Severity.ERROR,
    message="an incremental model cannot be a view",
    help="drop the `materialization:` line, or write `materialization: table`",
    witness="none can show it: the two lines contradict each other",
)


def check(refresh: Refresh, materialization: str | None, location: Location) -> Iterator[Diagnostic]:
    """Both declared at once; ``location`` is the value of ``materialization:``."""
    if refresh is Refresh.INCREMENTAL and materialization == "view":
        fix = Fix("Write table", False, (FileEdit(location.file, Edit(location.span, "table")),))
        yield report(CODE, location, fixes=[fix])
