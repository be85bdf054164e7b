"""# WarehouseDiskFull

## What was found

The disk of the database, or of its temporary files, is full.

## Why it blocks

The transaction was rolled back. Nothing of this model or seed was written.

## Refused

```console
$ smelt run
error[WarehouseDiskFull]: customer_history: no space left for target/dev.duckdb
```

## Accepted

The same command with space freed.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseDiskFull",
    severity=Severity.ERROR,
    message="{name}: no space left for {database}",
    help="free space on that disk, then run again",
    stage="fault",
    witness="No data shows it: the transaction is rolled back.",
)
