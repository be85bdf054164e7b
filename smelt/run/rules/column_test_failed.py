"""# ColumnTestFailed

## What was found

Rows of a built relation break a test that the model's frontmatter states: a NULL under `not_null`, a value twice under
`unique`, a value outside the list of `accepted_values`, a value without a partner under `relationships`.

## Why it matters

The table is what the model's SQL says; the test says that something else was expected. The rows stay, and the run ends
with exit code 1.

## Refused

```sql models/customer_regions.sql
---
columns:
  - name: region
    tests: [{accepted_values: [north, south]}]
---
SELECT 'east' AS region
```

## Accepted

```sql models/customer_regions.sql
---
columns:
  - name: region
    tests: [{accepted_values: [north, south, east]}]
---
SELECT 'east' AS region
```
"""

from smelt.diagnostics.model import Code, Severity
from smelt.engines.model import Failure
from smelt.project.model import ColumnTest
from smelt.text.counts import counted

CODE = Code(
    name="ColumnTestFailed",
    severity=Severity.ERROR,
    message="{found} {expectation} in {model}{samples}",
    help="look at the rows with `smelt show {model}`, then correct the data, the model or the test",
    stage="run",
    witness="The rows that break the test are counted and shown.",
)

_EXPECTATIONS = {
    "not_null": "no value for `{column}`",
    "unique": "a repeated `{column}`",
    "accepted_values": "a `{column}` outside the accepted values",
    "relationships": "a `{column}` without a partner in {to}",
}


def failure(model: str, test: ColumnTest, count: int, samples: tuple[tuple[object, ...], ...]) -> Failure:
    """The failure of a test that found ``count`` rows (for ``unique``: values), some of which are ``samples``."""
    unit = "value" if test.kind == "unique" else "row"
    values = {
        "found": f"{counted(count, unit)} with",
        "expectation": _EXPECTATIONS[test.kind].format(column=test.column, to=test.to),
        "model": model,
        "samples": _shown(samples) if test.kind != "not_null" else "",
    }
    return Failure(CODE.name, CODE.message.format_map(values), CODE.help.format_map(values))


def _shown(samples: tuple[tuple[object, ...], ...]) -> str:
    if not samples:
        return ""
    return ": " + ", ".join(str(row[0]) for row in samples)
