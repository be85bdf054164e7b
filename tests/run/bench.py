"""A project folder with everything that a run in this process needs; its warehouse does what a test scripts."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from smelt.analysis.model import Analysis
from smelt.engines.model import Built
from smelt.project.model import Project
from smelt.run.model import Listener, RunRequest, RunSummary
from smelt.run.runner import execute
from tests.run.projects import FakeWarehouse, Listening, ModelSpec, make
from tests.state.clocks import FakeClock


class Bench:
    """One project folder with everything a run needs."""

    def __init__(self, root: Path, specs: Mapping[str, ModelSpec], seeds: tuple[str, ...] = ()) -> None:
        self.root = root
        self.project: Project
        self.analysis: Analysis
        self.project, self.analysis = make(specs, seeds)
        self.clock = FakeClock()
        self.warehouse = FakeWarehouse()
        self.listener: Listener = Listening()
        self.request = RunRequest("run", "smelt run", "dev", (*self.project.models, *self.project.seeds))

    def run(self, **changes: object) -> RunSummary:
        return execute(
            self.root,
            self.project,
            self.analysis,
            replace(self.request, **changes),  # type: ignore[arg-type]
            self.listener,
            clock=self.clock,
            open_warehouse=lambda root, project, target: self.warehouse,
        )

    def script(self, **script: Callable[[], Built]) -> None:
        self.warehouse.script = script

    def file(self, name: str) -> dict[str, object]:
        found = json.loads((self.root / ".smelt/targets/dev" / name).read_text("utf-8"))
        assert isinstance(found, dict)
        return found

    def runs(self) -> list[dict[str, object]]:
        folder = self.root / ".smelt/targets/dev/runs"
        return [self.file(f"runs/{path.name}") for path in sorted(folder.iterdir())]


DIAMOND = {
    "a": ModelSpec(),
    "b": ModelSpec(reads=("a",)),
    "c": ModelSpec(reads=("a",)),
    "d": ModelSpec(reads=("b", "c")),
    "x": ModelSpec(),
}


def outcomes(summary: RunSummary) -> dict[str, str]:
    return {
        name: record.skip_reason or (record.error.code if record.error else record.outcome)
        for name, record in summary.manifest.models.items()
    }
