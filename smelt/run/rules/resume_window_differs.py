"""# ResumeWindowDiffers

## What was found

`--resume` was given a window, and the run to go on from had another one, or none. Or `--resume` goes on from a run with
a window and was given `--chunk`, which only cuts runs without one. Or the window of that run does not fit a model any
more, because the width of its partitions was changed since.

## Why it blocks

The models that were done are done for the window of that run. Skipping them now would leave the other window unfolded
in some models and folded in the rest.

## Refused

```console
$ smelt run --event-time-start 2025-01-01 --event-time-end 2025-02-01
$ smelt run --resume --event-time-start 2025-02-01 --event-time-end 2025-03-01
error[ResumeWindowDiffers]: the run 20250301-060000-000007 folded 2025-01-01 to before 2025-02-01, and now it is …
```

## Accepted

Without a window, `--resume` takes the one of the run that it goes on from:

```console
$ smelt run --resume
$ smelt run --event-time-start 2025-02-01 --event-time-end 2025-03-01
```
"""

from smelt.diagnostics.model import Code, Severity
from smelt.state.errors import StateError, fault
from smelt.text.intervals import in_words

CODE = Code(
    name="ResumeWindowDiffers",
    severity=Severity.ERROR,
    message="the run {run} folded {had}, and now it is {asked}",
    help="give `--resume` alone to go on from that run, or the window without `--resume`",
    stage="fault",
    witness="A model that was skipped lacks the rows of the window that was asked for.",
)


def error(run: str, had: tuple[str, str] | None, asked: tuple[str, str]) -> StateError:
    """The run to go on from had another window; None stands for what was new."""
    return fault(CODE, 2, run=run, had=_shown(had), asked=_shown(asked))


def chunked(run: str, had: tuple[str, str]) -> StateError:
    """``--chunk`` was given, and the run to go on from had a window."""
    return fault(CODE, 2, run=run, had=_shown(had), asked="chunks, which only a run without a window has")


def misfit(run: str, had: tuple[str, str], model: str, granularity: str) -> StateError:
    """A bound of that run's window lies inside a partition of a model."""
    return fault(CODE, 2, run=run, had=_shown(had), asked=f"{model}, whose partitions are now by {granularity}")


def _shown(window: tuple[str, str] | None) -> str:
    return "what was new" if window is None else in_words(*window)
