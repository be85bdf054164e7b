"""# SqlSyntax

## What was found

The text of a model is not one query that DuckDB can read. The range shows where reading stopped. Templates such as
`{{ ref('orders') }}` and `{% if … %}` are no SQL either.

## Why it blocks

What cannot be read cannot be judged, run or maintained. Findings in the model's frontmatter and in other files are
shown all the same.

## Refused

```sql models/customer_history.sql
---
materialization: view
---
SELECT customer_id, tier +
FROM smelt.sources.customer_changes
```

## Accepted

```sql models/customer_history.sql
---
materialization: view
---
SELECT customer_id, tier
FROM smelt.sources.customer_changes
```
"""

from collections.abc import Collection, Iterable

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.sql.tokens import SqlError
from smelt.text.edits import Edit
from smelt.text.identifiers import fold, quote

CODE = Code(
    name="SqlSyntax",
    severity=Severity.ERROR,
    message="{problem}",
    help="{cure}",
    witness="none can show it: there is no query to run",
)


def findings(file: str, errors: Iterable[SqlError]) -> tuple[Diagnostic, ...]:
    """One finding for each error of a parsed text."""
    return tuple(report(CODE, Location(file, error.span), problem=error.message, cure=error.cure) for error in errors)


def finding(location: Location, problem: str) -> Diagnostic:
    """A text that is no query, in the words of who could not read it."""
    return findings(location.file, (SqlError(location.span, problem),))[0]


def keyword(location: Location, word: str, columns: Collection[str]) -> Diagnostic:
    """A word of the language where a name is meant; in quotes it is one, if a column has that name.

    Args:
        location: the word.
        word: as it is written.
        columns: the folded names of what can be read here.
    """
    edit = FileEdit(location.file, Edit(location.span, quote(word)))
    return report(
        CODE,
        location,
        fixes=[Fix(f"Write {quote(word)}", True, (edit,))] if fold(word) in columns else [],
        problem=f"`{word}` is a word of SQL here, not a name",
        cure=f"write {quote(word)} for the column of that name",
    )
