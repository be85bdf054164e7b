"""Fingerprints of source partitions: what sees a change that leaves the number of rows as it was."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from smelt.engines.duckdb.record import Folded
from smelt.engines.duckdb.render_events import bounds_of, fingerprint_source
from smelt.engines.duckdb.session import Session
from smelt.plan.succession import SuccessionPlan
from smelt.project.model import Probes
from smelt.text.intervals import Interval

_ALGORITHM = "sum-of-hashes"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The rows of a partition and the text that stands for their values; ``text`` begins with how it was made."""

    rows: int
    text: str

    def comparable(self, other: str) -> bool:
        """Whether another text was made in the same way."""
        return self.text.rpartition(":")[0] == other.rpartition(":")[0]


def is_due(probes: Probes, sequence: int, window: Interval | None) -> bool:
    """Whether a run takes fingerprints: each run those of its window, or every n-th run all."""
    if probes.cadence == "per_run":
        return window is not None
    return probes.cadence == "periodic" and sequence % max(probes.every_n_runs, 1) == 0


def take(session: Session, plan: SuccessionPlan, window: Interval | None) -> dict[datetime, Fingerprint]:
    """The fingerprints of the source's partitions, or of those in a window."""
    statement = fingerprint_source(plan.shape, plan.source, windowed=window is not None)
    bounds = None if window is None else bounds_of(window)
    made = f"{_ALGORITHM}:{session.one('SELECT version()')[0]}"
    return {
        at: Fingerprint(int(str(rows)), f"{made}:{value}")
        for at, rows, value in session.run(statement, bounds)
        if isinstance(at, datetime)
    }


def changed(found: Mapping[datetime, Fingerprint], folded: Mapping[datetime, Folded]) -> tuple[datetime, ...]:
    """The partitions with as many rows as when they were folded, and other values than at the last probe."""
    return tuple(
        at
        for at, now in sorted(found.items())
        if (before := folded.get(at)) is not None
        and before.raw == now.rows
        and before.fingerprint is not None
        and now.comparable(before.fingerprint)
        and before.fingerprint != now.text
    )
