"""# DatabaseNotCompactable

## What was found

`smelt compact` writes a target's DuckDB file anew, and this one cannot be: it is no file of this machine (in memory,
on a server, on an object store), there is none yet, or it has something that a copy would not have.

## Why it blocks

The copy takes the place of the database, so it must have everything that the database has. Sequences are such a case:
DuckDB's copy begins them again at their first value.

## Refused

```console
$ smelt compact
error[DatabaseNotCompactable]: target/dev.duckdb of target dev is not there
```

## Accepted

```console
$ smelt build
$ smelt compact
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="DatabaseNotCompactable",
    severity=Severity.ERROR,
    message="{database} of target {target} {reason}",
    help="leave it as it is: nothing but its size on disk is lost",
    stage="fault",
    witness="No rows are read or written, so there is no data to differ on.",
)
