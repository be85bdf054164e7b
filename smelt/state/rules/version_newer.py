"""# StateVersionNewer

## What was found

A file under `.smelt/` says that a newer smelt wrote it, in a layout that this one does not know.

## Why it blocks

Guessing at an unfamiliar layout could read it wrong or destroy it. Nothing is read past the version and nothing is
written.

## Refused

```json .smelt/meta.json
{"state_version": 2}
```

## Accepted

```json .smelt/meta.json
{"state_version": 1}
```

Use the smelt that wrote it, or a later one. `smelt check`, `schema` and `docs` do not touch `.smelt/` and still work.
"""

from pathlib import Path

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault, shown

CODE = Code(
    name="StateVersionNewer",
    severity=Severity.ERROR,
    message="{path} has version {found}; this smelt knows versions up to {known}",
    help="use the smelt that wrote it, or a later one",
    stage="fault",
    witness="No data shows it: the layout is unknown by definition.",
)


def error(path: Path, found: int, known: int) -> StateError:
    """The file at ``path`` has version ``found``, above ``known``."""
    return fault(CODE, 2, path=shown(path), found=found, known=known)
