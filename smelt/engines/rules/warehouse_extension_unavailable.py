"""# WarehouseExtensionUnavailable

## What was found

An extension that the target asks for is not installed and cannot be fetched: its name is wrong, or the machine is
offline.

## Why it blocks

Statements that need it would fail half-way through a run.

## Refused

```console
$ smelt run
error[WarehouseExtensionUnavailable]: target dev: extension httpfs is not installed and cannot be fetched
```

## Accepted

An extension that was installed once, when the machine was online.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="WarehouseExtensionUnavailable",
    severity=Severity.ERROR,
    message="target {target}: extension {extension} is not installed and cannot be fetched: {reason}",
    help="correct `extensions:` in smelt.yml, or install it once where there is a network",
    stage="fault",
    witness="No data shows it: nothing is read.",
)
