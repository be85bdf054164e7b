"""# MissingKey

## What was found

A mapping lacks a key that has no default.

## Why it blocks

What it stands for cannot be guessed.

## Refused

```yaml smelt.yml
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
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
    name="MissingKey",
    severity=Severity.ERROR,
    message="the key `{key}` is missing",
    help="{suggestion}",
    witness="none can show it: nothing can be built from such a file",
)
