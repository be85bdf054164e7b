"""# SeedUnreadable

## What was found

The CSV file of a seed is missing, or cannot be read as the columns that it, or its sidecar, declares.

## Why it blocks

A seed is loaded whole or not at all; the table it had stays.

## Refused

```console
$ smelt seed
error[SeedUnreadable]: seeds.regions: cannot read models/seeds/regions.csv: could not convert string 'x' to INT32
```

## Accepted

A file whose values are of the declared types.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="SeedUnreadable",
    severity=Severity.ERROR,
    message="{seed}: cannot read {file}: {reason}",
    help="correct the file, or the types in its sidecar",
    stage="fault",
    witness="A seed loaded in part would be joined in part.",
)
