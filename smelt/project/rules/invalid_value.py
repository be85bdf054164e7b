"""# InvalidValue

## What was found

A value is not of the kind that its key takes.

## Why it blocks

A value that is bent to fit would be another one than what was written.

## Refused

```sql models/m.sql
---
refresh: sometimes
---
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
refresh: full
---
SELECT 1 AS one
```
"""

import re
from collections.abc import Sequence

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.project.keypaths import shown
from smelt.project.model import KeyPath
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, nearest
from smelt.text.spans import Span

CODE = Code(
    name="InvalidValue",
    severity=Severity.ERROR,
    message="`{key}` cannot be {value}",
    help="{suggestion}",
    witness="none can show it: nothing can be built from such a file",
)
_OF_ANOTHER_KEY = {
    ("materialization", "incremental"): "write `refresh: incremental` instead",
    ("refresh", "view"): "write `materialization: view` instead",
    ("refresh", "table"): "write `materialization: table` instead",
}
"""Words that other tools, or a slip, put behind the wrong one of the two keys."""


def finding(location: Location, path: KeyPath, written: object, expected: str) -> Diagnostic:
    """A value of another kind than its key takes; ``expected`` is that kind in words."""
    unspaced = re.fullmatch(r"([A-Za-z_]\w*):(\S.*)", written) if isinstance(written, str) else None
    if unspaced is not None and expected == "a mapping" and len(location.span) == len(unspaced[0]):
        at = location.span.start + unspaced.end(1) + 1
        fix = Fix("Put a space behind the colon", False, (FileEdit(location.file, Edit(Span(at, at), " ")),))
        suggestion = f"a colon needs a space behind it: `{unspaced[1]}: {unspaced[2]}`"
        return report(CODE, location, key=shown(path), value=_shown(written), suggestion=suggestion, fixes=(fix,))
    return report(CODE, location, key=shown(path), value=_shown(written), suggestion=f"give {expected}")


def choice(location: Location, path: KeyPath, written: object, choices: Sequence[str], *, safe: bool) -> Diagnostic:
    """A value that is none of ``choices``; the nearest is offered, as an edit if there is only one."""
    close = nearest(written, choices) if isinstance(written, str) else ()
    suggestion = _OF_ANOTHER_KEY.get((str(path[-1]), str(written))) or (
        did_you_mean(written, choices) if isinstance(written, str) else ""
    )
    fixes = (
        [Fix(f"Write {close[0]}", safe, (FileEdit(location.file, Edit(location.span, close[0])),))]
        if len(close) == 1
        else []
    )
    return report(
        CODE,
        location,
        key=shown(path),
        value=_shown(written),
        suggestion=suggestion or f"give {_listed(choices)}",
        fixes=fixes,
    )


def _listed(choices: Sequence[str]) -> str:
    *most, last = choices
    return f"one of {', '.join(most)} or {last}" if most else last


def _shown(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, dict | list):
        return ("a mapping" if isinstance(value, dict) else "a list") if value else "empty"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text if len(text) <= 60 else text[:59] + '…'}`"
