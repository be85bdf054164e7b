"""# SeedUnreadable

## What was found

The CSV file of a seed is missing, or is no table: it has no header, its header names a column twice or lacks one that
the sidecar declares, a row has more or fewer values than the header, a quote is not closed, or a value is none of its
declared type. The message gives the line.

## Why it blocks

A seed is loaded whole or not at all; the table it had stays.

## Refused

```console
$ smelt seed
error[SeedUnreadable]: regions: cannot read models/regions.csv: line 3: 1 value, but the header names 2 columns
```

## Accepted

A file with a header, commas between values, double quotes around those that hold a comma or a line end, and values of
the declared types.
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
