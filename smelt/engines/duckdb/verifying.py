"""Holding a succession model's table and ledger against the model's own query. Writes nothing but temporary tables."""

from dataclasses import dataclass
from pathlib import Path

from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.counterexamples import failing_rows
from smelt.engines.duckdb.record import Record, count_rows
from smelt.engines.duckdb.render_verify import LEFT_OUT, Verification, difference
from smelt.engines.duckdb.session import Row, Session
from smelt.engines.duckdb.sources import resolve
from smelt.engines.duckdb.standing import Standing
from smelt.engines.errors import fault
from smelt.engines.rules import maintained_relation_changed
from smelt.plan.succession import plan, staged_input
from smelt.project.model import Project


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows on one side only: how many, and the first of them, each value as text."""

    count: int
    sample: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """Two relations that should hold the same rows.

    Attributes:
        columns: of the rows.
        unexpected: rows that are there and should not be.
        missing: rows that should be there and are not.
    """

    columns: tuple[str, ...]
    unexpected: Rows
    missing: Rows

    @property
    def differs(self) -> bool:
        """Whether there is any."""
        return self.unexpected.count + self.missing.count > 0


@dataclass(frozen=True, slots=True)
class Verified:
    """What came out for one model.

    Attributes:
        rows: in the table.
        tombstones: in the ledger; None without one.
        table: the table against the query.
        ledger: the ledger against the deletes of the source; None without one.
        behind: partitions of the source that were never folded.
        behind_rows: the rows in them.
        changed: folded partitions whose row count in the source is another now.
        left_out: keys that were not compared, since not all that was folded of them can be seen any more.
    """

    model: str
    rows: int
    tombstones: int | None
    table: Compared
    ledger: Compared | None
    behind: int
    behind_rows: int
    changed: int
    left_out: int

    @property
    def differs(self) -> bool:
        """Whether the table or the ledger is not what it should be."""
        return self.table.differs or (self.ledger is not None and self.ledger.differs)


def verify(session: Session, root: Path, project: Project, model: ModelAnalysis, samples: int) -> Verified | None:
    """Compare one model; None if it was never built.

    Args:
        session: may be one that only reads.
        samples: rows to show of each difference.

    Raises:
        WarehouseError: it has another definition now, or what it reads cannot be read.
    """
    shape, name = model.shape, str(model.model.address)
    if shape is None:
        raise ValueError(f"{name} is no succession model")
    source = project.sources[shape.source]
    with session.named(name):
        relation = resolve(session, root, project, source)
    with session.snapshot(name):
        record = Record(session)
        standing = Standing(session, record)
        known = record.find(name)
        if known is None or known.kind != "succession":
            return None
        standing.has_definition(model, known, standing.settings())
        for built in (known.relation, known.ledger):
            if built is not None and session.catalogue.kind(built) is None:
                shown = f"{session.target.schema}.{built}"
                raise fault(maintained_relation_changed.CODE, model=name, relation=shown, change="is gone")
        steps = plan(shape, staged_input(shape, source, relation.sql), session.target.schema, known.relation)
        checked = Verification(steps, model.model)
        folded = {at: one.raw for at, one in record.folded(name, str(source.address)).items()}
        session.run(checked.copy())
        session.run(checked.frontier(), {"partitions": list(folded), "rows": list(folded.values())})
        session.run(checked.left_out())
        session.run(checked.oracle())
        ledger = None
        if known.ledger is not None:
            session.run(checked.deletes())
            names = (*shape.key_outputs, shape.clock_output)
            ledger = _compared(session, names, checked.ledger(), checked.expected_ledger(), samples)
        behind, behind_rows = session.one(checked.behind())
        return Verified(
            model=name,
            rows=count_rows(session, known.relation),
            tombstones=None if known.ledger is None else count_rows(session, known.ledger),
            table=_compared(
                session, tuple(one.name for one in shape.outputs), checked.table(), checked.expected(), samples
            ),
            ledger=ledger,
            behind=_int(behind),
            behind_rows=_int(behind_rows),
            changed=_int(session.one(checked.changed())[0]),
            left_out=_int(session.one(f"SELECT count(*) FROM {LEFT_OUT}")[0]),
        )


def _compared(session: Session, names: tuple[str, ...], there: str, wanted: str, samples: int) -> Compared:
    unexpected = failing_rows(session, difference(there, wanted), samples)
    missing = failing_rows(session, difference(wanted, there), samples)
    return Compared(names, Rows(*unexpected), Rows(*missing))


def _int(value: object) -> int:
    return int(str(value))
