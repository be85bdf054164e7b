"""# CircularReference

## What was found

Models refer to each other in a circle.

## Why it blocks

No order exists in which each is built after what it reads.

## Refused

```sql models/a.sql
SELECT one FROM smelt.b
```

```sql models/b.sql
SELECT one FROM smelt.a
```

## Accepted

```sql models/a.sql
SELECT one FROM smelt.b
```

```sql models/b.sql
SELECT 1 AS one
```
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from smelt.diagnostics.model import Code, Diagnostic, Location, Related, Severity, report
from smelt.project.model import Address, Model

CODE = Code(
    name="CircularReference",
    severity=Severity.ERROR,
    message="models read each other in a circle: {path}",
    help="break the circle: let one of them read a source instead",
    witness="none can show it: no run could start",
)


def finding(models: Mapping[Address, Model], ring: Sequence[Address]) -> Diagnostic:
    """A circle of models, each reading the next; the first stands again at the end."""
    first, *others = pairwise(ring)
    related = [Related(_place(models, *pair), f"`{pair[0]}` reads `{pair[1]}`") for pair in others]
    path = " → ".join(str(address) for address in ring)
    return report(CODE, _place(models, *first), path=path, related=related)


def _place(models: Mapping[Address, Model], reader: Address, read: Address) -> Location:
    model = models[reader]
    return Location(model.file, next(one.span for one in model.references if one.address == read))
