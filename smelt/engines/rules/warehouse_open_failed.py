"""# WarehouseOpenFailed

## What was found

The database file of the target cannot be opened: it is no DuckDB file, was written by a newer DuckDB, or its folder
cannot be made.

## Why it blocks

Nothing can be read or written.

## Refused

```console
$ smelt run
error[WarehouseOpenFailed]: cannot open target/dev.duckdb: The file exists, but it is not a valid DuckDB database file!
```

## Accepted

A `database:` path where a DuckDB file is, or can be made.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseOpenFailed",
    severity=Severity.ERROR,
    message="cannot open {database}: {reason}",
    help="correct `database:` of target {target} in smelt.yml, or move the file away",
    stage="fault",
    witness="No data shows it: nothing is read.",
)
