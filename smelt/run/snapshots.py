"""What is built, by the schema snapshots under ``.smelt/``: for when the warehouse cannot be asked."""

from datetime import datetime
from pathlib import Path

from smelt.analysis.model import Analysis
from smelt.engines.model import BuiltColumn, Deployed
from smelt.project.model import Address
from smelt.run.pending import kind_in
from smelt.state.mirror import deployed_schema
from smelt.state.store import reading


def from_snapshots(root: Path, target: str, default_target: str, analysis: Analysis) -> dict[str, Deployed]:
    """The project's models that some run has built, as it left them.

    Raises:
        StateError: a snapshot is damaged.
    """
    files = reading(root, target, default_target=default_target)
    found: dict[str, Deployed] = {}
    for address in analysis.models:
        name = str(address)
        record = deployed_schema(files, name)
        if record is None:
            continue
        found[name] = Deployed(
            model=name,
            relation=_relation(analysis, address),
            ledger=None,
            kind=kind_in(record.definition),
            definition_hash=record.definition_hash,
            definition=record.definition,
            settings=None,
            coverage=(),
            columns=tuple(BuiltColumn(column.name, column.type, column.nullable) for column in record.columns),
            recorded_at=datetime.min,
        )
    return found


def _relation(analysis: Analysis, address: Address) -> str:
    """A snapshot does not tell the physical name."""
    return analysis.models[address].model.relation
