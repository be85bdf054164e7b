"""# DuplicateColumn

## What was found

Two declared columns have the same name.

## Why it blocks

Which type and which facts hold cannot be told.

## Refused

```yaml models/sources/s.yml
files: data/s.csv
columns:
  - {name: id, type: INTEGER}
  - {name: ID, type: VARCHAR}
```

## Accepted

```yaml models/sources/s.yml
files: data/s.csv
columns:
  - {name: id, type: INTEGER}
  - {name: id_text, type: VARCHAR}
```
"""

from collections.abc import Iterable, Iterator

from smelt.diagnostics.model import Code, Diagnostic, Location, Related, Severity, report
from smelt.text.identifiers import fold

CODE = Code(
    name="DuplicateColumn",
    severity=Severity.ERROR,
    message="the column `{column}` is declared twice",
    help="keep one of the two; upper and lower case do not count",
    witness="none can show it: nothing can be built from such a file",
)


def check(columns: Iterable[tuple[str, Location]]) -> Iterator[Diagnostic]:
    """Names with the places where they are declared; one finding at each but the first that DuckDB takes as equal."""
    first: dict[str, Location] = {}
    for name, location in columns:
        earlier = first.setdefault(fold(name), location)
        if earlier is not location:
            yield report(CODE, location, column=name, related=[Related(earlier, "the first one")])
