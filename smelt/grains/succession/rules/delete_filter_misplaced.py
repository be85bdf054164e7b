"""# SuccessionDeleteFilterMisplaced

## What was found

A `QUALIFY` that is not exactly `NOT` and a NOT NULL boolean column; or a `WHERE` that tests a column made by a window.

## Why it blocks

The delete filter decides which events have no row but still end the row before them. Only a flag that is true or false
for every event, and is read after the windows, says so.

A feed that marks its deletes in another way, such as `op` with the value `d`, needs a flag made of that in the source:
`{name: is_deleted, type: BOOLEAN, nullable: false, expression: "op = 'd'"}`.

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
QUALIFY is_deleted = FALSE
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

from smelt.diagnostics.model import Code, Diagnostic, Fix, Load, Location, Severity, Witness, report
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.flags import FlagSpelling, flag_spelling, negated_column
from smelt.project.model import SourceColumn
from smelt.sql.model import Expr
from smelt.sql.names import written
from smelt.sql.types import is_boolean

CODE = Code(
    name="SuccessionDeleteFilterMisplaced",
    severity=Severity.ERROR,
    message="{what}",
    help="{suggestion}",
    witness=Witness(
        "an event that QUALIFY drops and that is no delete is remembered nowhere: a later one ends the wrong row",
        (
            Load(
                (
                    "(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')",
                    "(1, 'b', NULL, '2025-01-02', FALSE, '2025-01-02')",
                )
            ),
            Load(("(1, 'c', 'x', '2025-01-03', FALSE, '2025-01-03')",)),
        ),
        model="SELECT customer_id, tier, effective_ts AS valid_from,\n"
        "    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to\n"
        "FROM smelt.sources.customer_changes\n"
        "QUALIFY region IS NOT NULL",
    ),
)
_EXACT = "QUALIFY must be exactly NOT <boolean column>"


def check(c: Candidate) -> Iterator[Diagnostic]:
    """A QUALIFY that is no delete filter, and conjuncts of WHERE that read a neighbour."""
    if c.scope is None:
        return
    for part in c.where:
        if c.formula(part).reads_neighbour:
            what = "WHERE tests a column that a window makes"
            suggestion = "filter in a model that reads this one; WHERE runs before the windows"
            where = Location(c.model.file, part.span)
            yield report(CODE, where, what=what, suggestion=suggestion, label="made by a window")
    qualify = c.query.qualify
    if qualify is not None and flag(c) is None and not c.formula(qualify.body).unknown:
        yield _qualify(c, qualify.body)


def flag(c: Candidate) -> str | None:
    """The delete flag of an admitted ``QUALIFY NOT flag``."""
    column = negated_column(c, c.query.qualify.body) if c.query.qualify is not None else None
    return column.name if column is not None and is_boolean(column.type) and c.is_not_null(column.name) else None


def _qualify(c: Candidate, body: Expr) -> Diagnostic:
    column, spelling = negated_column(c, body), flag_spelling(c, body)
    if column is not None:
        return _unfit(c, body, column)
    if spelling is not None:
        return _misspelled(c, body, spelling)
    suggestion = (
        "write QUALIFY NOT and the delete flag, a boolean column that the source may make with `expression:`, such as "
        "`op = 'd'`; filter the rest in a model that reads this one"
    )
    where = Location(c.model.file, body.span)
    return report(CODE, where, what=_EXACT, suggestion=suggestion, label="is no delete filter")


def _unfit(c: Candidate, body: Expr, column: SourceColumn) -> Diagnostic:
    """``NOT column``, but the column is no flag."""
    where = Location(c.model.file, body.span)
    if not is_boolean(column.type):
        suggestion = "declare a boolean flag in the source, which `expression:` can make of another column"
        label = f"`{column.name}` is {column.type}"
        return report(CODE, where, what=_EXACT, suggestion=suggestion, label=label)
    suggestion = f"declare `{column.name}` with `nullable: false`, if that is true of it"
    related, repairs = fixes.declare_not_null(c, column.name)
    label = f"`{column.name}` may be NULL"
    return report(CODE, where, what=_EXACT, suggestion=suggestion, label=label, related=related, fixes=repairs)


def _misspelled(c: Candidate, body: Expr, spelling: FlagSpelling) -> Diagnostic:
    """A test of one boolean column in other words. Only ``f = FALSE`` and its like keep the same rows."""
    exact = f"NOT {written(spelling.column)}"
    label = "compares the delete flag instead of negating it" if spelling.negates else "keeps the deleted rows"
    suggestion = f"write QUALIFY {exact}"
    repairs: tuple[Fix, ...] = ()
    if c.is_not_null(spelling.column):
        repairs = (fixes.replace(c, f"Write {exact}", body.span, exact, safe=spelling.negates),)
    else:
        suggestion += f", and declare `{spelling.column}` with `nullable: false` if that is true of it"
    where = Location(c.model.file, body.span)
    return report(CODE, where, what=_EXACT, suggestion=suggestion, label=label, fixes=repairs)
