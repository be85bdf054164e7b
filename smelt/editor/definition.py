"""From a reference to what it names."""

from smelt.diagnostics.model import Location
from smelt.editor.snapshot import Snapshot
from smelt.project.model import Address, Project
from smelt.text.spans import Span


def definition(snapshot: Snapshot, file: str, offset: int) -> Location | None:
    """The file that the reference at ``offset`` names; None where there is no reference."""
    model = snapshot.model(file)
    if model is None or snapshot.analysis is None:
        return None
    for reference in model.model.references:
        if reference.span.contains(offset):
            target = _file(snapshot.analysis.project, reference.address)
            return Location(target, Span(0, 0)) if target is not None else None
    return None


def _file(project: Project, address: Address) -> str | None:
    if address in project.models:
        return project.models[address].file
    if address in project.sources:
        return project.sources[address].marks.file
    return project.seeds[address].file if address in project.seeds else None
