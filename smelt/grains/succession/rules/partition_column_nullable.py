"""# PartitionColumnNullable

## What was found

The source's `partition_column` may be NULL, or in some row that was read it is NULL or lies outside the calendar, which
has the years 1 to 9999: such a row lies in no partition. `infinity` lies outside too.

## Why it blocks

A run window is a range of that column. A row without a place in it would be folded by no window, so the table would
lack it for ever.

## Refused

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
  - {name: ingested_date, type: DATE}
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

from smelt.diagnostics.model import Code, Diagnostic, Load, Severity, Witness, report
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate

CODE = Code(
    name="PartitionColumnNullable",
    severity=Severity.ERROR,
    message="{source}: {column} {what}",
    help="give every row an arrival date at its origin, or make the column with `expression:`, and declare it with "
    "`nullable: false`",
    witness=Witness(
        "the query counts a row that lies in no partition; the table, folded by windows, never gets it",
        (Load(("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')", "(2, 'b', 'x', '2025-01-01', FALSE, NULL)")),),
    ),
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """A driving source whose run axis is not declared NOT NULL. A filter proves nothing: rows are counted before it."""
    source = c.source
    if source is None or source.timeseries is None:
        return
    axis = source.column(source.timeseries.partition_column)
    if axis is None or not axis.nullable:
        return
    where = source.marks.at("columns", source.columns.index(axis))
    _, repairs = fixes.declare_not_null(c, axis.name)
    yield report(
        CODE,
        where,
        source=source.address,
        column=axis.name,
        what="is the run axis, and may be NULL",
        label="may be NULL",
        fixes=repairs,
    )
