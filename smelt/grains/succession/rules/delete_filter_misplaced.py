"""# SuccessionDeleteFilterMisplaced

## What was found

A `QUALIFY` that is not exactly `NOT` and a NOT NULL boolean column; or a `WHERE` that tests a column made by a window.

## Why it blocks

The delete filter decides which events have no row but still end the row before them. Only a flag that is true or false
for every event, and is read after the windows, says so.

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

from sqlglot import exp

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.flags import flag_spelling, quote_if_needed
from smelt.grains.succession.sources import nullable_column
from smelt.sql.model import Expr
from smelt.sql.types import is_boolean
from smelt.text.edits import Edit

CODE = Code(
    name="SuccessionDeleteFilterMisplaced",
    severity=Severity.ERROR,
    message="{what}",
    help="{suggestion}",
    witness="an event whose flag is NULL passes neither NOT f nor f: its row is lost, and nothing remembers its clock",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """A QUALIFY that is no delete filter, and conjuncts of WHERE that read a neighbour."""
    if c.scope is None:
        return
    for part in c.where:
        formula = c.scope.formula(part, c.aliases)
        if formula.reads("LEAD") or formula.reads("LAG"):
            what = "WHERE tests a column that a window makes"
            suggestion = "filter in a model that reads this one; WHERE runs before the windows"
            yield report(
                CODE, Location(c.model.file, part.span), what=what, suggestion=suggestion, label="made by a window"
            )
    if c.query.qualify is not None and flag(c) is None:
        yield _qualify(c, c.query.qualify.body)


def flag(c: Candidate) -> str | None:
    """The delete flag of an admitted ``QUALIFY NOT flag``."""
    if c.query.qualify is None or c.scope is None:
        return None
    name = negated_column(c, c.query.qualify.body)
    column = c.scope.source.column(name) if name is not None else None
    return column.name if column is not None and is_boolean(column.type) and column.name in c.proven else None


def negated_column(c: Candidate, body: Expr) -> str | None:
    """The column of a predicate that is exactly ``NOT column``, in parentheses or not."""
    node = _unwrapped(body.node)
    if not isinstance(node, exp.Not) or c.scope is None:
        return None
    inner = _unwrapped(node.this)
    if not isinstance(inner, exp.Column):
        return None
    return c.scope.bare(c.query.expr(inner), c.aliases)


def _unwrapped(node: exp.Expression) -> exp.Expression:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _qualify(c: Candidate, body: Expr) -> Diagnostic:
    assert c.scope is not None
    exact = "QUALIFY must be exactly NOT <boolean column>"
    where = Location(c.model.file, body.span)
    name = negated_column(c, body)
    if name is not None:
        column = c.scope.source.column(name)
        if column is not None and not is_boolean(column.type):
            suggestion = "declare a boolean flag, maybe with `expression:`"
            return report(CODE, where, what=exact, suggestion=suggestion, label=f"`{name}` is {column.type}")
        suggestion = f"declare `{name}` with `nullable: false`, if that is true of it"
        related, fixes = nullable_column(c, name)
        label = f"`{name}` may be NULL"
        return report(CODE, where, what=exact, suggestion=suggestion, label=label, related=related, fixes=fixes)
    spelling = flag_spelling(c, body)
    if spelling is None:
        suggestion = "write QUALIFY NOT and the delete flag, and filter the rest in a model that reads this one"
        return report(CODE, where, what=exact, suggestion=suggestion, label="is no delete filter")
    written = quote_if_needed(spelling.column)
    fixes = ()
    if spelling.column in c.proven:
        title = f"Write NOT {written}"
        fixes = (Fix(title, spelling.negates, (FileEdit(c.model.file, Edit(body.span, f"NOT {written}")),)),)
    label = "compares the delete flag instead of negating it" if spelling.negates else "keeps the deleted rows"
    return report(CODE, where, what=exact, suggestion=f"write QUALIFY NOT {written}", label=label, fixes=fixes)
