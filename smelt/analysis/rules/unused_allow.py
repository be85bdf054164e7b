"""# UnusedAllow

## What was found

A comment allows a code that is not found on the line below it.

## Why it matters

What it allowed is gone, or stands elsewhere. Left as it is, it would allow whatever comes to stand there next.

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
-- smelt: allow SuccessionPreFilterNegatesFlag the flag marks test accounts
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
-- smelt: allow SuccessionPreFilterNegatesFlag the flag marks test accounts
WHERE NOT is_deleted
```
"""

from dataclasses import replace

from smelt.analysis.allowances import Allowance
from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.text.edits import Edit

CODE = Code(
    name="UnusedAllow",
    severity=Severity.WARNING,
    message="`{allowed}` is not found on the line below",
    help="remove the comment, or move it to the line above the one that it is about",
    witness="none is needed: a comment changes no table",
)


def finding(comment: Allowance) -> Diagnostic:
    """The finding for a comment that allows nothing, with the fix that removes it."""
    line = comment.line or comment.span
    fix = Fix("Remove the comment", True, (FileEdit(comment.file, Edit(line, "")),))
    return replace(misplaced(comment), fixes=(fix,))


def misplaced(comment: Allowance) -> Diagnostic:
    """The finding for a comment that allows nothing where it stands, and may elsewhere."""
    return report(CODE, Location(comment.file, comment.span), allowed=comment.code)
