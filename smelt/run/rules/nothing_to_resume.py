"""# NothingToResume

## What was found

`--resume` was asked for, and no run on this target left anything undone: the last `run` or `build` ended with every
model a success, or none had to do with what is selected, or the project keeps no record of its runs
(`state: {mode: stateless}`).

## Why it blocks

Running everything instead would answer another question, and a mistyped selection would pass for a resumed run.

## Refused

```console
$ smelt run
$ smelt run --resume
error[NothingToResume]: nothing to resume: everything in run 20250102-060000-000007 succeeded
$ echo $?
2
```

## Accepted

```console
$ smelt run --resume-or-run
```

goes on where the last run stopped if it left something undone, and runs everything if not: the form for schedulers.
"""

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault

CODE = Code(
    name="NothingToResume",
    severity=Severity.ERROR,
    message="nothing to resume: {why}",
    help="`smelt {command}` runs everything; `--resume-or-run` does so only if nothing was left undone",
    stage="fault",
    witness="No data shows it: the tables are what the last run made of them.",
)


def error(command: str, target: str, newest: str | None) -> StateError:
    """There is no run to go on from; ``newest`` is the one that ended well, if that is why."""
    none = f"no unfinished run on target {target} had to do with what is selected"
    return fault(CODE, 2, why=none if newest is None else f"everything in run {newest} succeeded", command=command)


def stateless(command: str) -> StateError:
    """The project keeps no manifests."""
    return fault(CODE, 2, why="`state.mode: stateless` keeps no record of runs", command=command)
