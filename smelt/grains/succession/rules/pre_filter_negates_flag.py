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
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.flags import flag_spelling
from smelt.sql.names import written
from smelt.text.edits import Edit
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionPreFilterNegatesFlag",
    severity=Severity.WARNING,
    message="WHERE drops the rows in which `{column}` is true before the windows see them",
    help="if `{column}` is a delete flag, write QUALIFY NOT {column} so that a delete still ends the row before it",
    witness="none is needed: the table equals the SQL; it is the SQL that may not be what was meant",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Conjuncts that are a negated boolean column, in any of its spellings."""
    for part in c.where if c.scope is not None else ():
        spelling = flag_spelling(c, part)
        if spelling is not None and spelling.negates:
            where = Location(c.model.file, part.span)
            yield report(CODE, where, column=spelling.column, fixes=_fixes(c, spelling.column))


def _fixes(c: Candidate, column: str) -> tuple[Fix, ...]:
    """Only a filter that is nothing else can be moved by an edit, and only a flag that is declared NOT NULL."""
    where, source = c.query.where, c.source
    declared = source.column(column) if source is not None else None
    if where is None or c.query.qualify is not None or len(c.where) != 1 or declared is None or declared.nullable:
        return ()
    clause = f"QUALIFY NOT {written(column)}"
    if not c.query.windows:
        return (fixes.replace(c, "Move the filter into QUALIFY", where.span, clause),)
    behind = c.query.windows[-1].span.end
    removed = Edit(fixes.without(c, where.span), "")
    added = Edit(Span(behind, behind), f"\n{clause}")
    return (
        Fix("Move the filter into QUALIFY", False, (FileEdit(c.model.file, removed), FileEdit(c.model.file, added))),
    )
