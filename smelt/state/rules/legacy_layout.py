"""# StateLegacyLayout

## What was found

`.smelt/` has no `meta.json` but files at its root (`runs/`, `intervals.json`, …), as smelt wrote them before the layout
had a version and a folder per target.

## Why it blocks

Moving them to the current layout is not available yet, and starting a new layout beside them would hide what they say.

## Refused

```json .smelt/intervals.json
{"customer_history": [["2025-01-01", "2025-02-01"]]}
```

## Accepted

Move the old files out of `.smelt/`. Nothing a run needs is in them: the next run writes new ones from the warehouse.
"""

from pathlib import Path

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault, shown

CODE = Code(
    name="StateLegacyLayout",
    severity=Severity.ERROR,
    message="{folder} has the layout from before versions ({names}); migrating it is not available yet",
    help="move {names} out of {folder}: the next run writes new files from the warehouse",
    stage="fault",
    witness="No data shows it: the files come from another version of smelt.",
)


def error(folder: Path, names: tuple[str, ...]) -> StateError:
    """``folder`` holds the legacy files ``names``."""
    return fault(CODE, 2, folder=shown(folder), names=", ".join(names))
