"""# MaintainedRelationChanged

## What was found

A table that smelt maintains is missing, or has another number of rows than smelt left in it.

## Why it blocks

Neighbours are looked up in that table. A row taken out or put in by hand would be taken for an event.

## Refused

```console
$ duckdb target/dev.duckdb "DELETE FROM customer_history WHERE customer_id = 1"
$ smelt run
error[MaintainedRelationChanged]: main.customer_history has 3 rows, smelt left 5
```

## Accepted

```console
$ smelt repair customer_history
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="MaintainedRelationChanged",
    severity=Severity.ERROR,
    message="{relation} {change}",
    help="rebuild it from its source: smelt repair {model}",
    stage="fault",
    witness="A predecessor deleted by hand is not patched, so its interval never closes.",
)
