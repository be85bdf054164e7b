"""# SuccessionPreFilterNegatesFlag

## What was found

A part of `WHERE` negates a boolean column, or drops all rows in which one that the source computes is true: where
`is_deleted` is made by `expression: "op = 'd'"`, that is `op <> 'd'`, and `op IN ('c', 'u')` too.

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
from smelt.grains.succession.deletes import dropped_flag
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
    """Conjuncts that are a negated boolean column, in any of its spellings, or a test of what a flag is made from."""
    for index, part in enumerate(c.where if c.scope is not None else ()):
        where, spelling = Location(c.model.file, part.span), flag_spelling(c, part)
        if spelling is not None and spelling.negates:
            yield report(CODE, where, column=spelling.column, fixes=_fixes(c, index, spelling.column))
        elif spelling is None and (dropped := dropped_flag(c, part)) is not None:
            found = _fixes(c, index, dropped.column) if dropped.alone else ()
            yield report(CODE, where, column=dropped.column, fixes=found)


def _fixes(c: Candidate, index: int, column: str) -> tuple[Fix, ...]:
    """Only a flag that is declared NOT NULL can be moved, and only where no QUALIFY is yet."""
    where, source = c.query.where, c.source
    declared = source.column(column) if source is not None else None
    if where is None or c.query.qualify is not None or declared is None or declared.nullable:
        return ()
    clause = f"QUALIFY NOT {written(column)}"
    if len(c.where) == 1 and not c.query.windows:
        return (fixes.replace(c, "Move the filter into QUALIFY", where.span, clause),)
    gone = fixes.without(c, where.span) if len(c.where) == 1 else _conjunct(c, index)
    if gone is None:
        return ()
    behind = c.query.windows[-1].span.end if c.query.windows else where.span.end
    newline = fixes.newline(c.query.text)
    edits = (Edit(gone, ""), Edit(Span(behind, behind), f"{newline}{clause}"))
    return (Fix("Move the filter into QUALIFY", False, tuple(FileEdit(c.model.file, edit) for edit in edits)),)


def _conjunct(c: Candidate, index: int) -> Span | None:
    """A conjunct with the AND on one side of it; None if more than that stands between it and its neighbour."""
    part = c.where[index].span
    if index:
        gone, between = Span(c.where[index - 1].span.end, part.end), Span(c.where[index - 1].span.end, part.start)
    else:
        gone, between = Span(part.start, c.where[1].span.start), Span(part.end, c.where[1].span.start)
    return gone if between.of(c.query.text).strip().upper() == "AND" else None
