"""# ProjectionNameInvalid

## What was found

Two output columns have the same name, or an expression has none.

## Why it blocks

A table's columns are found by name. Upper and lower case do not count.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    upper(region)
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
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    upper(region) AS region
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.grains.succession.candidate import Candidate
from smelt.text.identifiers import fold

CODE = Code(
    name="ProjectionNameInvalid",
    severity=Severity.ERROR,
    message="{problem}",
    help="give each output column a name of its own with AS",
    witness="none can show it: DuckDB makes up a name, which no other model could rely on",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Output columns without a name, and the later of two with the same."""
    seen: set[str] = set()
    for output in c.outputs:
        where = Location(c.model.file, output.item.span)
        if output.unexpanded:
            continue
        if output.name is None:
            yield report(CODE, where, problem="this output column has no name", label="has no name")
            continue
        if fold(output.name) in seen:
            yield report(CODE, where, problem=f"the output column `{output.name}` stands twice", label="stands twice")
        seen.add(fold(output.name))
