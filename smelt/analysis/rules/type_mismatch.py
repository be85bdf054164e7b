"""# TypeMismatch

## What was found

A function or an operator is given values of types it does not take.

## Why it blocks

DuckDB refuses such a query when it is run: it would have to guess a conversion.

## Refused

```sql models/customer_history.sql
SELECT customer_id, date_trunc('month', tier) AS month
FROM smelt.sources.customer_changes
```

## Accepted

```sql models/customer_history.sql
SELECT customer_id, date_trunc('month', effective_ts) AS month
FROM smelt.sources.customer_changes
```
"""

from smelt.analysis.binding import Refused
from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.project.model import Model

CODE = Code(
    name="TypeMismatch",
    severity=Severity.ERROR,
    message="{problem}",
    help="{suggestion}",
    witness="none can show it: DuckDB runs no query whose types it cannot match",
)

_SHOWN = 3


def finding(model: Model, refused: Refused) -> Diagnostic | None:
    """The finding, if that is what DuckDB refused."""
    if refused.subtype == "NO_MATCHING_FUNCTION":
        problem = f"`{refused.name}` does not take these types: {refused.call}"
        # DuckDB joins the signatures with commas, which stand inside them too; its message has one a line.
        known = [line.strip() for line in refused.message.splitlines()[2:] if line.strip()]
        suggestion = "it takes " + " or ".join(f"`{line}`" for line in known[:_SHOWN]) if known else ""
    elif refused.kind in ("Mismatch Type", "Conversion") or "Cannot compare values" in refused.message:
        problem = refused.first_line
        suggestion = ""
    else:
        return None
    suggestion = suggestion or "convert one side with CAST(… AS …)"
    return report(CODE, Location(model.file, refused.span), problem=problem, suggestion=suggestion)
