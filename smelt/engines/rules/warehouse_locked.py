"""# WarehouseLocked

## What was found

Another program has the database file open for writing. DuckDB lets one process write at a time.

## Why it blocks

Nothing can be read or written until that program closes the file.

## Refused

```console
$ smelt run
error[WarehouseLocked]: target/dev.duckdb is held by PID 4242
$ echo $?
4
```

## Accepted

Waiting for it, for at most a minute:

```console
$ smelt run --lock-timeout 60
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseLocked",
    severity=Severity.ERROR,
    message="{database} is held by {holder}",
    help="close that program, or wait for it with `--lock-timeout SECONDS`",
    stage="fault",
    witness="No data shows it: nothing is read.",
)
