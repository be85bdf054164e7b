"""A project and its warehouse in a temporary folder, for tests of the engine alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import duckdb

from smelt.analysis.analyze import analyze
from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.engines.duckdb.warehouse import DuckDBWarehouse, open_warehouse
from smelt.engines.model import Built, Failure, FoldRequest, WarehouseError
from smelt.project.load import load_project
from smelt.project.model import Address, Project
from smelt.text.identifiers import quote
from smelt.text.intervals import Interval

SMELT_YML = """name: lab
targets:
  dev: {type: duckdb, database: ":memory:", settings: {threads: 1}}
default_target: dev
"""


@dataclass
class Lab:
    """``files`` are the project's; data files are written as they are, and CSVs under ``models/`` are seeds."""

    root: Path
    files: Mapping[str, str]
    project: Project = field(init=False)
    analysis: Analysis = field(init=False)
    warehouse: DuckDBWarehouse = field(init=False)
    runs: int = 0
    announced: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.load(self.files)
        assert self.project.config is not None
        target = self.project.config.targets[self.project.config.default_target]
        self.warehouse = open_warehouse(self.root, self.project, target)

    def load(self, files: Mapping[str, str]) -> None:
        """Read the project anew; an open warehouse follows."""
        files = {"smelt.yml": SMELT_YML, **files}
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        texts = {path: text for path, text in files.items() if path.endswith((".sql", ".yml"))}
        seeds = [path for path in files if path.startswith("models/") and path.endswith(".csv")]
        self.project = load_project(texts, seeds=seeds, environment={})
        self.analysis = analyze(self.project)
        if hasattr(self, "warehouse"):
            self.warehouse = DuckDBWarehouse(self.warehouse.session, self.root, self.project)

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        return self.warehouse.session.connection

    def model(self, name: str) -> ModelAnalysis:
        found = self.analysis.models[Address(tuple(name.split(".")))]
        assert found.kind != "refused", [(one.code.name, one.message) for one in self.analysis.diagnostics]
        return found

    def fold(self, name: str = "history", window: Interval | None = None, **options: object) -> Built:
        self.runs += 1
        request = FoldRequest(f"run-{self.runs}", self.runs, window, **options)  # type: ignore[arg-type]
        return self.warehouse.fold(self.model(name), request, self.announced.append)

    def failure(self, name: str = "history", window: Interval | None = None, **options: object) -> Failure:
        """The failure of a fold that must fail, and change nothing."""
        before = self.state()
        try:
            self.fold(name, window, **options)
        except WarehouseError as error:
            assert self.state() == before
            return error.failure
        raise AssertionError("the fold did not fail")

    def run(self, sql: str) -> list[tuple[object, ...]]:
        rows = self.connection.execute(sql).fetchall()
        self.warehouse.session.catalogue.forget()
        return rows

    def texts(self, sql: str) -> list[tuple[str | None, ...]]:
        """Rows as DuckDB prints their values, sorted."""
        columns = [str(row[0]) for row in self.run(f"DESCRIBE {sql}")]
        shown = ", ".join(f"{quote(name)}::VARCHAR" for name in columns)
        rows = self.run(f"SELECT {shown} FROM ({sql})")
        return sorted(rows, key=repr)  # type: ignore[arg-type]

    def differ(self, left: str, right: str) -> list[tuple[object, ...]]:
        """Rows of either query that the other lacks, as multisets."""
        # Two statements of their own: DuckDB 1.4 takes equal window names in one for a redefinition.
        self.run(f"CREATE OR REPLACE TEMP TABLE lab_left AS {left}")
        self.run(f"CREATE OR REPLACE TEMP TABLE lab_right AS {right}")
        return self.run("(FROM lab_left EXCEPT ALL FROM lab_right) UNION ALL (FROM lab_right EXCEPT ALL FROM lab_left)")

    def state(self) -> dict[str, list[tuple[str | None, ...]]]:
        """Every table of the database, the tables of record included, as text."""
        tables = self.run(
            "SELECT table_schema, table_name FROM information_schema.tables WHERE table_name <> 'events' "
            "AND table_type <> 'LOCAL TEMPORARY'"
        )
        return {
            f"{schema}.{name}": self.texts(f"SELECT * FROM {quote(str(schema))}.{quote(str(name))}")
            for schema, name in tables
        }

    def session_kind(self, relation: str) -> str | None:
        """``table`` or ``view``, as the catalogue has it now."""
        self.warehouse.session.catalogue.forget()
        return self.warehouse.session.catalogue.kind(relation)

    def close(self) -> None:
        self.warehouse.close()


def day(number: int) -> datetime:
    return datetime(2025, 1, number)


def days(first: int, last: int) -> Interval:
    """January days, the last one excluded."""
    return Interval(day(first), day(last))
