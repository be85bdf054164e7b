"""How far each incremental model has come: what is covered, what is missing, how its last run ended. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from smelt.state.records import Manifest, ModelRecord
from smelt.text.intervals import Interval, subtract


@dataclass(frozen=True, slots=True)
class LastRun:
    """The newest run that had to do with a model."""

    run_id: str
    started_at: str
    record: ModelRecord


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One model.

    Attributes:
        window: what was asked about: from the first covered range, or from where the caller says, to its end; None if
            nothing is covered and no beginning was given.
        covered: the ranges of the run axis that were folded, as far as they lie in the window.
        gaps: the parts of the window that no range covers.
    """

    model: str
    window: Interval | None
    covered: tuple[Interval, ...]
    gaps: tuple[Interval, ...]
    last: LastRun | None


def status_of(
    model: str,
    coverage: Mapping[str, tuple[Interval, ...]],
    runs: Iterable[Manifest],
    since: datetime | None,
    until: datetime,
) -> ModelStatus:
    """The status of a model.

    Args:
        model: its printed address.
        coverage: by model, sorted and disjoint.
        runs: newest first.
        since: where to begin; None begins at the first covered range.
        until: where to end.
    """
    ranges = coverage.get(model, ())
    start = since if since is not None else ranges[0].start if ranges else None
    last = next((LastRun(run.run_id, run.started_at, run.models[model]) for run in runs if model in run.models), None)
    if start is None or start >= until:
        return ModelStatus(model, None, ranges if since is None else (), (), last)
    window = Interval(start, until)
    covered = tuple(
        Interval(max(one.start, start), min(one.end, until)) for one in ranges if one.start < until and one.end > start
    )
    return ModelStatus(model, window, covered, subtract(window, covered), last)


def cells(status: ModelStatus, width: int) -> str:
    """The coverage of the window as one line: full, partly covered and empty cells of equal time."""
    if status.window is None or width < 1:
        return ""
    step = (status.window.end - status.window.start) / width
    shares = []
    for at in range(width):
        start = status.window.start + at * step
        cell = Interval(start, max(start + step, start))
        missing = sum((gap.end - gap.start for gap in subtract(cell, status.covered)), start=step * 0)
        shares.append("█" if not missing else "·" if missing >= step else "▒")
    return "".join(shares)
