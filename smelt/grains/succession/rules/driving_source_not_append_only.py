"""# SuccessionDrivingSourceNotAppendOnly

## What was found

The source lacks `mutation_profile: append_only` or a `timeseries:` block.

## Why it blocks

Only of a stream that never takes back or rewrites a row does folding new events give what the SQL gives over all of
them.

## Refused

```yaml models/sources/customer_changes.yml
description: Customer change events
files: data/changes.csv
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

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Load, Location, Related, Severity, Witness, report
from smelt.grains.succession.candidate import Candidate
from smelt.project.model import Source
from smelt.sql.types import is_run_axis_type
from smelt.text.edits import Edit
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionDrivingSourceNotAppendOnly",
    severity=Severity.ERROR,
    message="the source `{source}` is not an append-only stream with a clock: {reason}",
    help="add {missing} to the source, if that is true of it",
    witness=Witness(
        "an event vanishes from the source: the query loses its row, the table keeps it",
        (
            Load(
                ("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')", "(1, 'b', 'x', '2025-01-02', FALSE, '2025-01-02')")
            ),
            Load(gone=("(1, 'b', 'x', '2025-01-02', FALSE, '2025-01-02')",)),
        ),
    ),
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """A driving source that lacks one of the declarations a fold rests on."""
    source = c.source
    if source is None or c.relation is None:
        return
    profile = source.mutation_profile
    missing = []
    if profile is None or profile.kind != "append_only":
        missing.append("`mutation_profile: append_only`")
    if source.timeseries is None:
        missing.append("a `timeseries:` block")
    elif source.columns and (c.event_time_column is None or source.column(source.timeseries.partition_column) is None):
        missing.append("the columns that `timeseries:` names")
    elif not _has_run_axis(source):
        missing.append("a `partition_column` of type DATE, TIMESTAMP or TIMESTAMPTZ")
    if not source.columns:
        missing.append("`columns:`")
    if not missing:
        return
    declared_otherwise = profile is not None and profile.kind != "append_only"
    reason = f"it is declared {profile.kind}" if declared_otherwise and profile else "it lacks " + " and ".join(missing)
    place = source.marks.at("mutation_profile") if declared_otherwise else Location(source.marks.file, Span(0, 0))
    yield report(
        CODE,
        Location(c.model.file, c.relation.name_span),
        source=source.address,
        reason=reason,
        missing=" and ".join(missing),
        label=reason,
        related=[Related(place, "declared here")],
        fixes=_fixes(c, source) if len(missing) == 1 else (),
    )


def _has_run_axis(source: Source) -> bool:
    """Whether the partition column, if it is declared, is of a type that windows can be ranges of."""
    axis = source.column(source.timeseries.partition_column) if source.timeseries is not None else None
    return axis is None or is_run_axis_type(axis.type)


def _fixes(c: Candidate, source: Source) -> tuple[Fix, ...]:
    """States a fact about the world, so it is never applied unasked."""
    if source.mutation_profile is not None:
        return ()
    text = c.project.texts.get(source.marks.file, "")
    start = 1 if text.startswith("\ufeff") else 0
    end = "\r\n" if "\r\n" in text else "\n"
    edit = Edit(Span(start, start), f"mutation_profile: append_only{end}")
    return (Fix("Declare the source append-only", False, (FileEdit(source.marks.file, edit),)),)
