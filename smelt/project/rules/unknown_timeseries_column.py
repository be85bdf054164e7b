"""# UnknownTimeseriesColumn

## What was found

A source's `timeseries:` names a column that `columns:` does not declare.

## Why it blocks

Type and nullability of the clock and of the run axis must be known.

## Refused

```yaml models/sources/s.yml
files: data/s.csv
timeseries: {event_time_column: at, partition_column: day, granularity: day}
columns:
  - {name: at, type: TIMESTAMP}
```

## Accepted

```yaml models/sources/s.yml
files: data/s.csv
timeseries: {event_time_column: at, partition_column: day, granularity: day}
columns:
  - {name: at, type: TIMESTAMP}
  - {name: day, type: DATE, nullable: false}
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.project.model import Source
from smelt.project.quoting import in_yaml
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, nearest

CODE = Code(
    name="UnknownTimeseriesColumn",
    severity=Severity.ERROR,
    message="`{column}` is not a declared column",
    help="{suggestion}",
    witness="none can show it: there is no column to read",
)


def check(source: Source) -> Iterator[Diagnostic]:
    """The clock and the run axis of a source, if ``columns:`` lacks them."""
    if source.timeseries is None:
        return
    names = [column.name for column in source.columns]
    named = {
        "event_time_column": source.timeseries.event_time_column,
        "partition_column": source.timeseries.partition_column,
    }
    for key, name in named.items():
        if source.column(name) is None:
            where = source.marks.at("timeseries", key)
            suggestion = did_you_mean(name, names) or f"declare `{name}` under `columns:`"
            yield report(CODE, where, column=name, suggestion=suggestion, fixes=_fix(where, nearest(name, names)))


def _fix(where: Location, close: tuple[str, ...]) -> tuple[Fix, ...]:
    """The one near column; unsafe, for which column is the clock is a fact."""
    if len(close) != 1:
        return ()
    return (Fix(f"Write {close[0]}", False, (FileEdit(where.file, Edit(where.span, in_yaml(close[0]))),)),)
