"""# MissingKey

## What was found

A mapping lacks a key that has no default.

## Why it blocks

What it stands for cannot be guessed.

## Refused

```yaml smelt.yml
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
```

## Accepted

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
```
"""

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.project.keypaths import shown
from smelt.project.model import KeyPath, Marks
from smelt.text.spans import Span

CODE = Code(
    name="MissingKey",
    severity=Severity.ERROR,
    message="{place} lacks the key `{key}`",
    help="add `{key}:`",
    witness="none can show it: nothing can be built from such a file",
)


def finding(marks: Marks, mapping: KeyPath, key: str) -> Diagnostic:
    """A mapping without a key that has no default: at the mapping's own key, or where the document begins."""
    if mapping:
        return report(CODE, marks.key(*mapping), place=f"`{shown(mapping)}`", key=key)
    start = Span(marks.whole.start, marks.whole.start)
    return report(CODE, Location(marks.file, start), place="the document", key=key)
