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

from smelt.diagnostics.model import Code, Diagnostic, Fix, Location, Severity, report
from smelt.facts.locality import gaps
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate, Output
from smelt.sql.model import Expr

CODE = Code(
    name="SuccessionRowLocalColumnViolation",
    severity=Severity.ERROR,
    message="{column} is not a function of one row: {reason}",
    help="{suggestion}",
    witness="now() differs between the run that stored a row and the query that checks it",
)
_MOVE = "remove it, or compute it in a model that reads this one"


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every output column that is neither row-local nor computable from a stored row and its neighbours."""
    projected = frozenset(c.projected)
    for output in c.outputs:
        found = _problem(c, output, output.expr, projected) if output.expr is not None else None
        if found is not None:
            reason, suggestion, repairs = found
            where = Location(c.model.file, output.item.span)
            name = f"`{output.name}`" if output.name else "this column"
            yield report(CODE, where, column=name, reason=reason, label=reason, suggestion=suggestion, fixes=repairs)


def _problem(
    c: Candidate, output: Output, expr: Expr, projected: frozenset[str]
) -> tuple[str, str, tuple[Fix, ...]] | None:
    assert c.scope is not None
    if output.unexpanded:
        known = not output.formula.unknown
        return ("this star cannot be told column by column", "name the columns", ()) if known else None
    lost = gaps(c.query, expr, c.scope.is_row, (call.written.span for call in output.calls))
    if lost:
        return lost[0].reason, _MOVE, ()
    if output.formula.stray:
        name = output.formula.stray[0].text
        return f"`{name}` stands where it is not read as the column", "give the other thing another name", ()
    if not output.derived:
        return None
    missing = [name for name in output.formula.columns if name not in projected]
    if not missing:
        return None
    names = ", ".join(f"`{name}`" for name in missing)
    return f"it needs {names}, which is not projected", f"project {names} as a bare column", fixes.project(c, missing)
