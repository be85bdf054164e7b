"""# SourceNullViolation

## What was found

A row of the source holds NULL in a column that is declared `nullable: false`, or that the model's filter was taken to
keep free of NULL. The run looks at every row of its window before it folds any.

## Why it blocks

Key, clock and delete flag decide where an event stands. Declared facts are what the model was admitted on; a fact that
the data breaks would make the table differ from its SQL without a sign. Nothing of the window is written.

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
  - {name: ingested_date, type: DATE, nullable: false}
```

```csv data/changes.csv
customer_id,tier,region,effective_ts,is_deleted,ingested_date
1,gold,EU,2025-01-01 09:00:00,false,2025-01-01
,silver,EU,2025-01-02 09:00:00,false,2025-01-02
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

```csv data/changes.csv
customer_id,tier,region,effective_ts,is_deleted,ingested_date
1,gold,EU,2025-01-01 09:00:00,false,2025-01-01
1,silver,EU,2025-01-02 09:00:00,false,2025-01-02
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="SourceNullViolation",
    severity=Severity.ERROR,
    message="{source}: NULL in {column}, declared NOT NULL, in {count} of those read{samples}",
    help="mend the rows at their origin, or declare it nullable and filter with WHERE {column} IS NOT NULL",
    stage="run",
    witness="All NULL keys would share one history that no neighbour look-up by equality finds again.",
)
