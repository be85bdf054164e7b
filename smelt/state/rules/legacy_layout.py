"""# StateLegacyLayout

## What was found

`.smelt/` has no `meta.json` but files at its root (`runs/`, `intervals.json`, …), as smelt wrote them before the layout
had a version and a folder per target. The first command that takes the lock moves each file to its target: manifests to
the one they name, the rest to the default target. One of them has the name of a file that is there already.

## Why it blocks

Two files tell of the same thing, and only a person can say which of them is right. Nothing was moved.

## Refused

`.smelt/schemas/a.json` beside `.smelt/targets/dev/schemas/a.json`, and no `.smelt/meta.json`:

```console
$ smelt run
error[StateLegacyLayout]: .smelt/schemas/a.json belongs at .smelt/targets/dev/schemas/a.json, where a file is already
```

## Accepted

One of the two files. What a run needs to be right is in the warehouse, so either may go: the next run brings
the one that stays up to date.
"""

from pathlib import Path

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault, shown

CODE = Code(
    name="StateLegacyLayout",
    severity=Severity.ERROR,
    message="{source} belongs at {destination}, where a file is already",
    help="remove one of the two: the next run brings the other up to date from the warehouse",
    stage="fault",
    witness="No data shows it: the files come from another version of smelt.",
)


def error(source: Path, destination: Path) -> StateError:
    """The legacy file ``source`` cannot be moved to ``destination``."""
    return fault(CODE, 2, source=shown(source), destination=shown(destination))
