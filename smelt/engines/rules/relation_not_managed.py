"""# RelationNotManaged

## What was found

A relation of the name that a model or seed would have exists, and smelt did not build it.

## Why it blocks

Building would overwrite data of somebody else.

## Refused

```console
$ duckdb target/dev.duckdb "CREATE TABLE customer_history AS SELECT 1 AS x"
$ smelt run
error[RelationNotManaged]: main.customer_history exists, and smelt did not build it
```

## Accepted

Another name for the model (`name:` in its frontmatter), or the relation dropped by hand.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="RelationNotManaged",
    severity=Severity.ERROR,
    message="{relation} exists, and smelt did not build it",
    help="give {model} another name with `name:`, or drop the relation if nobody needs it",
    stage="fault",
    witness="Overwriting it destroys data that no source of the project can give back.",
)
