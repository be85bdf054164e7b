"""# SuccessionPreFilterNotRowLocal

## What was found

A part of `WHERE` is not deterministic, holds a subquery, or refers to something that is no source column.

## Why it blocks

Which events exist must not depend on when the question is asked, nor on other rows: an event that was folded could
vanish later, and nothing would take it back.

## Refused

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
WHERE ingested_date > current_date - 30
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
WHERE ingested_date < effective_ts + INTERVAL '7 days'
QUALIFY NOT is_deleted
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, Load, Location, Severity, Witness, report
from smelt.facts.locality import Gap, gaps
from smelt.grains.succession.candidate import Candidate

CODE = Code(
    name="SuccessionPreFilterNotRowLocal",
    severity=Severity.ERROR,
    message="the filter is not proven {proof}: {reason}",
    help="filter by the source's own columns with functions that always give the same result",
    witness=Witness(
        "weeks later the query drops an event that the table still shows",
        (
            Load(("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')",), at="2025-01-02 00:00:00"),
            Load(("(2, 'b', 'x', '2025-02-20', FALSE, '2025-02-20')",), at="2025-02-21 00:00:00"),
        ),
    ),
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every part of the filter that does not depend on one row alone."""
    where = c.query.where
    if c.scope is None or where is None:
        return
    lost = list(gaps(c.query, where.body, c))
    for name in c.formula(where.body).stray:
        lost.append(Gap(name.span, f"`{name.text}` stands where it is not read as the column", "row-local"))
    for gap in lost:
        place = Location(c.model.file, gap.span)
        yield report(CODE, place, proof=gap.proof, reason=gap.reason, label=gap.reason)
