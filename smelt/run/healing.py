"""Bringing the copies under ``.smelt/`` up to what the warehouse recorded, before anything is run."""

from collections.abc import Sequence

from smelt.analysis.model import ModelAnalysis
from smelt.engines.model import Warehouse
from smelt.run.outcomes import granularity_of
from smelt.state.journal import Journal
from smelt.state.records import Landed
from smelt.text.counts import some


def heal(journal: Journal, warehouse: Warehouse, models: Sequence[ModelAnalysis]) -> str | None:
    """Rewrite what is missing or wrong in the intervals and landed deltas of ``models``.

    So a state that was lost, is older or newer than the warehouse, or was left behind by a kill between the commit and
    the write, follows the warehouse.

    Returns:
        One line that tells of it; None if nothing differed.

    Raises:
        WarehouseError: the tables of record cannot be read.
    """
    by_name = {str(model.model.address): model for model in models}
    behind: list[str] = []
    ahead: list[str] = []
    stale: list[ModelAnalysis] = []
    for one in warehouse.remembered(models):
        model = by_name[one.model]
        drifted = journal.cover(one.model, granularity_of(model), one.coverage)
        if drifted == "behind":
            behind.append(one.model)
        elif drifted == "ahead":
            ahead.append(one.model)
        if model.shape is not None and one.folded is not None and journal.lacks(str(model.shape.source), one.folded):
            stale.append(model)
    for model, (source, partitions) in zip(stale, warehouse.landed(stale), strict=True):
        journal.land(source, granularity_of(model), (Landed(part.interval, part.rows) for part in partitions))
    return _notice(behind, ahead, tuple(dict.fromkeys(_sources(stale))))


def _sources(models: Sequence[ModelAnalysis]) -> list[str]:
    return [str(model.shape.source) for model in models if model.shape is not None]


def _notice(behind: Sequence[str], ahead: Sequence[str], sources: Sequence[str]) -> str | None:
    parts = []
    if behind:
        parts.append(f"lacked ranges of {some(behind)} that the warehouse has")
    elif sources and not ahead:
        parts.append(f"lacked counts of {some(sources)} that the warehouse has")
    if ahead:
        parts.append(f"had ranges of {some(ahead)} that the warehouse lacks")
    return f".smelt/ {' and '.join(parts)}: written again from there" if parts else None
