"""A model's query as DuckDB runs it: each reference replaced by the relation it stands for, nothing else touched."""

from pathlib import Path

from smelt.diagnostics.model import Location
from smelt.engines.duckdb.render_whole import physical_query
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.sources import resolve
from smelt.engines.errors import fault
from smelt.engines.rules import relation_not_built
from smelt.project.model import Address, Model, Project


class Physical:
    """The relations behind a project's addresses, for one session. Sources are bound once per model."""

    def __init__(self, session: Session, root: Path, project: Project) -> None:
        self.session = session
        self.root = root
        self.project = project
        self.notices: list[str] = []

    def relation(self, address: Address) -> str | None:
        """SQL for ``FROM``; None if the project has no such address.

        Raises:
            WarehouseError: a source that cannot be bound.
        """
        if address in self.project.models:
            return self.session.catalogue.place(self.project.models[address].relation)
        source = self.project.sources.get(address)
        if source is not None and (source.seed_file is None or source.columns):
            found = resolve(self.session, self.root, self.project, source)
            self.notices.extend(found.notices)
            return found.sql
        if address in self.project.seeds:
            return self.session.catalogue.place(self._seed(address))
        return None

    def check_built(self, model: Model) -> None:
        """Every model and seed that a model reads is there.

        Raises:
            WarehouseError: ``RelationNotBuilt``.
        """
        for reference in model.references:
            address = reference.address
            if address in self.project.models:
                relation = self.project.models[address].relation
            elif address in self.project.seeds:
                relation = self._seed(address)
            else:
                continue
            if self.session.catalogue.kind(relation) is None:
                shown = f"{self.session.target.schema}.{relation}"
                location = Location(model.file, reference.span)
                code = relation_not_built.CODE
                raise fault(code, location, model=model.address, address=address, relation=shown)

    def _seed(self, address: Address) -> str:
        return self.project.seeds[address].relation or address.default_relation

    def query(self, model: Model) -> str:
        """The model's SQL over physical relations, each known by the name the author gave or its last segment.

        Raises:
            WarehouseError: a source that cannot be bound, a relation that was never built.
        """
        self.check_built(model)
        return physical_query(model, self.relation)
