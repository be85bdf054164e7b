"""# SuccessionPatternUnrecognized

## What was found

A clause that no grain without declarations admits: `DISTINCT`, `GROUP BY`, `HAVING`, `ORDER BY`, `LIMIT`, `OFFSET`,
`SAMPLE`; or no window function in the select list.

## Why it blocks

What is kept incrementally must be one of the shapes whose patch is proven. Nothing falls back to a full refresh in
silence.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT customer_id, tier, effective_ts
FROM smelt.sources.customer_changes
```

## Accepted

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    customer_id,
    tier,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to
FROM smelt.sources.customer_changes
QUALIFY NOT is_deleted
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.grains.succession.candidate import Candidate
from smelt.text.edits import Edit
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionPatternUnrecognized",
    severity=Severity.ERROR,
    message="this is not a succession: {reason}",
    help="{suggestion}",
    witness="with LIMIT a new event can push another key's row out of the result",
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Clauses outside the outline; and the whole statement, if nothing in it looks at a neighbour."""
    query = c.query
    clauses = (
        ("DISTINCT", query.distinct),
        ("GROUP BY", query.group),
        ("HAVING", query.having.span if query.having else None),
        ("ORDER BY", query.order),
        ("LIMIT", query.limit),
        ("OFFSET", query.offset),
        ("a sample", query.sample),
    )
    for name, span in clauses:
        if span is not None:
            where = Location(c.model.file, span)
            yield report(
                CODE, where, reason=f"it has {name}", label=name, suggestion=_WAYS_OUT, fixes=_drop(c, name, span)
            )
    single = len(query.relations) <= 1 and query.with_span is None and query.set_operation is None
    if single and not any(call.item is not None for call in query.calls):
        where = Location(c.model.file, query.span)
        yield report(CODE, where, reason="no LEAD or LAG is projected", suggestion=_WAYS_OUT)


def unproven(c: Candidate) -> Diagnostic:
    """The refusal of a model that no rule objects to and that yet lacks a proof: nothing unproven is admitted."""
    where = Location(c.model.file, c.query.span)
    return report(CODE, where, reason="its key, clock or source is not proven", suggestion=_WAYS_OUT)


_WAYS_OUT = (
    "declare `unique_key:` or `timeseries:` to reach another grain, or use `refresh: full`; "
    "`refresh: materialized_view` needs an engine that has them, which DuckDB is not"
)


def _drop(c: Candidate, name: str, span: Span) -> tuple[Fix, ...]:
    """Clauses whose removal leaves a query; taking one out changes what the model says, so it is unsafe."""
    if name not in ("DISTINCT", "ORDER BY", "LIMIT", "OFFSET"):
        return ()
    text = c.query.text
    start, end = span.start, span.end
    if name == "DISTINCT":
        while end < len(text) and text[end].isspace():
            end += 1
    else:
        while start > 0 and text[start - 1].isspace():
            start -= 1
    return (Fix(f"Remove {name}", False, (FileEdit(c.model.file, Edit(Span(start, end), "")),)),)
