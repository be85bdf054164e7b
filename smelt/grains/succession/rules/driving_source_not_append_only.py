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
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate
from smelt.project.model import Source
from smelt.project.quoting import in_yaml
from smelt.sql.types import is_clock_type, is_run_axis_type, normal
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

_PROFILE = "`mutation_profile: append_only`"
_CLOCK = "a `timeseries:` block"


def check(c: Candidate) -> Iterator[Diagnostic]:
    """A driving source that lacks one of the declarations a fold rests on."""
    source = c.source
    if source is None or c.relation is None:
        return
    missing = _missing(c, source)
    if not missing:
        return
    profile = source.mutation_profile
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
        fixes=_fixes(c, source) if set(missing) <= {_PROFILE, _CLOCK} else (),
    )


def _missing(c: Candidate, source: Source) -> list[str]:
    """What the source would have to declare, in words."""
    profile, missing = source.mutation_profile, []
    if profile is None or profile.kind != "append_only":
        missing.append(_PROFILE)
    if source.timeseries is None:
        missing.append(_CLOCK)
    elif source.columns and (c.event_time_column is None or source.column(source.timeseries.partition_column) is None):
        missing.append("the columns that `timeseries:` names")
    elif not _has_run_axis(source):
        missing.append("a `partition_column` of type DATE, TIMESTAMP or TIMESTAMPTZ")
    if not source.columns:
        missing.append("`columns:`")
    return missing


def _has_run_axis(source: Source) -> bool:
    """Whether the partition column, if it is declared, is of a type that windows can be ranges of."""
    axis = source.column(source.timeseries.partition_column) if source.timeseries is not None else None
    return axis is None or is_run_axis_type(axis.type)


def _fixes(c: Candidate, source: Source) -> tuple[Fix, ...]:
    """State what is missing where the source's first key stands: facts about the world, never declared unasked."""
    lines = []
    if source.mutation_profile is None:
        lines.append("mutation_profile: append_only")
    elif source.mutation_profile.kind != "append_only":
        return ()
    if source.timeseries is None:
        clock, axis = _clock(c, source), _axis(c, source)
        if clock is None or axis is None:
            return ()
        named = f"event_time_column: {in_yaml(clock)}, partition_column: {in_yaml(axis)}"
        lines.append(f"timeseries: {{{named}, granularity: day}}")
    text = c.project.texts.get(source.marks.file, "")
    at = min((span.start for path, span in source.marks.keys.items() if len(path) == 1), default=-1)
    if at < 0 or text[at - 1 : at] not in ("", "\n", "\r", "\ufeff"):
        return ()
    edit = Edit(Span(at, at), "".join(f"{line}{fixes.newline(text)}" for line in lines))
    title = "Declare the source append-only" if source.timeseries is not None else "Declare the source's clock"
    if len(lines) > 1:
        title = "Declare the source append-only, and its clock"
    return (Fix(title, False, (FileEdit(source.marks.file, edit),)),)


def _clock(c: Candidate, source: Source) -> str | None:
    """The column that every window is ordered by, if it is fit to be the clock."""
    ordered = {window.clock for window in c.windows}
    column = source.column(name) if len(ordered) == 1 and (name := ordered.pop()) is not None else None
    return column.name if column is not None and is_clock_type(column.type) else None


def _axis(c: Candidate, source: Source) -> str | None:
    """The one other date of the source, else the clock itself."""
    clock = _clock(c, source)
    dates = [column.name for column in source.columns if normal(column.type) == "DATE"]
    others = [name for name in dates if name != clock]
    if len(others) == 1:
        return others[0]
    column = source.column(clock) if clock is not None else None
    return column.name if column is not None and is_run_axis_type(column.type) else None
