"""# SuccessionProjectsRunAxis

## What was found

A star brings the column that says when a row arrived.

## Why it matters

A re-delivery of the same event on another date then differs from the first one, and will be refused as a clock tie.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT *, LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```

## Accepted

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT * EXCLUDE (ingested_date), LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.grains.succession.candidate import Candidate

CODE = Code(
    name="SuccessionProjectsRunAxis",
    severity=Severity.INFO,
    message="the star takes in `{column}`, the run axis: an event that is delivered again later is a clock tie",
    help="if events are delivered again on another date, exclude it: * EXCLUDE ({column})",
    witness="none is needed: the model is accepted",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """A star that brings a run axis which is not the clock."""
    source = c.source
    if source is None or source.timeseries is None:
        return
    axis = source.column(source.timeseries.partition_column)
    if axis is None or axis.name == c.event_time_column:
        return
    for output in c.outputs:
        if output.by_star and output.projects == axis.name:
            yield report(CODE, Location(c.model.file, output.item.span), column=axis.name)
