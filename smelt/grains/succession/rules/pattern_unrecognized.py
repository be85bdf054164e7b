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

from sqlglot import exp

from smelt.diagnostics.model import Code, Diagnostic, Fix, Load, Location, Severity, Witness, report
from smelt.grains.succession import fixes
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.rules import single_source_only
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionPatternUnrecognized",
    severity=Severity.ERROR,
    message="this is not a succession: {reason}",
    help="{suggestion}",
    witness=Witness(
        "with LIMIT a new event pushes another key's row out of the result",
        (
            Load(("(1, 'a', 'x', '2025-01-02', FALSE, '2025-01-02')",)),
            Load(("(2, 'b', 'x', '2025-01-01', FALSE, '2025-01-03')",)),
        ),
        model="SELECT customer_id, tier, effective_ts AS valid_from,\n"
        "    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to\n"
        "FROM smelt.sources.customer_changes\n"
        "ORDER BY valid_from\n"
        "LIMIT 1",
    ),
)
_WAYS_OUT = (
    "use `refresh: full`; the grains that `unique_key:` and `timeseries:` declare are not available yet, and "
    "`refresh: materialized_view` needs an engine that has them, which DuckDB is not"
)
_JUDGED = frozenset(
    "with_ with distinct expressions from_ from joins where group having windows qualify sample order limit "
    "offset".split()
)
"""The parts of a SELECT that some rule looks at. Any other part is not known here, so it refuses."""


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Clauses outside the outline; and the whole statement, if nothing in it looks at a neighbour."""
    for name, span in _clauses(c):
        where = Location(c.model.file, span)
        yield report(
            CODE,
            where,
            reason=f"it has {name}",
            label=name,
            suggestion=f"take it out, or {_WAYS_OUT}",
            fixes=_drop(c, name, span),
        )
    unknown = _unknown_parts(c) if single_source_only.unread(c) is None else ()
    for span in unknown:
        where = Location(c.model.file, span)
        yield report(CODE, where, reason="it has a clause that is not known here", suggestion=_WAYS_OUT)
    if unknown:
        return
    if not _has_inner_queries(c) and not any(call.item is not None for call in c.query.calls):
        yield statement(c, "no LEAD or LAG is projected")


def statement(c: Candidate, reason: str) -> Diagnostic:
    """A finding about the whole statement."""
    return report(CODE, Location(c.model.file, c.query.span), reason=reason, suggestion=_WAYS_OUT)


def _clauses(c: Candidate) -> Iterator[tuple[str, Span]]:
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
    return ((name, span) for name, span in clauses if span is not None)


def _unknown_parts(c: Candidate) -> tuple[Span, ...]:
    """Parts of the tree that no rule looks at: lateral views, hints. The statement if they have no place."""
    select = next(c.query.tree.find_all(exp.Select), None)
    if select is None:
        return (c.query.span,)
    parts = [value for key, value in select.args.items() if value and key not in _JUDGED]
    nodes = [node for part in parts for node in (part if isinstance(part, list) else [part])]
    return tuple(c.query.span_of(node) if isinstance(node, exp.Expression) else c.query.span for node in nodes)


def _has_inner_queries(c: Candidate) -> bool:
    """Whether the windows may stand in another query of the same text, which is refused for being there."""
    query = c.query
    subquery = any(relation.kind == "subquery" for relation in query.relations)
    return query.with_span is not None or query.set_operation is not None or subquery


def _drop(c: Candidate, name: str, span: Span) -> tuple[Fix, ...]:
    """Taking a clause out changes what the model says, except an ORDER BY that picks no rows."""
    query = c.query
    if name == "DISTINCT":
        end = span.end
        while end < len(query.text) and query.text[end].isspace():
            end += 1
        return (fixes.replace(c, "Remove DISTINCT", Span(span.start, end), ""),)
    if name not in ("ORDER BY", "LIMIT", "OFFSET"):
        return ()
    picks = query.limit is not None or query.offset is not None or query.distinct is not None
    safe = name == "ORDER BY" and not picks and query.set_operation is None
    return (fixes.replace(c, f"Remove {name}", fixes.without(c, span), "", safe=safe),)
