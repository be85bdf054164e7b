"""What a run asks the warehouse for, model by model: the part that is done by workers."""

from collections.abc import Callable
from dataclasses import dataclass

from smelt.analysis.model import ModelAnalysis
from smelt.engines.model import Built, FoldRequest, Warehouse
from smelt.project.model import Seed
from smelt.run.model import RunRequest
from smelt.state.store import RunId


@dataclass(frozen=True, slots=True)
class Builder:
    """Brings relations up to date as one run asks for it. Safe for threads, each with its own warehouse.

    Each method raises :class:`smelt.engines.model.WarehouseError`.
    """

    request: RunRequest
    run_id: RunId
    samples: int

    def seed(self, warehouse: Warehouse, seed: Seed) -> Built:
        """Load a seed."""
        return warehouse.load_seed(seed, self.run_id.text, self.run_id.sequence)

    def model(self, warehouse: Warehouse, model: ModelAnalysis, announce: Callable[[str], None]) -> Built:
        """Bring a model up to date; ``announce`` is told what a long step will take."""
        run_id, sequence = self.run_id.text, self.run_id.sequence
        if model.kind == "view":
            return warehouse.build_view(model, run_id, sequence)
        if model.kind == "table":
            return warehouse.build_table(model, run_id, sequence)
        request = FoldRequest(
            run_id=run_id,
            sequence=sequence,
            window=self.request.window,
            full_refresh=self.request.full_refresh,
            chunk=self.request.chunk,
            samples=self.samples,
            lose_history=self.request.lose_history,
        )
        return warehouse.fold(model, request, announce)
