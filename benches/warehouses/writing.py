"""A made warehouse as the files of a smelt, a SQLMesh or a dbt project. The queries are the same to the letter."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from benches.warehouses.model import Model, Source, Warehouse

Flavour = Literal["smelt", "sqlmesh", "dbt"]
FLAVOURS: tuple[Flavour, ...] = ("smelt", "sqlmesh", "dbt")

_REFERENCE = re.compile("«([^»]+)»")


def files(warehouse: Warehouse, flavour: Flavour) -> dict[str, str]:
    """Path under the project's folder to text."""
    return {"smelt": _smelt, "sqlmesh": _sqlmesh, "dbt": _dbt}[flavour](warehouse)


def write(warehouse: Warehouse, flavour: Flavour, folder: Path) -> int:
    """Write the project's files and return how many there are.

    Raises:
        FileExistsError: the folder is there already; what it holds could be taken for a part of the project.
    """
    made = files(warehouse, flavour)
    folder.mkdir(parents=True)
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(made)


def model_file(model: Model) -> str:
    """Where a model lies in every flavour."""
    return f"models/{model.layer}/{model.name}.sql"


def _smelt(warehouse: Warehouse) -> dict[str, str]:
    places = {source.name: f"smelt.sources.{source.name}" for source in warehouse.sources}
    places |= {model.name: f"smelt.{model.layer}.{model.name}" for model in warehouse.models}
    made = {
        "smelt.yml": "name: made\nversion: 1\ntargets:\n  dev: {type: duckdb, database: target/dev.duckdb}\n"
        "default_target: dev\n"
    }
    for source in warehouse.sources:
        made[f"models/sources/{source.name}.yml"] = _smelt_source(source)
    for model in warehouse.models:
        head = {"view": "", "table": "materialization: table\n", "succession": "refresh: incremental\n"}[model.kind]
        text = f"---\ndescription: {model.description}\n{head}tags: [{model.layer}]\n---\n"
        made[model_file(model)] = f"{text}{_resolved(model.sql, places.__getitem__)}\n"
    return made


def _smelt_source(source: Source) -> str:
    profile = "mutation_profile: append_only\n" if source.is_stream else ""
    columns = "".join(
        f"  - {{name: {name}, type: {kind}, nullable: {str(nullable).lower()}}}\n"
        for name, kind, nullable in source.typed
    )
    return (
        f"description: What the {source.columns.noun} service sends\nname: raw.{source.name}\n{profile}"
        f"timeseries: {{event_time_column: {source.columns.at}, partition_column: ingested_date, granularity: day}}\n"
        f"columns:\n{columns}"
    )


def _sqlmesh(warehouse: Warehouse) -> dict[str, str]:
    places = {source.name: f"raw.{source.name}" for source in warehouse.sources}
    places |= {model.name: f"made.{model.name}" for model in warehouse.models}
    made = {
        "config.yaml": "gateways:\n  local:\n    connection: {type: duckdb, database: dev.duckdb}\n"
        "default_gateway: local\nmodel_defaults: {dialect: duckdb, start: '2023-01-01'}\n"
        "disable_anonymized_analytics: true\n"
        "linter:\n  enabled: true\n  rules: [ambiguousorinvalidcolumn, invalidselectstarexpansion]\n",
        "external_models.yaml": "".join(
            f"- name: {places[source.name]}\n  columns:\n"
            + "".join(f"    {name}: {kind.lower()}\n" for name, kind, _ in source.typed)
            for source in warehouse.sources
        ),
    }
    for model in warehouse.models:
        kind = "VIEW" if model.kind == "view" else "FULL"
        head = (
            f"MODEL (\n  name {places[model.name]},\n  kind {kind},\n  description '{model.description}',\n"
            f"  tags ({model.layer})\n);\n"
        )
        made[model_file(model)] = f"{head}{_resolved(model.sql, places.__getitem__)}\n"
    return made


def _dbt(warehouse: Warehouse) -> dict[str, str]:
    places = {source.name: f"{{{{ source('raw', '{source.name}') }}}}" for source in warehouse.sources}
    places |= {model.name: f"{{{{ ref('{model.name}') }}}}" for model in warehouse.models}
    sources = [
        {"name": source.name, "columns": [{"name": name, "data_type": kind} for name, kind, _ in source.typed]}
        for source in warehouse.sources
    ]
    described = [{"name": model.name, "description": model.description} for model in warehouse.models]
    made = {
        "dbt_project.yml": "name: made\nversion: '1.0'\nprofile: made\nflags: {send_anonymous_usage_stats: false}\n",
        "profiles.yml": "made:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: dev.duckdb}\n",
        # JSON is YAML, and needs no care with quotes.
        "models/sources.yml": json.dumps({"version": 2, "sources": [{"name": "raw", "tables": sources}]}, indent=1),
        "models/models.yml": json.dumps({"version": 2, "models": described}, indent=1),
    }
    for model in warehouse.models:
        kind = "view" if model.kind == "view" else "table"
        head = f"{{{{ config(materialized='{kind}', tags=['{model.layer}']) }}}}\n"
        made[model_file(model)] = f"{head}{_resolved(model.sql, places.__getitem__)}\n"
    return made


def _resolved(sql: str, place: Callable[[str], str]) -> str:
    return _REFERENCE.sub(lambda found: place(found[1]), sql)
