"""# UnknownType

## What was found

A source column declares a type that DuckDB does not have.

## Why it blocks

Rows are read with the declared types.

## Refused

```yaml models/sources/s.yml
files: data/s.csv
columns:
  - {name: id, type: INTEGR}
```

## Accepted

```yaml models/sources/s.yml
files: data/s.csv
columns:
  - {name: id, type: INTEGER}
```
"""

from collections.abc import Iterator

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Severity, report
from smelt.project.model import Source
from smelt.sql import types
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, nearest

CODE = Code(
    name="UnknownType",
    severity=Severity.ERROR,
    message="`{type}` is no DuckDB type",
    help="{suggestion}",
    witness="none can show it: nothing can be built from such a file",
)

_UNCLOSED = "close its bracket, as in `DECIMAL(18, 2)`"


def check(source: Source) -> Iterator[Diagnostic]:
    """Each declared type that DuckDB would not read; the near one is a fact about the data, so its edit is unsafe."""
    for index, column in enumerate(source.columns):
        if types.normal(column.type) is not None:
            continue
        where = source.marks.at("columns", index, "type")
        if column.type.count("(") > column.type.count(")"):
            yield report(CODE, where, type=column.type, suggestion=_UNCLOSED)
            continue
        suggestion = did_you_mean(column.type, types.names()) or "see DuckDB's list of types"
        close = nearest(column.type, types.names())
        fixes = []
        if len(close) == 1:
            fixes.append(Fix(f"Write {close[0]}", False, (FileEdit(where.file, Edit(where.span, close[0])),)))
        yield report(CODE, where, type=column.type, suggestion=suggestion, fixes=fixes)
