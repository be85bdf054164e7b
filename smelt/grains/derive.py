"""Which grain an incremental model has, from its two declarations alone."""

from typing import Literal

from smelt.project.model import Model, Refresh
from smelt.text.identifiers import fold

Grain = Literal["partition", "key", "key_per_partition", "succession"]


def grain_of(model: Model) -> Grain | None:
    """The grain that ``timeseries:`` and ``unique_key:`` ask for; None if the model is not incremental.

    Without either it can only be a succession, which the SQL has to prove.
    """
    declared = model.frontmatter
    if declared.refresh is not Refresh.INCREMENTAL:
        return None
    if declared.timeseries is None:
        return "key" if declared.unique_key else "succession"
    if not declared.unique_key:
        return "partition"
    inside = fold(declared.timeseries.partition_column) in {fold(name) for name in declared.unique_key}
    return "key_per_partition" if inside else "key"
