"""The DuckDB warehouse: what a run asks of a target's database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from smelt.analysis.model import ModelAnalysis
from smelt.diagnostics.model import Diagnostic
from smelt.engines.duckdb.connections import beside
from smelt.engines.duckdb.counterexamples import failing_rows
from smelt.engines.duckdb.record import Record
from smelt.engines.duckdb.relations import KnownViews, Relations
from smelt.engines.duckdb.remembered import landed, remembered
from smelt.engines.duckdb.session import Row, Session, connect
from smelt.engines.duckdb.succession import SuccessionRun
from smelt.engines.model import Built, Failure, FoldRequest, LandedPartition, Remembered, WarehouseError
from smelt.engines.rules import warehouse_open_failed, warehouse_setting_invalid
from smelt.plan.reserved import FRONTIER_TABLE, MODELS_TABLE, ledger_of
from smelt.project.model import Project, Seed, Target


@dataclass(frozen=True, slots=True)
class DuckDBWarehouse:
    """One open connection; implements :class:`smelt.engines.model.Warehouse`."""

    session: Session
    root: Path
    project: Project
    views: KnownViews = field(default_factory=KnownViews)

    def beside(self, count: int, models: Sequence[ModelAnalysis]) -> "tuple[DuckDBWarehouse, ...]":
        """Further connections. The tables of record are made first: two transactions cannot both make them."""
        tables = (MODELS_TABLE, FRONTIER_TABLE) if any(one.shape is not None for one in models) else (MODELS_TABLE,)
        with self.session.transaction(f"target {self.session.target.name}"):
            Record(self.session).make(tables)
        opened: list[DuckDBWarehouse] = []
        try:
            for _ in range(count):
                opened.append(replace(self, session=beside(self.session), views=KnownViews()))
        except BaseException:
            for one in opened:
                one.close()
            raise
        return tuple(opened)

    def load_seed(self, seed: Seed, run_id: str, sequence: int) -> Built:
        """Load a seed's file as a table, unless it is unchanged."""
        return self._relations(run_id, sequence).seed(seed)

    def build_view(self, model: ModelAnalysis, run_id: str, sequence: int) -> Built:
        """Create the view if it is missing or differs."""
        return self._relations(run_id, sequence).view(model)

    def build_table(self, model: ModelAnalysis, run_id: str, sequence: int) -> Built:
        """Rebuild a ``refresh: full`` table."""
        return self._relations(run_id, sequence).table(model)

    def fold(self, model: ModelAnalysis, request: FoldRequest, announce: Callable[[str], None]) -> Built:
        """Bring a succession model's table up to date."""
        if model.shape is None:
            raise ValueError(f"{model.model.address} is no succession model")
        self.session.catalogue.catch_up()
        return SuccessionRun(self.session, self.root, self.project, model, model.shape, request, announce).run()

    def last_sequence(self) -> int:
        """The newest run's number in the table of record."""
        with self.session.named(f"target {self.session.target.name}"):
            return Record(self.session).last_sequence()

    def remembered(self, models: Sequence[ModelAnalysis]) -> tuple[Remembered, ...]:
        """How far each incremental model of these has come."""
        return remembered(self.session, models)

    def landed(self, models: Sequence[ModelAnalysis]) -> tuple[tuple[str, tuple[LandedPartition, ...]], ...]:
        """The source partitions that were folded into these."""
        return landed(self.session, models)

    def failing_rows(self, sql: str, limit: int) -> tuple[int, tuple[Row, ...]]:
        """How many rows a query finds, and the first few of them."""
        return failing_rows(self.session, sql, limit)

    def interrupt(self) -> None:
        """Stop the statement that is running."""
        self.session.connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self.session.connection.close()

    def _relations(self, run_id: str, sequence: int) -> Relations:
        self.session.catalogue.catch_up()
        return Relations(self.session, self.root, self.project, run_id, sequence, self.views)


def open_warehouse(root: Path, project: Project, target: Target) -> DuckDBWarehouse:
    """Open a target's database for writing.

    Raises:
        WarehouseError: held by another program (``busy``), or it cannot be opened or prepared.
    """
    redacted = project.config.redacted if project.config is not None else frozenset()
    models = [model.relation for model in project.models.values()]
    seeds = [seed.relation or seed.address.default_relation for seed in project.seeds.values()]
    built = (*models, *map(ledger_of, models), *seeds)
    try:
        return DuckDBWarehouse(connect(root, target, redacted=tuple(redacted), built=built), root, project)
    except WarehouseError as error:
        raise WarehouseError(_located(project, target, error.failure)) from error


def _located(project: Project, target: Target, failure: Failure) -> Failure:
    """The failure at the line of ``smelt.yml`` that it is about, if there is one."""
    if project.config is None or not failure.setting:
        return failure
    setting = failure.setting[0] == "settings"
    code = warehouse_setting_invalid.CODE if setting else warehouse_open_failed.CODE
    location = project.config.marks.at("targets", target.name, *failure.setting)
    return replace(failure, diagnostics=(Diagnostic(code, location, failure.message, failure.help),))
