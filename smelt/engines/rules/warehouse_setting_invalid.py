"""# WarehouseSettingInvalid

## What was found

DuckDB does not know a setting of the target, or not this value for it.

## Why it blocks

A run under other settings than the ones asked for could store other values.

## Refused

```yaml smelt.yml
name: shop
targets:
  dev: {type: duckdb, database: target/dev.duckdb, settings: {thraeds: 4}}
default_target: dev
```

## Accepted

```yaml smelt.yml
name: shop
targets:
  dev: {type: duckdb, database: target/dev.duckdb, settings: {threads: 4}}
default_target: dev
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseSettingInvalid",
    severity=Severity.ERROR,
    message="target {target}: setting {name}: {reason}",
    help="correct `settings:` in smelt.yml",
    stage="run",
    witness="Another time zone, say, gives other values for the same SQL.",
)
