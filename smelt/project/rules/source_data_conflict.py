"""# SourceDataConflict

## What was found

A source says twice where its rows are: by `name:` and by `files:`, or by `files:` in the sidecar of a seed.

## Why it blocks

Only one of the two can be read.

## Refused

```yaml models/sources/s.yml
name: main.events
files: data/events/*.parquet
columns:
  - {name: id, type: INTEGER}
```

## Accepted

```yaml models/sources/s.yml
files: data/events/*.parquet
columns:
  - {name: id, type: INTEGER}
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, Severity, report
from smelt.project.model import Source

CODE = Code(
    name="SourceDataConflict",
    severity=Severity.ERROR,
    message="the rows of this source have two places: {first} and {second}",
    help="keep one of the two",
    witness="the two may hold other rows, and which of them a model reads would be an accident",
)


def check(source: Source) -> Iterator[Diagnostic]:
    """``files:`` beside ``name:``, or beside the CSV of a seed."""
    if source.files is None:
        return
    where = source.marks.key("files")
    if source.seed_file is not None:
        yield report(CODE, where, first=f"`{source.seed_file}`", second="`files:`")
    elif source.relation is not None:
        yield report(CODE, where, first="`name:`", second="`files:`")
