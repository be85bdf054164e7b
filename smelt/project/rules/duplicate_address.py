"""# DuplicateAddress

## What was found

Two files give the same address.

## Why it blocks

A reference to it could mean either.

## Refused

```sql models/a.sql
SELECT 1 AS one
```

```yaml models/a.yml
name: main.a
columns:
  - {name: one, type: INTEGER}
```

## Accepted

```sql models/a.sql
SELECT 1 AS one
```

```yaml models/b.yml
name: main.b
columns:
  - {name: one, type: INTEGER}
```
"""

from collections.abc import Iterable, Iterator

from smelt.diagnostics.model import Code, Diagnostic, Location, Related, Severity, report
from smelt.project.addresses import Entity
from smelt.text.identifiers import fold
from smelt.text.spans import Span

CODE = Code(
    name="DuplicateAddress",
    severity=Severity.ERROR,
    message="the address `{address}` belongs to `{file}` and to `{other}`",
    help="rename or move one of them",
    witness="none can show it: nothing can be built from such a file",
)


def check(entities: Iterable[Entity]) -> Iterator[Diagnostic]:
    """One finding at each file of an address but the first; upper and lower case make no difference."""
    first: dict[str, Entity] = {}
    for entity in sorted(entities, key=lambda one: one.file):
        earlier = first.setdefault(fold(str(entity.address)), entity)
        if earlier is not entity:
            related = [Related(_start(earlier), "the other file")]
            where = _start(entity)
            yield report(CODE, where, related=related, address=entity.address, file=entity.file, other=earlier.file)


def _start(entity: Entity) -> Location:
    return Location(entity.file, Span(0, 0))
