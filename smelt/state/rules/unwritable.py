"""# StateUnwritable

## What was found

The operating system refuses to write under `.smelt/`: a read-only mount, missing rights, a file in the place of a
folder.

## Why it blocks

A run without its lock and its manifest could not be kept apart from another run and could not be told afterwards.
It is refused before any data is written. `smelt check`, `smelt explain`, `smelt show` and `smelt test` write nothing
there and still work.

## Refused

```console
$ smelt run
error[StateUnwritable]: .smelt/lock cannot be written: Read-only file system
```

## Accepted

A `.smelt/` folder that the user who runs smelt may write.
"""

from pathlib import Path

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault, shown

CODE = Code(
    name="StateUnwritable",
    severity=Severity.ERROR,
    message="{path} cannot be written: {reason}",
    help="make .smelt/ a folder that the user who runs smelt may write",
    stage="fault",
    witness="No data shows it: it takes an operating system that refuses a write.",
)


def error(path: Path, reason: str) -> StateError:
    """Writing ``path`` failed for another reason than a full disk."""
    return fault(CODE, 1, path=shown(path), reason=reason)
