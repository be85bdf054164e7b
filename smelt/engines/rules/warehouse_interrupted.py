"""# WarehouseInterrupted

## What was found

The statement was stopped by a signal.

## Why it blocks

The transaction was rolled back. Nothing of this model or seed was written.

## Refused

```console
$ smelt run
^C
$ echo $?
130
```

## Accepted

The same command again: it folds what is missing.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseInterrupted",
    severity=Severity.ERROR,
    message="{name}: stopped before it was done",
    help="",
    stage="fault",
    witness="No data shows it: the transaction is rolled back.",
)
