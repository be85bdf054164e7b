"""# SourceRedeliveryViolated

## What was found

The source promises `redelivery: none`, and an event came more than once: the rows folded are more than the rows and
tombstones stored.

## Why it blocks

Under that promise an equal row is a second event, and the model's SQL would show it twice.

## Refused

```yaml models/sources/customer_changes.yml
files: data/changes.csv
mutation_profile: {kind: append_only, redelivery: none}
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
1,gold,EU,2025-01-01 09:00:00,false,2025-01-01
```

## Accepted

```yaml models/sources/customer_changes.yml
files: data/changes.csv
mutation_profile: {kind: append_only, redelivery: none}
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
    name="SourceRedeliveryViolated",
    severity=Severity.ERROR,
    message="{source} promises no re-delivery, but {events} were read for {points}",
    help="declare `redelivery: at_least_once` (equal events are then one), or stop the loader from repeating rows",
    stage="run",
    witness="The model SQL over the rows as they are gives one row more than the table.",
)
