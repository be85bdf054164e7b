"""# StateLocked

## What was found

Another process holds the lock of this project. `run`, `build`, `seed` and every other command that writes takes an
exclusive `flock` on `.smelt/lock` for its whole duration, whichever target it works on. The operating system frees
it when that process ends, however it ends: there is no stale lock to remove, and the lock file is never deleted.

## Why it blocks

Two runs that fold into one table at once would each decide from a state that the other is changing.

## Refused

A second run while the first one works:

```console
$ smelt run
error[StateLocked]: state is locked by PID 4242 (smelt run, started 12:01:03)
$ echo $?
4
```

## Accepted

Waiting for the first one, for at most a minute:

```console
$ smelt run --lock-timeout 60
```

Times are UTC. A backup that holds the lock (`flock .smelt/lock tar …`) leaves no PID in the file and is reported as
another process.
"""

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault

CODE = Code(
    name="StateLocked",
    severity=Severity.ERROR,
    message="state is locked by {holder}",
    help="try again when it has ended, or wait for it with `--lock-timeout SECONDS`",
    stage="fault",
    witness="Two concurrent folds each read the neighbours before the other's commit, so one patch is lost.",
)


def error(holder: str) -> StateError:
    """The lock is held by ``holder``: an orchestrator may try again as it is."""
    return fault(CODE, 4, holder=holder)
