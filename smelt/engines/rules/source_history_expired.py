"""# SourceHistoryExpired

## What was found

A rebuild was asked for, and the source no longer has partitions that the table was made from.

## Why it blocks

The rebuilt table would lack what only those partitions held. A person has to say that this is wanted.

## Refused

```console
$ smelt run history --full-refresh
error[SourceHistoryExpired]: sources.changes no longer has 31 partitions that history holds (the first is 2025-01-01)
$ echo $?
3
```

## Accepted

```console
$ smelt run history --full-refresh --lose-history
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="SourceHistoryExpired",
    severity=Severity.ERROR,
    message="{source} no longer has {count} partitions that {model} holds (the first is {first})",
    help="restore them, or accept the loss: smelt run {model} --full-refresh --lose-history",
    stage="fault",
    witness="The rebuilt table equals the SQL over the source of today, which has forgotten events of the past.",
)
