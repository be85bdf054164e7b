"""# UnknownType

## What was found

A source column declares a type that DuckDB does not have.

## Why it blocks

Rows are read with the declared types.

## Refused

```yaml models/sources/s.yml
columns:
  - {name: id, type: INTEGR}
```

## Accepted

```yaml models/sources/s.yml
columns:
  - {name: id, type: INTEGER}
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="UnknownType",
    severity=Severity.ERROR,
    message="`{type}` is no DuckDB type",
    help="{suggestion}",
    witness="none can show it: nothing can be built from such a file",
)
