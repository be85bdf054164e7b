"""# SuccessionRowLocalColumnViolation

## What was found

A column holds an aggregate, a subquery, a function whose result is not known to be the same each time; or it mixes a
neighbour's clock with a column that the model does not project.

## Why it blocks

A row is computed once, from its own event, and patched from what is stored. A value that depends on other rows, on the
moment, or on a column that is not stored cannot be computed again.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    now() AS loaded_at
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

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.facts.locality import gaps
from smelt.grains.succession.candidate import Candidate, Output
from smelt.sql.model import Expr
from smelt.text.edits import Edit
from smelt.text.identifiers import quote
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionRowLocalColumnViolation",
    severity=Severity.ERROR,
    message="{column} is not a function of one row: {reason}",
    help="{suggestion}",
    witness="now() differs between the run that stored a row and the query that checks it",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every output column that is neither row-local nor computable from a stored row and its neighbours."""
    if c.scope is None:
        return
    bare = {output.formula.bare_column for output in c.outputs if not (output.by_star and output.expr is not None)}
    for output in c.outputs:
        if output.expr is None:
            continue
        found = _problem(c, output, output.expr, bare)
        if found is not None:
            reason, suggestion, fixes = found
            where = Location(c.model.file, output.item.span)
            name = f"`{output.name}`" if output.name else "this column"
            yield report(CODE, where, column=name, reason=reason, label=reason, suggestion=suggestion, fixes=fixes)


_MOVE = "remove it, or compute it in a model that reads this one"


def _problem(
    c: Candidate, output: Output, expr: Expr, bare: set[str | None]
) -> tuple[str, str, tuple[Fix, ...]] | None:
    assert c.scope is not None
    if output.is_open_star:
        known = not output.formula.unknown
        return ("this star cannot be told column by column", "name the columns", ()) if known else None
    lost = gaps(c.query, expr, c.scope.is_row, (call.span for call in output.calls))
    if lost:
        return lost[0].reason, _MOVE, ()
    if not output.derived:
        return None
    missing = [name for name in output.formula.columns if name not in bare]
    if not missing:
        return None
    names = ", ".join(f"`{name}`" for name in missing)
    written = ", ".join(name if name.isidentifier() and name.isascii() else quote(name) for name in missing)
    at = c.query.items[0].span.start
    fix = Fix(f"Project {names}", True, (FileEdit(c.model.file, Edit(Span(at, at), written + ", ")),))
    return f"it needs {names}, which is not projected", f"project {names}", (fix,)
