"""# SourceMutationProfileViolated

## What was found

A partition that was folded before has fewer rows than it had then, or is gone although it is younger than
`retention:`, or has as many rows with other values. The source is declared `append_only`.

## Why it blocks

Events that were folded cannot be taken back by folding: the history would keep rows that the source no longer has.
Nothing was written.

## Refused

One row of a folded partition is deleted:

```console
$ smelt run
error[SourceMutationProfileViolated]: sources.changes is append-only, but partition 2025-01-02 fell from 2 rows to 1
$ echo $?
1
```

## Accepted

The rows put back at their origin; or a rebuild from what the source holds now:

```console
$ smelt repair customer_history
```

Where whole partitions are gone, it takes a person's word that they are not missed: `--lose-history`.

Counting sees every loss of rows. It cannot see a row replaced by another: that is what fingerprints are for, taken as
`probes:` in `smelt.yml` says.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="SourceMutationProfileViolated",
    severity=Severity.ERROR,
    message="{source} is append-only, but partition {partition} {change}{others}",
    help="restore the rows at their origin, or rebuild from what it has now: smelt repair {model}{options}",
    stage="fault",
    witness="Folding the smaller partition again changes nothing: rows that left the source would stay in the table.",
)
