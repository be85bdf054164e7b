"""# YamlSyntax

## What was found

A YAML file or a model's frontmatter is not YAML 1.2, or not a mapping.

A text needs quotes if it holds `: ` or ` #`, if it begins with one of ``@ ` % & * ! | > [ {``, and, inside `{}` or
`[]`, if it holds a comma or a bracket. In single quotes only a quote is special, and is doubled: `'it''s'`. A tab
cannot indent, a colon and an item's dash have a space behind them, and the keys of one mapping begin at one column.

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

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Related, Severity, report
from smelt.project.yaml_stop import Fault, Repair
from smelt.text.edits import Edit

CODE = Code(
    name="YamlSyntax",
    severity=Severity.ERROR,
    message="this YAML cannot be read: {problem}",
    help="{advice}",
    witness="none can show it: nothing can be built from such a file",
)


_ADVICE = "check indentation, quotes and brackets here"


def finding(location: Location, problem: str, related: Iterable[Related] = (), advice: str = "") -> Diagnostic:
    """The text is not YAML 1.2, or of it something that these files do not use."""
    return report(CODE, location, problem=problem, advice=advice or _ADVICE, related=related)


def explained(file: str, shift: int, fault: Fault) -> Diagnostic:
    """A fault whose cause is known; its offsets are those of the YAML, which begins at ``shift``."""
    location = Location(file, fault.span.shift(shift))
    fixes = [_fix(file, shift, fault.repair)] if fault.repair is not None else []
    return report(CODE, location, problem=fault.problem, advice=fault.advice, fixes=fixes)


def _fix(file: str, shift: int, repair: Repair) -> Fix:
    edits = (FileEdit(file, Edit(edit.span.shift(shift), edit.text)) for edit in repair.edits)
    return Fix(repair.title, repair.certain, tuple(edits))
