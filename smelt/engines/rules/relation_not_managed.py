"""# RelationNotManaged

## What was found

A relation of the name that a model or seed would have exists, and smelt did not build it; or smelt built it for a file
of another name, as happens when a file with `name:` is renamed.

## Why it blocks

Building would overwrite data of somebody else, or of another model.

## Refused

```console
$ duckdb target/dev.duckdb "CREATE TABLE customer_history AS SELECT 1 AS x"
$ smelt run
error[RelationNotManaged]: main.customer_history exists, and smelt did not build it
```

## Accepted

Another name for the model (`name:` in its frontmatter), or the relation dropped by hand. After a rename: the file's old
name again, or the relation dropped, so that it is built anew from its source.
"""

from dataclasses import replace

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="RelationNotManaged",
    severity=Severity.ERROR,
    message="{relation} exists, and {who}",
    help="give {model} another name with `name:`, or drop the relation if nobody needs it",
    stage="fault",
    witness="Overwriting it destroys data that no source of the project can give back.",
)
MOVED = replace(
    CODE,
    help="name the file as before, so that {model} is {owner} again; or give {model} another `name:`; or drop the "
    "relation, and it is built anew",
)
"""The same where smelt built the relation for another address."""
