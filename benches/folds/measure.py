"""One measurement in a process of its own, so that no arm finds what another has read."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from benches.environments import ROOT
from benches.measuring import child


@dataclass(frozen=True, slots=True)
class Measured:
    """What one arm did once.

    Attributes:
        cpu: seconds of user and system time of the work alone, start-up and opening not counted.
        memory: the most bytes that the whole process held at once.
        changed: rows inserted, rows patched and tombstones; zeros where that has no meaning.
        each: the CPU seconds of each window, where there were several.
    """

    cpu: float
    memory: int
    changed: tuple[int, int, int]
    each: tuple[float, ...]


def arm(name: str, project: Path, *arguments: str) -> Measured:
    """Run an arm of :mod:`benches.folds.arm` in a project's folder, with the arguments that it takes."""
    command = [sys.executable, "-m", "benches.folds.arm", name, *arguments]
    cost = child(command, project, environment={"PYTHONPATH": str(ROOT)})
    found = json.loads(cost.output.strip().splitlines()[-1])
    inserted, patched, tombstones = found["changed"]
    return Measured(sum(found["each"]), cost.memory, (inserted, patched, tombstones), tuple(found["each"]))
