"""# SourceUnbound

## What was found

A source has neither `files:` nor `name:`, and there is no CSV file of its name beside it.

## Why it matters

Its facts are enough to judge the models that read it. A run fails at the first of them: there is nothing to read.

## Refused

```yaml models/sources/customer_changes.yml
mutation_profile: append_only
timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}
columns:
  - {name: customer_id, type: INTEGER, nullable: false}
  - {name: tier, type: VARCHAR}
  - {name: region, type: VARCHAR}
  - {name: effective_ts, type: TIMESTAMP, nullable: false}
  - {name: is_deleted, type: BOOLEAN, nullable: false}
  - {name: ingested_date, type: DATE, nullable: false}
```

## Accepted

```yaml models/sources/customer_changes.yml
files: data/changes.csv
mutation_profile: append_only
timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}
columns:
  - {name: customer_id, type: INTEGER, nullable: false}
  - {name: tier, type: VARCHAR}
  - {name: region, type: VARCHAR}
  - {name: effective_ts, type: TIMESTAMP, nullable: false}
  - {name: is_deleted, type: BOOLEAN, nullable: false}
  - {name: ingested_date, type: DATE, nullable: false}
```
"""

from collections.abc import Iterator
from dataclasses import replace

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.project.model import Source
from smelt.text.identifiers import nearest
from smelt.text.spans import Span

CODE = Code(
    name="SourceUnbound",
    severity=Severity.WARNING,
    message="{source} says nowhere where its rows are",
    help="add `name: SCHEMA.TABLE` or `files: PATTERN` to its file",
)
IN_A_RUN = replace(CODE, severity=Severity.ERROR)
"""The same where it blocks."""
_BINDING = ("files", "name")


def check(source: Source) -> Iterator[Diagnostic]:
    """Neither ``files:`` nor ``name:``, and no seed: at the first key of the file.

    A key that may be one of the two, misspelled, has its own finding.
    """
    if source.files is not None or source.relation is not None or source.seed_file is not None:
        return
    misspelled = any(nearest(key, _BINDING) for key in _keys(source))
    if not misspelled:
        yield report(CODE, location(source), source=source.address)


def location(source: Source) -> Location:
    """The first key of the source's file; an empty file whole."""
    keys = _keys(source).values()
    return Location(source.marks.file, min(keys)) if keys else source.marks.at()


def _keys(source: Source) -> dict[str, Span]:
    """The top-level keys of the file, as written."""
    return {str(path[0]): span for path, span in source.marks.keys.items() if len(path) == 1}
