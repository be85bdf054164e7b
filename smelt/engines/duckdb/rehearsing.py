"""``--dry-run``: what a run would do, read from a connection that only reads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.reader import open_reader
from smelt.engines.duckdb.record import Record
from smelt.engines.duckdb.session import Session, connect
from smelt.engines.duckdb.succession import Rehearsal, SuccessionRun
from smelt.engines.model import FoldRequest
from smelt.project.model import Project, Target


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What a run would do with a succession model.

    Attributes:
        renamed: the physical name that its table has now, if the run would give it another.
    """

    rehearsal: Rehearsal
    renamed: str | None


def rehearse(session: Session, root: Path, project: Project, model: ModelAnalysis, request: FoldRequest) -> Rehearsed:
    """Decide what a run would fold into a model.

    Raises:
        WarehouseError: the run would be refused.
    """
    if model.shape is None:
        raise ValueError(f"{model.model.address} is no succession model")
    with session.named(str(model.model.address)):
        known = Record(session).find(str(model.model.address))
    renamed = known.relation if known is not None and known.relation != model.model.relation else None
    looked_at = model if renamed is None else _named(model, renamed)
    announced: list[str] = []
    run = SuccessionRun(session, root, project, looked_at, model.shape, request, announced.append)
    return Rehearsed(run.rehearse(), renamed)


def open_to_rehearse(root: Path, target: Target, redacted: Sequence[str]) -> Session:
    """The target's database, to read; an empty one in memory where there is none yet.

    Raises:
        WarehouseError: held by a program that writes (``busy``), or no database.
    """
    reader = open_reader(root, target, redacted)
    if reader is not None:
        return reader.session
    return connect(root, replace(target, database=":memory:"), redacted=redacted)


def _named(model: ModelAnalysis, relation: str) -> ModelAnalysis:
    frontmatter = replace(model.model.frontmatter, name=relation)
    return replace(model, model=replace(model.model, frontmatter=frontmatter))
