"""# SuccessionPreFilterNegatesFlag

## What was found

A part of `WHERE` negates a boolean column.

## Why it matters

If the column is a delete flag, deletes never reach the windows: the last version of a deleted key stays open for ever.
As an ordinary filter it is fine, and the model is accepted.

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
WHERE NOT is_deleted
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

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.flags import flag_spelling, quote_if_needed
from smelt.text.edits import Edit

CODE = Code(
    name="SuccessionPreFilterNegatesFlag",
    severity=Severity.WARNING,
    message="WHERE drops the rows in which `{column}` is true before the windows see them",
    help="if `{column}` is a delete flag, write QUALIFY NOT {column} so that a delete still ends the row before it",
    witness="none is needed: the table equals the SQL; it is the SQL that may not be what was meant",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Conjuncts that are a negated boolean column, in any of its spellings."""
    if c.scope is None:
        return
    for part in c.where:
        spelling = flag_spelling(c, part)
        if spelling is None or not spelling.negates:
            continue
        fixes = _fixes(c, spelling.column)
        yield report(CODE, Location(c.model.file, part.span), column=spelling.column, fixes=fixes)


def _fixes(c: Candidate, column: str) -> tuple[Fix, ...]:
    """Only a filter that is nothing else can be moved by an edit."""
    where = c.query.where
    if where is None or c.query.qualify is not None or len(c.where) != 1 or c.query.windows:
        return ()
    edit = Edit(where.span, f"QUALIFY NOT {quote_if_needed(column)}")
    return (Fix("Move the filter into QUALIFY", False, (FileEdit(c.model.file, edit),)),)
