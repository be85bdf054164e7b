"""# StateDiskFull

## What was found

There is no room to write a file under `.smelt/`: the disk is full, or a quota or a limit on file sizes is reached.

## Why it blocks

The old file is still whole, and the half-written new one is removed. A run stops here. What it had committed stays in
the warehouse, which records it in the same transaction; the next run brings the files up to date from there.

## Refused

```console
$ smelt run
error[StateDiskFull]: no room to write .smelt/targets/dev/intervals.json: No space left on device
```

## Accepted

The same run once there is room again.
"""

from pathlib import Path

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault, shown

CODE = Code(
    name="StateDiskFull",
    severity=Severity.ERROR,
    message="no room to write {path}: {reason}",
    help="free space, then run again: nothing that was committed is folded twice",
    stage="fault",
    witness="No data shows it: it takes a full disk.",
)


def error(path: Path, reason: str) -> StateError:
    """Writing ``path`` failed for want of room."""
    return fault(CODE, 1, path=shown(path), reason=reason)
