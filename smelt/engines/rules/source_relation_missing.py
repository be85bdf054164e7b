"""# SourceRelationMissing

## What was found

The table that the source names does not exist in this target's database.

## Why it blocks

There is nothing to read.

## Refused

```yaml models/sources/customer_changes.yml
name: main.customer_chnages
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

```csv data/changes.csv
customer_id,tier,region,effective_ts,is_deleted,ingested_date
1,gold,EU,2025-01-01 09:00:00,false,2025-01-01
1,silver,EU,2025-01-02 09:00:00,false,2025-01-02
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="SourceRelationMissing",
    severity=Severity.ERROR,
    message="{source}: there is no table {relation}",
    help="load the table first, or correct `name:`{near}",
    stage="run",
    witness="Nothing can be read, so there is no data to differ on.",
)
