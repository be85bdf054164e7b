"""# MaterializedViewUnsupported

## What was found

A model asks for `refresh: materialized_view`.

## Why it blocks

The engine has none, and a plain table in its place would go stale in silence.

## Refused

```sql models/m.sql
---
refresh: materialized_view
---
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
refresh: full
materialization: table
---
SELECT 1 AS one
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.project.model import Refresh

CODE = Code(
    name="MaterializedViewUnsupported",
    severity=Severity.ERROR,
    message="DuckDB maintains no materialized views",
    help="write `refresh: incremental`, or `refresh: full` with `materialization: table`",
    witness="append a row to the source: a table in its place keeps the old rows",
)


def check(refresh: Refresh, location: Location) -> Iterator[Diagnostic]:
    """A refresh that no engine of this build has; ``location`` is that of the value."""
    if refresh is Refresh.MATERIALIZED_VIEW:
        yield report(CODE, location)
