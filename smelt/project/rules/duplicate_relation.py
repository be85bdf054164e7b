"""# DuplicateRelation

## What was found

Two models or seeds have the same physical name.

## Why it blocks

Each run of one would overwrite the other.

## Refused

```sql models/a/b.sql
SELECT 1 AS one
```

```sql models/a_b.sql
SELECT 2 AS one
```

## Accepted

```sql models/a/b.sql
SELECT 1 AS one
```

```sql models/a_b.sql
---
name: other
---
SELECT 2 AS one
```
"""

from collections.abc import Iterable, Iterator

from smelt.diagnostics.model import Code, Diagnostic, Related, Severity, report
from smelt.project.relations import BuiltRelation
from smelt.text.identifiers import fold

CODE = Code(
    name="DuplicateRelation",
    severity=Severity.ERROR,
    message="`{address}` and `{other}` both build the relation `{relation}`",
    help="give one of them another `name:`",
    witness="build both: the table holds the rows of whichever ran last",
)


def check(relations: Iterable[BuiltRelation]) -> Iterator[Diagnostic]:
    """One finding at each relation but the first of its name in one place."""
    first: dict[tuple[str, str], BuiltRelation] = {}
    for built in relations:
        earlier = first.setdefault((built.place, fold(built.relation)), built)
        if earlier is not built:
            related = [Related(earlier.location, "the other one")]
            yield report(
                CODE,
                built.location,
                related=related,
                address=built.address,
                other=earlier.address,
                relation=built.relation,
            )
