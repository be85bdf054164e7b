"""# WarehouseOutOfMemory

## What was found

DuckDB would need more memory than `memory_limit` allows, and could not move the rest to disk.

## Why it blocks

The transaction was rolled back. Nothing of this model or seed was written.

## Refused

```console
$ smelt run
error[WarehouseOutOfMemory]: customer_history: Out of Memory Error: failed to allocate
```

## Accepted

A higher `memory_limit` in the target's `settings:`, or a first run in pieces: `smelt run --chunk 30`.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseOutOfMemory",
    severity=Severity.ERROR,
    message="{name}: {reason}",
    help="raise `memory_limit` in the settings of the target, or fold in pieces with --chunk N",
    stage="fault",
    witness="No data shows it: the transaction is rolled back.",
)
