"""# UndefinedVariable

## What was found

A `${NAME}` in `smelt.yml` names a variable that is not set.

## Why it blocks

An empty text in its place could point at another database.

## Refused

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: "${SMELT_SURELY_NOT_SET}/dev.duckdb"}
default_target: dev
```

## Accepted

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: "target/$$dev.duckdb"}
default_target: dev
```
"""

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.project.keypaths import shown
from smelt.project.model import KeyPath

CODE = Code(
    name="UndefinedVariable",
    severity=Severity.ERROR,
    message="the environment has no variable `{name}`, which `{key}` needs",
    help="set it, or write $$ for a dollar",
    witness="none can show it: nothing can be built from such a file",
)


def finding(location: Location, name: str, path: KeyPath) -> Diagnostic:
    """A ``${NAME}`` without a value."""
    return report(CODE, location, name=name, key=shown(path))
