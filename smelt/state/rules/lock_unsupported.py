"""# StateLockUnsupported

## What was found

The file system that holds `.smelt/` refuses `flock`, the lock that keeps two runs apart.

## Why it blocks

Without the lock two runs could fold into one table at once. A lock made of files would be left behind by a killed
process, so smelt has none to fall back on.

## Refused

A project on a file system without locks:

```console
$ smelt run
error[StateLockUnsupported]: .smelt/lock cannot be locked: Function not implemented
```

## Accepted

The project on a local file system of Linux, macOS or WSL. `smelt check`, `explain` and the language server need no
lock and work anywhere.
"""

from pathlib import Path

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault, shown

CODE = Code(
    name="StateLockUnsupported",
    severity=Severity.ERROR,
    message="{path} cannot be locked: {reason}",
    help="keep the project on a local file system that supports flock",
    stage="fault",
    witness="No data shows it: it takes two processes at once.",
)


def error(path: Path, reason: str) -> StateError:
    """``flock`` failed for another reason than a holder."""
    return fault(CODE, 2, path=shown(path), reason=reason)
