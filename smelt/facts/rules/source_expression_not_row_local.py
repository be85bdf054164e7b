"""# SourceExpressionNotRowLocal

## What was found

A source column's `expression:` holds an aggregate, a window, a subquery, a function that is not known to be
deterministic, or cannot be read.

## Why it blocks

Models are proven right by what their sources declare. A column that changes by itself would break each proof.

## Refused

```yaml models/sources/s.yml
files: data/s.csv
columns:
  - {name: id, type: INTEGER}
  - {name: seen_at, type: TIMESTAMP, expression: "now()"}
```

## Accepted

```yaml models/sources/s.yml
files: data/s.csv
columns:
  - {name: id, type: INTEGER}
  - {name: half, type: INTEGER, expression: "id // 2"}
```
"""

from dataclasses import dataclass

from smelt.diagnostics.model import Code, Diagnostic, Severity, report
from smelt.facts.locality import gaps
from smelt.project.model import Source
from smelt.sql.parse import parse_expression
from smelt.sql.scopes import ColumnRef, star_of
from smelt.sql.types import is_time_with_offset
from smelt.text.identifiers import fold
from smelt.text.spans import Span

CODE = Code(
    name="SourceExpressionNotRowLocal",
    severity=Severity.ERROR,
    message="the expression of `{column}` is not proven a function of one row: {reason}",
    help="compute the column from this row's physical columns, with functions that always give the same result",
    witness="with now() the same file reads differently each time",
)


@dataclass(frozen=True, slots=True)
class _Physical:
    """Columns as the source's files or tables have them: nothing is known but the type of what they are made into."""

    made: str

    def is_row(self, ref: ColumnRef) -> bool:
        return fold(ref.parts[-1]) == "rowid"

    def has_offset(self, ref: ColumnRef) -> bool:
        return is_time_with_offset(self.made)


def findings(source: Source) -> tuple[Diagnostic, ...]:
    """One finding for each expression column that is not row-local."""
    found: list[Diagnostic] = []
    for index, column in enumerate(source.columns):
        if column.expression is None:
            continue
        reason = _reason(column.expression, _Physical(column.type))
        if reason is not None:
            where = source.marks.at("columns", index, "expression")
            found.append(report(CODE, where, column=column.name, reason=reason))
    return tuple(found)


def _reason(text: str, names: _Physical) -> str | None:
    parsed = parse_expression(text, Span(0, len(text)))
    if parsed.query is None:
        return parsed.errors[0].message if parsed.errors else "it cannot be read"
    item = parsed.query.items[0]
    if star_of(parsed.query, item.expr) is not None:
        return "a star is no value"
    lost = gaps(parsed.query, item.expr, names)
    return lost[0].reason if lost else None
