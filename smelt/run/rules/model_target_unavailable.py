"""# ModelTargetUnavailable

## What was found

A model's frontmatter names another target than the one this run builds in. A run across targets is not available yet.

## Why it blocks

Building the model in the run's target would put it where its author did not want it, in silence.

## Refused

```yaml smelt.yml
name: shop
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
  archive: {type: duckdb, database: target/archive.duckdb}
default_target: dev
```

```sql models/numbers.sql
---
target: archive
---
SELECT 1 AS one
```

## Accepted

```sql models/numbers.sql
---
target: dev
---
SELECT 1 AS one
```
"""

from smelt.diagnostics.model import Code, Diagnostic, Severity, report
from smelt.project.model import Model

CODE = Code(
    name="ModelTargetUnavailable",
    severity=Severity.ERROR,
    message="the model belongs to target {wanted}, this run builds in {target}: not available yet",
    help="leave out `target:`, or run with `--target {wanted}`",
    stage="run",
    witness="No data shows it: the rows are right, the place is not.",
)


def finding(model: Model, target: str) -> Diagnostic | None:
    """The refusal of a model that belongs to another target than ``target``."""
    wanted = model.frontmatter.target
    if wanted is None or wanted == target:
        return None
    return report(CODE, model.marks.at("target"), wanted=wanted, target=target)
