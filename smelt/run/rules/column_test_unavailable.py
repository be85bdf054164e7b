"""# ColumnTestUnavailable

## What was found

A `relationships` test points to a source that is read from files. Such a test is not available yet.

## Why it matters

The test cannot be made, so nothing is known about the rows it is about; it counts as failed.

## Refused

```yaml models/sources/regions.yml
files: data/regions.csv
columns:
  - {name: region, type: VARCHAR}
```

```sql models/customer_regions.sql
---
columns:
  - name: region
    tests: [{relationships: {to: sources.regions, field: region}}]
---
SELECT 'east' AS region
```

```csv data/regions.csv
region
east
```

## Accepted

The same small list as a seed, or a model that reads the source:

```csv models/regions.csv
region
east
```

```sql models/customer_regions.sql
---
columns:
  - name: region
    tests: [{relationships: {to: regions, field: region}}]
---
SELECT 'east' AS region
```
"""

from smelt.diagnostics.model import Code, Severity
from smelt.engines.model import Failure
from smelt.project.model import ColumnTest

CODE = Code(
    name="ColumnTestUnavailable",
    severity=Severity.ERROR,
    message="the test of `{column}` points to {to}, which is read from files: not available yet",
    help="point the test to a seed, a model or a source that is a table",
    stage="run",
    witness="No data shows it: the rows are never compared.",
)


def failure(test: ColumnTest) -> Failure:
    """The failure of a test that cannot be made."""
    values = {"column": test.column, "to": test.to}
    return Failure(CODE.name, CODE.message.format_map(values), CODE.help.format_map(values))
