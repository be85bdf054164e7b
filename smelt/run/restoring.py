"""``smelt repair --state``: the files under ``.smelt/`` that copy the warehouse, written again from it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from smelt.analysis.model import ModelAnalysis
from smelt.engines.model import Deployed, LandedPartition
from smelt.project.model import Address, Granularity
from smelt.state.codec import instant
from smelt.state.files import Files
from smelt.state.mirror import Mirror, schema_name
from smelt.state.records import Landed, SchemaColumn, SchemaRecord

Counts = Sequence[tuple[str, Sequence[LandedPartition]]]


@dataclass(frozen=True, slots=True)
class Restored:
    """The documents that were written, and those that were removed, by their paths below the target's folder."""

    written: tuple[str, ...]
    removed: tuple[str, ...]


def restore(
    files: Files, deployed: Sequence[Deployed], landed: Counts, models: Mapping[Address, ModelAnalysis]
) -> Restored:
    """Write intervals, landed deltas and schemas anew from the warehouse; only for the holder of the lock.

    What agrees already is not written, and what a later smelt put beside it stays.

    Args:
        files: the target's documents.
        deployed: what stands in the warehouse.
        landed: by source the partitions that were folded.
        models: the project's, for what the warehouse does not keep.

    Raises:
        StateError: a file is damaged, newer, or cannot be written.
    """
    standing = [one for one in deployed if one.kind != "seed"]
    mirror = Mirror(files, (one.model for one in standing))
    for one in standing:
        model = models.get(Address(tuple(one.model.split("."))))
        if one.kind == "succession":
            mirror.cover(one.model, _granularity(one), one.coverage)
        # Without its shape nobody can tell which columns of a history are never NULL: what is on file is better.
        unknown = one.kind == "succession" and (model is None or model.shape is None)
        if one.columns and not (unknown and mirror.has_schema(one.model)):
            mirror.deploy(one.model, _schema(one, model))
    granularity = {
        str(model.shape.source): model.shape.granularity for model in models.values() if model.shape is not None
    }
    for source, partitions in landed:
        counts = (Landed(part.interval, part.rows) for part in partitions)
        mirror.land(source, granularity.get(source, Granularity.DAY), counts)
    sources = {source for source, _ in landed} | {_defined(one, "source") for one in standing}
    mirror.forget_others({one.model for one in standing if one.coverage}, sources)
    written = mirror.flush()
    kept = {schema_name(one.model) for one in standing}
    stale = tuple(name for name in files.names("schemas") if name not in kept)
    for name in stale:
        files.remove(name)
    return Restored(written, stale)


def _granularity(one: Deployed) -> Granularity:
    """How the run axis was cut when the table was built; days if the record does not say."""
    found = _defined(one, "granularity")
    return Granularity.DAY if found is None else Granularity(found)


def _defined(one: Deployed, field: str) -> str | None:
    """A field of the definition that a table was built as; the project may have another one, or none, by now."""
    found = json.loads(one.definition).get(field) if one.definition is not None else None
    return found if isinstance(found, str) else None


def _schema(one: Deployed, model: ModelAnalysis | None) -> SchemaRecord:
    timeseries = model.model.frontmatter.timeseries if model is not None else None
    return SchemaRecord(
        deployed_at=instant(one.recorded_at.replace(tzinfo=UTC)),
        definition_hash=one.definition_hash,
        definition=one.definition,
        grain="succession" if one.kind == "succession" else None,
        columns=tuple(SchemaColumn(column.name, column.type, column.nullable) for column in one.columns),
        partition_column=timeseries.partition_column if timeseries is not None else None,
    )
