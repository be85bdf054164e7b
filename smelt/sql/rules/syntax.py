"""# SqlSyntax

## What was found

The text of a model is not one query that DuckDB can read. The range shows where reading stopped.

## Why it blocks

What cannot be read cannot be judged, run or maintained. Findings in the model's frontmatter and in other files are
shown all the same.

## Refused

```sql models/customer_history.sql
---
materialization: view
---
SELECT customer_id, tier +
FROM smelt.sources.customer_changes
```

## Accepted

```sql models/customer_history.sql
---
materialization: view
---
SELECT customer_id, tier
FROM smelt.sources.customer_changes
```
"""

from collections.abc import Iterable

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.sql.tokens import SqlError

CODE = Code(
    name="SqlSyntax",
    severity=Severity.ERROR,
    message="{problem}",
    help="a model is one SELECT in DuckDB's SQL",
    witness="none can show it: there is no query to run",
)


def findings(file: str, errors: Iterable[SqlError]) -> tuple[Diagnostic, ...]:
    """One finding for each error of a parsed text."""
    return tuple(report(CODE, Location(file, error.span), problem=error.message) for error in errors)
