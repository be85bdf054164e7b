"""Views, tables that are rebuilt each run, and seeds: each a whole relation in one transaction."""

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.blame import placed, unreadable
from smelt.engines.duckdb.catalogue import StandingColumn
from smelt.engines.duckdb.record import BuiltRecord, Record, count_rows
from smelt.engines.duckdb.references import Physical
from smelt.engines.duckdb.render_whole import create_table, create_view
from smelt.engines.duckdb.seeds import SeedFile
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.sources import bad_text, resolve
from smelt.engines.duckdb.standing import Standing
from smelt.engines.duckdb.statements import qualified
from smelt.engines.model import Built, BuiltColumn, WarehouseError
from smelt.engines.rules import warehouse_statement_failed
from smelt.project.model import Model, Project, Seed


class KnownViews:
    """What was recorded of all views when the first one was asked about, read at once.

    Who asks for one again may have built it meanwhile: it is read anew.
    """

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._views: dict[str, BuiltRecord] | None = None

    def take(self, record: Record, name: str) -> BuiltRecord | None:
        """What is recorded of a view; None if it was never built."""
        if self._views is None:
            self._views = record.views()
        return self._views.pop(name) if name in self._views else record.find(name)


@dataclass(frozen=True, slots=True)
class Relations:
    """Builds whole relations in one session, for one run."""

    session: Session
    root: Path
    project: Project
    run_id: str
    sequence: int
    views: KnownViews

    @property
    def _record(self) -> Record:
        return Record(self.session)

    @property
    def _standing(self) -> Standing:
        return Standing(self.session, self._record)

    def view(self, model: ModelAnalysis) -> Built:
        """Create the view if it is missing, or if it would read otherwise than it does."""
        with placed(model.model):
            return self._view(model)

    def _view(self, model: ModelAnalysis) -> Built:
        name, relation = model.model.address, model.model.relation
        with self.session.named(str(name)):
            physical = Physical(self.session, self.root, self.project)
            sql = physical.query(model.model)
            wanted = BuiltRecord(relation, "view", model.definition_hash, model.canonical, _hash(sql))
            columns = self._standing_view(str(name), wanted)
            if columns is not None:
                return Built("view", None, columns=columns, notices=tuple(physical.notices))
            columns = self._typed(f"({sql}\n)")
        with self.session.transaction(str(name)):
            self._clear(self._standing.may_build(name, relation), str(name))
            self.session.run(create_view(self._place(relation), sql))
            self.session.catalogue.created("view", relation)
            self._save(str(name), replace(wanted, columns=_stored(columns)))
        return Built("view", None, columns=columns, notices=tuple(physical.notices))

    def _standing_view(self, name: str, wanted: BuiltRecord) -> tuple[BuiltColumn, ...] | None:
        """The columns of the view that stands there, if it is the wanted one and reads as it did when it was made.

        Asked outside of a transaction: a view over columns that are gone does not bind, and an error would end it.
        """
        known = self.views.take(self._record, name)
        if known is None or replace(known, columns=()) != wanted:
            return None
        if self.session.catalogue.kind(wanted.relation) != "view":
            return None
        try:
            columns = self._typed(self._place(wanted.relation))
        except (duckdb.BinderException, duckdb.CatalogException):
            return None
        return columns if _stored(columns) == known.columns else None

    def table(self, model: ModelAnalysis) -> Built:
        """Rebuild the table from its query."""
        try:
            with placed(model.model):
                return self._table(model)
        except WarehouseError as error:
            broken = self._unreadable(model.model, error)
            if broken is None:
                raise
            raise broken from error

    def _table(self, model: ModelAnalysis) -> Built:
        name, relation = model.model.address, model.model.relation
        with self.session.named(str(name)):
            physical = Physical(self.session, self.root, self.project)
            sql = physical.query(model.model)
        with self.session.transaction(str(name)):
            known = self._standing.may_build(name, relation)
            self._clear(known, str(name))
            self.session.run(create_table(self._place(relation), sql))
            self.session.catalogue.created("table", relation)
            rows = count_rows(self.session, relation)
            found = BuiltRecord(relation, "table", model.definition_hash, model.canonical, row_count=rows)
            self._save(str(name), found)
            columns = self._typed(self._place(relation))
        return Built("table", rows, columns=columns, notices=tuple(physical.notices))

    def _unreadable(self, model: Model, error: WarehouseError) -> WarehouseError | None:
        """The fault of a source whose files or values broke a query, if that is what broke it."""
        if error.failure.code != warehouse_statement_failed.CODE.name:
            return None
        samples = self.project.config.error_samples if self.project.config is not None else 0
        with self.session.named(str(model.address)):
            for reference in model.references:
                source = self.project.sources.get(reference.address)
                if source is not None and source.files is not None:
                    relation = resolve(self.session, self.root, self.project, source)
                    broken = unreadable(self.session, source, relation) or bad_text(
                        self.session, source, relation, samples
                    )
                    if broken is not None:
                        return broken
        return None

    def seed(self, seed: Seed) -> Built:
        """Load the file as a table, unless it is the one that was loaded last."""
        name, relation = seed.address, seed.relation or seed.address.default_relation
        file = SeedFile(self.session, seed, self.root / seed.file)
        digest = file.digest()
        try:
            with self.session.transaction(str(name)):
                known = self._standing.may_build(name, relation)
                if known is not None and known.statement_hash == digest and self._has(relation, known.row_count):
                    columns = self._typed(self._place(relation))
                    return Built("none", known.row_count, columns=columns, content_hash=digest)
                self._clear(known, str(name))
                self.session.run(create_table(self._place(relation), file.query()))
                self.session.catalogue.created("table", relation)
                rows = count_rows(self.session, relation)
                self._save(str(name), BuiltRecord(relation, "seed", statement_hash=digest, row_count=rows))
                columns = self._typed(self._place(relation))
        except WarehouseError as error:
            if isinstance(error.__cause__, duckdb.ConversionException | duckdb.InvalidInputException):
                raise file.explained(error.__cause__) from error
            raise
        return Built("seed", rows, columns=columns, content_hash=digest)

    def _clear(self, known: BuiltRecord | None, name: str) -> None:
        """Drop what smelt built under this name, of whatever kind, with its hidden state."""
        if known is None:
            return
        for relation in (known.relation, known.ledger):
            if relation is not None:
                self.session.catalogue.drop(relation, self.session.run)
        if known.kind == "succession":
            self._record.forget_partitions(name)

    def _has(self, relation: str, rows: int | None) -> bool:
        return self.session.catalogue.kind(relation) == "table" and count_rows(self.session, relation) == rows

    def _save(self, name: str, record: BuiltRecord) -> None:
        self._record.save(name, record, self.run_id, self.sequence, datetime.now(UTC).replace(tzinfo=None))

    def _typed(self, relation: str) -> tuple[BuiltColumn, ...]:
        """The columns of what stands after ``FROM``."""
        return tuple(BuiltColumn(name, kind) for name, kind in self.session.describe(relation))

    def _place(self, relation: str) -> str:
        return qualified(self.session.target.schema, relation)


def _stored(columns: tuple[BuiltColumn, ...]) -> tuple[StandingColumn, ...]:
    return tuple(StandingColumn(column.name, column.type, column.nullable) for column in columns)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
