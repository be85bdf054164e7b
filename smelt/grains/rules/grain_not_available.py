"""# GrainNotAvailable

## What was found

An incremental model declares `timeseries:` or `unique_key:`, which asks for a grain that this version does not
maintain.

## Why it blocks

Keeping it by another grain, or by a full refresh in silence, is not what was asked for.

## Refused

```sql models/latest.sql
---
refresh: incremental
unique_key: customer_id
---
SELECT customer_id, max(effective_ts) AS seen
FROM smelt.sources.customer_changes
GROUP BY customer_id
```

## Accepted

```sql models/latest.sql
---
refresh: full
materialization: table
---
SELECT customer_id, max(effective_ts) AS seen
FROM smelt.sources.customer_changes
GROUP BY customer_id
```
"""

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report

CODE = Code(
    name="GrainNotAvailable",
    severity=Severity.ERROR,
    message="the {grain} grain is not available yet",
    help="use `refresh: full`, or write the model as a succession without `unique_key:` and `timeseries:`",
    witness="none can show it: there is no maintained table to differ",
)


def finding(location: Location, grain: str) -> Diagnostic:
    """The grain that was asked for."""
    return report(CODE, location, grain=grain)
