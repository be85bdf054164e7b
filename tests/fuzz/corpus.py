"""What mutations begin from: the texts of the suite's own cases, of the examples and of the statements."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from tests.grains.literate import MODEL, cases
from tests.pages.reading import default_files
from tests.sql.statements import section

Kind = Literal["sql", "yaml"]
"""Which files of a project are mutated."""

ROOT = Path(__file__).parents[2]
_SECTIONS = ("accepted", "refused", "refused when bound", "gaps: refused by DuckDB only", "no model")
_SIDECAR = "columns:\n  - {name: id, type: INTEGER, nullable: false}\n  - {name: label, type: VARCHAR}\n"
_SETUP = """\
name: shop
version: 1
require: ">=0.1"
paths: [models]
default_target: dev
default_materialization: view
targets:
  dev: {type: duckdb, database: target/dev.duckdb, schema: main, settings: {threads: 2}, extensions: [json]}
  prod: {database: "${HOME}/prod.duckdb", init_sql: "SELECT 1"}
state: {mode: intervals}
probes: {cadence: periodic, every_n_runs: 20}
errors: {samples: 5}
models:
  customer_history: {owner: ann, tags: [core], start: 2024-01-31, target: dev}
"""
_DECLARED = """\
---
refresh: full
materialization: table
unique_key: [customer_id]
timeseries: {event_time_column: updated_at, partition_column: ingested_date, granularity: day}
tags: core
target: dev
start: 2024-01-31
columns:
  - name: customer_id
    tests: [not_null, unique, {accepted_values: [1, 2]}]
  - {name: label, tests: [{relationships: {to: labels, field: label}}]}
---
SELECT c.customer_id, l.label FROM smelt.sources.customer_changes AS c JOIN smelt.labels AS l ON l.id = c.customer_id
"""


@dataclass(frozen=True, slots=True)
class Base:
    """A project as texts by path; a path that ends in ``.csv`` is a seed, whose text nobody reads."""

    files: dict[str, str]

    def of(self, kind: Kind) -> tuple[str, ...]:
        """The paths of the files to mutate; a model with frontmatter is both kinds."""
        ends = ".sql" if kind == "sql" else ".yml"
        return tuple(
            path
            for path, text in sorted(self.files.items())
            if path.endswith(ends) or (kind == "yaml" and path.endswith(".sql") and text.startswith("---"))
        )


@cache
def bases() -> tuple[Base, ...]:
    """Every project to begin from, in a fixed order."""
    default = {path: text for path, text in default_files().items() if path.endswith((".sql", ".yml"))}
    rich = {
        **default,
        "smelt.yml": _SETUP,
        "models/labelled.sql": _DECLARED,
        "models/labels.csv": "",
        "models/labels.yml": _SIDECAR,
    }
    statements = [statement for name in _SECTIONS for statement, _ in section(name)]
    found = [rich, *(case.files for case in cases()), *map(_example, sorted((ROOT / "examples").iterdir()))]
    found += [{**default, MODEL: statement} for statement in statements]
    return tuple(Base(files) for files in found)


@cache
def texts(kind: Kind) -> tuple[str, ...]:
    """Every different text of a kind, to take pieces from."""
    return tuple(dict.fromkeys(base.files[path] for base in bases() for path in base.of(kind)))


def _example(folder: Path) -> dict[str, str]:
    files = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") if path.suffix != ".csv" else ""
        for path in [folder / "smelt.yml", *sorted((folder / "models").rglob("*"))]
        if path.suffix in (".sql", ".yml", ".csv")
    }
    return {path: text for path, text in files.items() if path == "smelt.yml" or path.startswith("models/")}
