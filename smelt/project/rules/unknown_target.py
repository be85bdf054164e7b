"""# UnknownTarget

## What was found

`default_target:` or a model's `target:` names a target that `targets:` lacks.

## Why it blocks

A run would not know where to build.

## Refused

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: prod
```

## Accepted

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="UnknownTarget",
    severity=Severity.ERROR,
    message="there is no target `{target}`",
    help="{suggestion}",
    witness="none can show it: nothing can be built from such a file",
)
