"""# StateUnreadable

## What was found

The operating system refuses to read a file under `.smelt/`.

## Why it blocks

A file that cannot be read is not an absent one: going on as if nothing had been recorded would hide what it says.

## Refused

```console
$ smelt run
error[StateUnreadable]: .smelt/targets/dev/intervals.json cannot be read: Permission denied
```

## Accepted

A `.smelt/` folder that the user who runs smelt may read.
"""

from pathlib import Path

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault, shown

CODE = Code(
    name="StateUnreadable",
    severity=Severity.ERROR,
    message="{path} cannot be read: {reason}",
    help="give the user who runs smelt access to .smelt/, or remove the file: the next run writes it again",
    stage="fault",
    witness="No data shows it: it takes an operating system that refuses a read.",
)


def error(path: Path, reason: str) -> StateError:
    """Reading ``path`` failed."""
    return fault(CODE, 2, path=shown(path), reason=reason)
