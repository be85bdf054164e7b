"""# StateCorrupt

## What was found

A file under `.smelt/` is not what smelt writes: empty, cut, holding NUL bytes, no JSON, or JSON of another shape. The
message names the file and the place in it.

## Why it blocks

Every write is atomic, so a crash never leaves such a file: it comes from a disk fault, an edit by hand, or a copy taken
in the middle of a write. Reading past it could take a part for the whole; overwriting it could destroy what a person
still wants to save. The file is left as it is.

## Refused

```json .smelt/targets/dev/intervals.json
{"version": 1, "models": {"customer_history": [{"start": "2025-01-
```

## Accepted

```json .smelt/targets/dev/intervals.json
{"version": 1, "models": {"customer_history": [{"start": "2025-01-01", "end": "2025-02-01"}]}}
```

Restore the file from a backup, or remove it: what a run needs to be right lives in the warehouse, and the next run
writes the file again from there. Only the history of runs in a removed manifest is lost.
"""

from pathlib import Path

from smelt.diagnostics.model import Code, Severity
from smelt.state.documents import MalformedDocument
from smelt.state.errors import StateError, fault, shown

CODE = Code(
    name="StateCorrupt",
    severity=Severity.ERROR,
    message="{path} is corrupt at {position}: {problem}",
    help="restore {path} from a backup, or remove it: no table needs it, and all but records of runs is written again",
    stage="fault",
    witness="No data shows it: the file is only ever damaged from outside.",
)


def error(path: Path, found: MalformedDocument) -> StateError:
    """The file at ``path`` does not decode."""
    return fault(CODE, 2, path=shown(path), position=found.position, problem=found.problem)
