"""# WarehouseInitSqlFailed

## What was found

A statement of the target's `init_sql:` failed.

## Why it blocks

What it prepares (an attached database, a secret) is missing from the session.

## Refused

```yaml smelt.yml
name: shop
targets:
  dev: {type: duckdb, database: target/dev.duckdb, init_sql: ["ATTACH 'nowhere/else.duckdb' (READ_ONLY)"]}
default_target: dev
```

## Accepted

```yaml smelt.yml
name: shop
targets:
  dev: {type: duckdb, database: target/dev.duckdb, init_sql: ["SET threads = 2"]}
default_target: dev
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseInitSqlFailed",
    severity=Severity.ERROR,
    message="target {target}: init_sql statement {number} failed: {reason}",
    help="correct `init_sql:` in smelt.yml",
    stage="run",
    witness="No data shows it: nothing is read.",
)
