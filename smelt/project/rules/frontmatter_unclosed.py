"""# FrontmatterUnclosed

## What was found

A model begins with `---` but no later line closes the frontmatter.

## Why it blocks

Where the declarations end and the query begins cannot be told.

## Refused

```sql models/m.sql
---
tags: [core]
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
tags: [core]
---
SELECT 1 AS one
```
"""

import re
from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.project.frontmatter import Split
from smelt.text.edits import Edit
from smelt.text.spans import Span

CODE = Code(
    name="FrontmatterUnclosed",
    severity=Severity.ERROR,
    message="the frontmatter has no closing `---`",
    help="put --- on a line of its own before the SELECT",
    witness="none can show it: nothing can be built from such a file",
)

_QUERY = re.compile(r"(?:(?<=\n)|(?<=\r))[ \t]*(?:SELECT|WITH|FROM|VALUES)\b", re.IGNORECASE)


def check(file: str, text: str, parts: Split) -> Iterator[Diagnostic]:
    """An opening fence without an end; the edit closes it before the first line that looks like a query."""
    if parts.unclosed is None:
        return
    query = _QUERY.search(text, parts.unclosed.end)
    fixes = []
    if query is not None:
        line_end = "\r\n" if "\r\n" in text else "\n"
        edit = Edit(Span(query.start(), query.start()), f"---{line_end}")
        fixes.append(Fix("Close the frontmatter before the query", False, (FileEdit(file, edit),)))
    yield report(CODE, Location(file, parts.unclosed), fixes=fixes)
