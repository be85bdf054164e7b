"""# SourceTypeMismatch

## What was found

A column of the source has a type that does not widen to the declared one, or holds text that is no value of it.
Integers widen to larger ones, dates to timestamps, and so on; text files are read as the declared types.

## Why it blocks

A cast that can lose or fail would store another value than the source has, or stop half-way.

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
one,silver,EU,2025-01-02 09:00:00,false,2025-01-02
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
    name="SourceTypeMismatch",
    severity=Severity.ERROR,
    message="{source}: {column} is {found}, declared {declared}",
    help="declare the type that the data has, or convert with `expression:`",
    stage="run",
    witness="A narrowing cast would round or cut values, so the table would differ from the SQL over the source.",
)
