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
from dataclasses import dataclass

from smelt.diagnostics.model import Code, Diagnostic, Fix, Load, Location, Related, Severity, Witness, report
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate, Output
from smelt.sql.model import Expr
from smelt.sql.scopes import columns_in
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionRowLocalColumnViolation",
    severity=Severity.ERROR,
    message="{column} is {verdict}: {reason}",
    help="{suggestion}",
    witness=Witness(
        "now() differs between the run that stored a row and the query that is asked later",
        (
            Load(("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')",), at="2025-01-01 12:00:00"),
            Load(("(2, 'b', 'x', '2025-01-02', FALSE, '2025-01-02')",), at="2025-01-02 12:00:00"),
        ),
    ),
)
_MOVE = "remove it, or compute it in a model that reads this one"


@dataclass(frozen=True, slots=True)
class _Problem:
    """A proof that an output column lacks, and every place where it was lost."""

    verdict: str
    reason: str
    suggestion: str
    lost: tuple[tuple[Span, str], ...] = ()
    missing: tuple[str, ...] = ()


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Every output column that is neither row-local nor computable from a stored row and its neighbours."""
    reported: set[str] = set()
    for output in c.outputs:
        found = _problem(c, output, output.expr) if output.expr is not None else None
        if found is None or (found.missing and not found.lost and reported.issuperset(found.missing)):
            continue  # what an alias brings along was said of the item that it names
        reported.update(found.missing)
        yield _finding(c, output, found)


def _finding(c: Candidate, output: Output, found: _Problem) -> Diagnostic:
    repairs: tuple[Fix, ...] = fixes.project(c, found.missing) if found.missing else ()
    lost = [Related(Location(c.model.file, span), reason) for span, reason in found.lost]
    whole = output.expr is not None and [span for span, _ in found.lost] == [output.expr.span]
    return report(
        CODE,
        Location(c.model.file, output.item.span),
        column=f"`{output.name}`" if output.name else "this column",
        verdict=found.verdict,
        reason=found.reason,
        suggestion=found.suggestion,
        label=found.reason if whole or not lost else f"is {found.verdict}",
        related=() if whole else lost,
        fixes=repairs,
    )


def _problem(c: Candidate, output: Output, expr: Expr) -> _Problem | None:
    assert c.scope is not None
    if output.unexpanded:
        reason = "this star cannot be told column by column"
        return _Problem("not proven row-local", reason, "name the columns") if not output.formula.unknown else None
    if output.lost:
        places = tuple((gap.span, gap.reason) for gap in output.lost)
        return _Problem(f"not proven {output.lost[0].proof}", output.lost[0].reason, _MOVE, places)
    stray = output.formula.stray
    if stray:
        reason = f"`{stray[0].text}` stands where it is not read as the column"
        places = tuple((name.span, reason) for name in stray[:1])
        return _Problem("not proven row-local", reason, "give the other thing another name", places)
    return _unprojected(c, output, expr) if output.derived else None


def _unprojected(c: Candidate, output: Output, expr: Expr) -> _Problem | None:
    """A derived column is computed again from its stored row: what it reads must be in that row."""
    assert c.scope is not None
    projected = c.projected
    missing = tuple(name for name in output.formula.columns if name not in projected)
    if not missing:
        return None
    names = ", ".join(f"`{name}`" for name in missing)
    found = [(ref.span, c.scope.find(ref)) for ref in columns_in(c.query, expr.node)]
    inside = [call.written.span for call in output.calls]
    places = tuple(
        (span, f"`{column.column}` is not projected")
        for span, column in found
        if column is not None and column.column in missing and not any(part.covers(span) for part in inside)
    )
    reason = f"it needs {names}, which {'is' if len(missing) == 1 else 'are'} not projected"
    verdict = "not computable from its stored row"
    return _Problem(verdict, reason, f"project {names} as a bare column", places, missing)
