"""# SuccessionIdentityNotProjected

## What was found

The key or the clock is not projected as a bare column.

## Why it blocks

A stored row is found again by its key and its clock. An expression of them may give the same value for two events.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    tier,
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

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, Load, Location, Severity, Witness, report
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate

CODE = Code(
    name="SuccessionIdentityNotProjected",
    severity=Severity.ERROR,
    message="the identity ({identity}) is not in the output: {missing} {verb} missing",
    help="project {missing} as a bare column; an alias is fine",
    witness=Witness(
        "rows of two keys at one clock cannot be told apart, so that a patch of one replaces both",
        (
            Load(
                ("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')", "(2, 'b', 'x', '2025-01-01', FALSE, '2025-01-01')")
            ),
            Load(("(1, 'c', 'x', '2025-01-02', FALSE, '2025-01-02')",)),
        ),
        identity=(("customer_id", ""), ("effective_ts", "valid_from")),
    ),
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Key and clock columns that no output column shows as they are. Only those that were accepted are asked for."""
    if any(output.unexpanded for output in c.outputs):
        return  # what the star brings is not known
    wanted = [*(c.key or ()), *([c.clock] if c.clock is not None else [])]
    missing = [name for name in dict.fromkeys(wanted) if name not in c.projected]
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        where = Location(c.model.file, c.query.list_span)
        yield report(
            CODE,
            where,
            identity=", ".join(wanted),
            missing=listed,
            verb="is" if len(missing) == 1 else "are",
            label=f"lacks {listed}",
            fixes=fixes.project(c, missing),
        )
