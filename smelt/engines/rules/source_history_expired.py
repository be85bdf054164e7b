"""# SourceHistoryExpired

## What was found

A rebuild was asked for, and the source no longer has all partitions that the table was made from.

## Why it blocks

The rebuilt table would lack what only they told. A person has to say that this is wanted.

## Refused

```console
$ smelt run history --full-refresh
error[SourceHistoryExpired]: sources.changes no longer has 31 partitions that the table holds:
2025-01-01 had 1,200 rows when it was folded, now none, and so on for 30 more
$ echo $?
3
```

## Accepted

```console
$ smelt repair history --lose-history
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="SourceHistoryExpired",
    severity=Severity.ERROR,
    message="{source} no longer has {lost}",
    help="restore them, or accept the loss: smelt repair {model} --lose-history",
    stage="fault",
    witness="The rebuilt table equals the SQL over the source of today, which has forgotten events of the past.",
)
