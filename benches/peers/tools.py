"""The tools, each set up as its own documentation recommends for a stream of changes with an event time."""

import json
from pathlib import Path

from benches import environments
from benches.peers.model import ORACLE, SOURCE, Peer
from benches.streams import COLUMNS

_VERSIONS = (
    "SELECT customer_id, tier, region, {start} AS valid_from, {end} AS valid_to, {end} IS NULL AS is_current "
    "FROM {table} WHERE NOT is_deleted"
)
_SUCCESSION = ORACLE.replace(SOURCE, "{source}")


def peers(folder: Path) -> list[Peer]:
    """The tools whose environments are in a folder; smelt comes first."""
    made = []
    for name, make in (
        (environments.SMELT, _smelt),
        (environments.SQLMESH, _sqlmesh),
        (environments.DBT, _dbt),
        (environments.SMELT_SQL, _smelt_sql),
    ):
        program = environments.program(folder, name)
        # smelt-sql brings a DuckDB but no Python; SQLMesh's environment has one of the same line.
        python = folder / (environments.SQLMESH if name == environments.SMELT_SQL else name) / "bin" / "python"
        if program is None or not python.exists():
            print(f"no environment for {name}: left out")
        else:
            made.append(make(program, python))
    return made


def _declared() -> str:
    return "".join(
        f"  - {{name: {name}, type: {kind}, nullable: {str(nullable).lower()}}}\n" for name, kind, nullable in COLUMNS
    )


def _smelt(program: Path, python: Path) -> Peer:
    return Peer(
        name="smelt",
        program=program,
        python=python,
        files={
            "smelt.yml": "name: bench\nversion: 1\ntargets:\n  dev: {type: duckdb, database: dev.duckdb}\n"
            "default_target: dev\n",
            "models/sources/customer_changes.yml": f"name: {SOURCE}\nmutation_profile: append_only\n"
            "timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}\n"
            f"columns:\n{_declared()}",
            "models/customer_history.sql": "---\nrefresh: incremental\n---\n"
            + _SUCCESSION.format(source="smelt.sources.customer_changes"),
        },
        first=lambda start, end: ("run",),
        next=lambda day: ("run",),
        rows="FROM main.customer_history",
        promise="the table equals the model's SQL over everything folded, in whatever order it came",
    )


def _smelt_sql(program: Path, python: Path) -> Peer:
    return Peer(
        name="smelt-sql 0.3.2, full refresh",
        program=program,
        python=python,
        database="target/dev.duckdb",
        files={
            "smelt.yml": "name: bench\nversion: 1\ntargets:\n"
            "  dev: {type: duckdb, database: target/dev.duckdb, schema: main}\n",
            "models/sources/customer_changes.yml": f"name: {SOURCE}\ncolumns:\n{_declared()}",
            "models/customer_history.sql": "---\nmaterialization: table\n---\n"
            + _SUCCESSION.format(source="smelt.sources.customer_changes"),
        },
        first=lambda start, end: ("run",),
        next=lambda day: ("run",),
        rows="FROM main.customer_history",
        promise="the table equals the model's SQL over the whole source, made anew by every run",
    )


def _sqlmesh(program: Path, python: Path) -> Peer:
    fixed = ("--auto-apply", "--no-prompts")
    return Peer(
        name="SQLMesh, SCD_TYPE_2_BY_TIME",
        program=program,
        python=python,
        files={
            "config.yaml": "gateways:\n  local:\n    connection: {type: duckdb, database: dev.duckdb}\n"
            "default_gateway: local\nmodel_defaults: {dialect: duckdb, start: '2020-01-01'}\n"
            "disable_anonymized_analytics: true\n",
            "external_models.yaml": f"- name: {SOURCE}\n  columns: "
            + json.dumps({name: kind.lower() for name, kind, _ in COLUMNS})
            + "\n",
            "models/customer_history.sql": "MODEL (\n  name made.customer_history,\n  kind SCD_TYPE_2_BY_TIME (\n"
            "    unique_key customer_id,\n    updated_at_name effective_ts,\n    updated_at_as_valid_from true,\n"
            "    invalidate_hard_deletes false,\n    batch_size 1\n  ),\n  cron '@daily'\n);\n"
            f"{_newest('ingested_date BETWEEN @start_date AND @end_date', SOURCE)}",
        },
        first=lambda start, end: ("plan", "bench", *fixed, "--start", start, "--end", end),
        next=lambda day: ("run", "bench", "--start", day, "--end", day, "--ignore-cron"),
        rows=_VERSIONS.format(start="valid_from", end="valid_to", table="made__bench.customer_history"),
        table="SELECT table_schema || '.' || table_name FROM information_schema.tables "
        "WHERE table_schema = 'sqlmesh__made' AND table_name LIKE '%customer_history%'",
        seed=lambda table: (f"DELETE FROM {table}", f"INSERT INTO {table} {_right_history()}"),
        promise="each run closes the current version of a key that has a newer one now; one version a key and batch, "
        "and none in the past",
    )


def _dbt(program: Path, python: Path) -> Peer:
    def variables(day: str) -> tuple[str, ...]:
        return ("snapshot", "--quiet", "--vars", f"{{day: '{day}'}}")

    return Peer(
        name="dbt snapshot, timestamp",
        program=program,
        python=python,
        files={
            "dbt_project.yml": "name: bench\nversion: '1.0'\nprofile: bench\n"
            "flags: {send_anonymous_usage_stats: false}\n",
            "profiles.yml": "bench:\n  target: dev\n  outputs:\n"
            "    dev: {type: duckdb, path: dev.duckdb, threads: 2}\n",
            "models/sources.yml": "version: 2\nsources:\n  - name: raw\n    tables: [{name: customer_changes}]\n",
            "models/newest_changes.sql": "{{ config(materialized='ephemeral') }}\n"
            + _newest("ingested_date = DATE '{{ var(\"day\") }}'", "{{ source('raw', 'customer_changes') }}"),
            "snapshots/customer_history.yml": "snapshots:\n  - name: customer_history\n"
            "    relation: ref('newest_changes')\n    config: {unique_key: customer_id, strategy: timestamp, "
            "updated_at: effective_ts, hard_deletes: ignore}\n",
        },
        first=lambda start, end: variables(end),
        next=variables,
        rows=_VERSIONS.format(start="dbt_valid_from", end="dbt_valid_to", table="main.customer_history"),
        seed=lambda table: (
            "CREATE OR REPLACE TABLE main.customer_history AS SELECT customer_id, tier, region, effective_ts, "
            "is_deleted, md5(customer_id || '|' || effective_ts) AS dbt_scd_id, effective_ts AS dbt_updated_at, "
            f"valid_from AS dbt_valid_from, valid_to AS dbt_valid_to FROM ({_right_history()})",
        ),
        promise="each run closes the current version of a key that has a newer one now; one version a key and run, "
        "and none in the past",
    )


def _newest(condition: str, source: str) -> str:
    """The newest change of each key in one day, which is all that a snapshot can take in."""
    return (
        f"SELECT customer_id, tier, region, effective_ts, is_deleted\nFROM {source}\nWHERE {condition}\n"
        "QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY effective_ts DESC) = 1\n"
    )


def _right_history() -> str:
    """Every version, deletes among them, with the interval in which it held: what a snapshot's table should hold."""
    return (
        "SELECT customer_id, tier, region, effective_ts, is_deleted, effective_ts AS valid_from, "
        f"LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to FROM {SOURCE}"
    )
