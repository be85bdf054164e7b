"""# UnknownTimeseriesColumn

## What was found

A source's `timeseries:` names a column that `columns:` does not declare.

## Why it blocks

Type and nullability of the clock and of the run axis must be known.

## Refused

```yaml models/sources/s.yml
timeseries: {event_time_column: at, partition_column: day, granularity: day}
columns:
  - {name: at, type: TIMESTAMP}
```

## Accepted

```yaml models/sources/s.yml
timeseries: {event_time_column: at, partition_column: day, granularity: day}
columns:
  - {name: at, type: TIMESTAMP}
  - {name: day, type: DATE, nullable: false}
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="UnknownTimeseriesColumn",
    severity=Severity.ERROR,
    message="`{column}` is not a declared column",
    help="{suggestion}",
    witness="none can show it: there is no column to read",
)
