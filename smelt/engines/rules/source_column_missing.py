"""# SourceColumnMissing

## What was found

A declared column without `expression:` and with `nullable: false` is not in the table, or not in one of the files; or
a file has none of the declared columns. CSV files have commas between values, TSV files tabs.

## Why it blocks

A missing nullable column reads NULL, which the run tells with the file's name. For one that is declared NOT NULL that
would break the declaration in every row.

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
tier,region,effective_ts,is_deleted,ingested_date
gold,EU,2025-01-01 09:00:00,false,2025-01-01
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
    name="SourceColumnMissing",
    severity=Severity.ERROR,
    message="{source}: {place} has no column {column}; it has {candidates}",
    help="correct the name, declare the column `nullable: true`, or make it with `expression:`",
    stage="run",
    witness="Reading NULL in its place would put every event under one key.",
)
