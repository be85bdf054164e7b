"""# BindError

## What was found

The query can be read, but DuckDB cannot make sense of it over the declared columns: an unknown function or
qualifier, a column that is neither grouped nor aggregated, two queries of different width in a `UNION`.

## Why it blocks

DuckDB refuses such a query when it is run. smelt asks it beforehand, over empty tables in memory.

## Refused

```sql models/customer_history.sql
SELECT customer_id, tier, COUNT(*) AS changes
FROM smelt.sources.customer_changes
GROUP BY customer_id
```

## Accepted

```sql models/customer_history.sql
SELECT customer_id, tier, COUNT(*) AS changes
FROM smelt.sources.customer_changes
GROUP BY customer_id, tier
```
"""

import re

from smelt.analysis.binding import Refused
from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.project.model import Model

CODE = Code(
    name="BindError",
    severity=Severity.ERROR,
    message="{problem}",
    help="{suggestion}",
    witness="none can show it: DuckDB refuses the query before it reads a row",
)

_ADVICE = re.compile(r"^(?:Did you mean|Either |You might need)")
_ASIDE = re.compile(r" \((use: .*)\)$")
_WHOLE = re.compile(r"""['"]smelt\.""")
_ADDRESS = re.compile(r'^Referenced table "smelt\.(?:[^"]*\.)?([^".]+)" not found')
_EXTENSION = re.compile(r"it exists in the (\w+) extension")


def finding(model: Model, refused: Refused) -> Diagnostic:
    """The finding for whatever DuckDB refused, in its own words: the fault in the message, its advice in the help."""
    problem = refused.first_line.rstrip("!")
    aside = _ASIDE.search(problem)
    extension = _EXTENSION.search(problem)
    address = _ADDRESS.match(problem)
    if aside is not None:
        namesakes = _WHOLE.search(aside[1])  # DuckDB tells them apart by whole addresses, which qualify nothing
        advice = "give each relation of that name an alias in FROM" if namesakes else aside[1]
        problem = problem[: aside.start()]
    elif extension is not None:
        advice = f"name it in `smelt.yml`, under the target: `extensions: [{extension[1]}]`"
    elif address is not None:
        advice = f"addresses stand in FROM; before a column write the alias there, else the last part: `{address[1]}`"
    else:
        advice = " ".join(line.strip() for line in refused.message.splitlines()[1:] if _ADVICE.match(line.strip()))
    return report(
        CODE,
        Location(model.file, refused.span),
        problem=problem,
        suggestion=advice or "a model's query must run on DuckDB over the declared columns",
    )
