"""# YamlSyntax

## What was found

A YAML file or a model's frontmatter is not YAML 1.2, or not a mapping.

## Why it blocks

Half-read declarations could mean something else than what was written.

## Refused

```sql models/m.sql
---
tags: [core
---
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

from collections.abc import Iterable

from smelt.diagnostics.model import Code, Diagnostic, Location, Related, Severity, report

CODE = Code(
    name="YamlSyntax",
    severity=Severity.ERROR,
    message="this YAML cannot be read: {problem}",
    help="check indentation, quotes and brackets here",
    witness="none can show it: nothing can be built from such a file",
)


def finding(location: Location, problem: str, related: Iterable[Related] = ()) -> Diagnostic:
    """The text is not YAML 1.2, or of it something that these files do not use."""
    return report(CODE, location, problem=problem, related=related)
