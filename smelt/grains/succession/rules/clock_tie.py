"""# SuccessionClockTie

## What was found

Two events that are not equal, or a delete and a live event, have the same key and the same clock.

## Why it blocks

Which of them came first cannot be told, so the history has no one right answer. The run is rolled back and the table
stays as it was.

## Refused

```csv data/changes.csv
customer_id,tier,region,effective_ts,is_deleted,ingested_date
1,gold,emea,2025-01-01 09:00:00,false,2025-01-01
1,silver,emea,2025-01-01 09:00:00,false,2025-01-01
```

```yaml models/sources/customer_changes.yml
description: Customer change events
files: data/changes.csv
mutation_profile: append_only
timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}
columns:
  - {name: customer_id,   type: INTEGER,   nullable: false}
  - {name: tier,          type: VARCHAR}
  - {name: region,        type: VARCHAR}
  - {name: effective_ts,  type: TIMESTAMP, nullable: false}
  - {name: is_deleted,    type: BOOLEAN,   nullable: false}
  - {name: ingested_date, type: DATE,      nullable: false}
```

## Accepted

```csv data/changes.csv
customer_id,tier,region,effective_ts,is_deleted,ingested_date
1,gold,emea,2025-01-01 09:00:00,false,2025-01-01
1,silver,emea,2025-01-01 10:00:00,false,2025-01-01
```

```yaml models/sources/customer_changes.yml
description: Customer change events
files: data/changes.csv
mutation_profile: append_only
timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}
columns:
  - {name: customer_id,   type: INTEGER,   nullable: false}
  - {name: tier,          type: VARCHAR}
  - {name: region,        type: VARCHAR}
  - {name: effective_ts,  type: TIMESTAMP, nullable: false}
  - {name: is_deleted,    type: BOOLEAN,   nullable: false}
  - {name: ingested_date, type: DATE,      nullable: false}
```
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="SuccessionClockTie",
    severity=Severity.ERROR,
    message="{source}: {samples}",
    help="resolve the collision upstream: correct one of the events, or give it its own clock value",
    stage="run",
    witness="of two events at one clock either may come first: the query has two answers, so no table is the right one",
)
