"""# SuccessionSingleSourceOnly

## What was found

`FROM` holds a join, a subquery, a second relation or something that is no source; or the query has a `WITH` or a set
operation.

## Why it blocks

Every event must come from one append-only stream with one clock. A change on the other side of a join would change rows
that no new event touches.

## Refused

```sql models/customer_history.sql
---
refresh: incremental
---
SELECT
    c.customer_id,
    c.tier,
    c.effective_ts AS valid_from,
    LEAD(c.effective_ts) OVER (PARTITION BY c.customer_id ORDER BY c.effective_ts) AS valid_to
FROM smelt.sources.customer_changes AS c
CROSS JOIN smelt.sources.customer_changes AS d
QUALIFY NOT c.is_deleted
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

from smelt.diagnostics.model import Code, Diagnostic, Load, Location, Severity, Witness, report
from smelt.grains.succession.candidate import Candidate
from smelt.grains.succession.flattening import flatten
from smelt.sql.model import Relation
from smelt.text.spans import Span

CODE = Code(
    name="SuccessionSingleSourceOnly",
    severity=Severity.ERROR,
    message="a succession reads one source: {reason}",
    help="read exactly one source in FROM, and do the rest in a model that reads this one",
    witness=Witness(
        "a row that comes on one side of a join adds rows for events of the other side that no run touches",
        (
            Load(("(1, 'a', 'x', '2025-01-01', FALSE, '2025-01-01')",)),
            Load(("(2, 'b', 'x', '2025-01-02', FALSE, '2025-01-02')",)),
        ),
        identity=(("c.customer_id", "customer_id"), ("c.effective_ts", "valid_from")),
    ),
)


def check(c: Candidate) -> Iterator[Diagnostic]:
    """Joins, CTEs, subqueries and set operations around the source, and a relation that is no source."""
    query = c.query
    found: list[tuple[Span, str]] = []
    if query.with_span is not None:
        found.append((query.with_span, "a CTE"))
    if query.set_operation is not None:
        found.append((query.set_operation, "a set operation"))
    found += [(span, "a join") for span in query.joins]
    reason = _not_a_source(c)
    if c.relation is not None and reason is not None:
        found.append((_where(c.relation), reason))
    elif c.relation is not None and not query.joins:
        rest = unread(c)
        found += [(rest, "something stands behind the source")] if rest is not None else []
    for span, reason in found:
        repairs = flatten(c) if reason in ("a CTE", "a subquery") else ()
        yield report(CODE, Location(c.model.file, span), reason=reason, label=reason, fixes=repairs)


def _not_a_source(c: Candidate) -> str | None:
    """Why the first relation is no source; an address that does not exist has a finding of its own."""
    relation = c.relation
    if relation is None:
        return None
    if relation.kind == "cte":
        return None  # its WITH has the finding
    if relation.kind != "table":
        return {"subquery": "a subquery", "values": "VALUES"}.get(relation.kind, "a table function")
    if relation.alias_columns:
        return "a list of column aliases"
    if c.address is None or c.source is not None:
        return None
    what = "a model" if c.address in c.project.models else "a seed without a sidecar"
    return f"`{c.address}` is {what}"


def _where(relation: Relation) -> Span:
    """The narrowest range of what is no source: the columns' aliases, the name, or the whole of anything else."""
    if relation.kind != "table":
        return relation.span
    if not relation.alias_columns:
        return relation.name_span
    return relation.alias_columns[0].span.join(relation.alias_columns[-1].span)


def unread(c: Candidate) -> Span | None:
    """What FROM holds besides a name and its alias, in the text or in the tree: a PIVOT, a version, a hint."""
    relation, whole = c.relation, c.query.from_span
    if relation is None or whole is None:
        return None
    end = (relation.sample_span or relation.span).end
    if end < whole.end:
        while c.query.text[end].isspace():
            end += 1
        return Span(end, whole.end)
    first = next(c.query.tree.find_all(exp.Select), None)
    clause = first.args.get("from_") or first.args.get("from") if first is not None else None
    table = clause.this if isinstance(clause, exp.Expression) else None
    known = ("this", "db", "catalog", "alias", "sample")
    if isinstance(table, exp.Table) and all(key in known for key, value in table.args.items() if value):
        return None
    return whole
