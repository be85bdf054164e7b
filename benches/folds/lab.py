"""Projects with one history and a source beside it, ready to be folded into."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benches.folds.measure import arm
from benches.streams import COLUMNS, FIRST_DAY, Stream

DAYS = 365
"""Partitions that a history arrives in; the windows after it are one day each."""

MODEL = """\
SELECT
    customer_id,
    tier,
    region,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) IS NULL AS is_current
FROM {source}
QUALIFY NOT is_deleted
"""
"""The model that everything here keeps."""

_SOURCE = "feed.main.customer_changes"


@dataclass(frozen=True, slots=True)
class History:
    """A built history in a folder: the source as it was then, and the database that smelt made of it."""

    folder: Path
    stream: Stream
    events: int
    memory_limit: str | None = None

    @property
    def source(self) -> Path:
        """The database that holds the source."""
        return self.folder / "source.duckdb"

    @property
    def built(self) -> Path:
        """The database with the history, without the source."""
        return self.folder / "built.duckdb"

    def make(self, extra: str | None = None) -> float:
        """Write the source and fold all of it at once; the CPU seconds of the fold. ``extra`` adds events."""
        project = Lab(self, "first")
        project.folder.mkdir(parents=True)
        with duckdb.connect(str(project.source)) as connection:
            select = self.stream.select(0, self.events, f"arrival * {DAYS} // {self.events}")
            union = "" if extra is None else f" UNION ALL {extra}"
            connection.execute(f"CREATE TABLE customer_changes AS {select}{union}")
        project.write()
        result = arm("fold", project.folder)
        shutil.move(project.database, self.built)
        shutil.move(project.source, self.source)
        return result.cpu

    def discard(self) -> None:
        """Give back the space."""
        shutil.rmtree(self.folder)


@dataclass(frozen=True, slots=True)
class Lab:
    """A project in which windows have arrived that are not folded yet."""

    history: History
    name: str

    @property
    def folder(self) -> Path:
        """The project's folder."""
        return self.history.folder / self.name

    @property
    def source(self) -> Path:
        """The database that holds the source, windows included."""
        return self.folder / "source.duckdb"

    @property
    def database(self) -> Path:
        """The database that is folded into."""
        return self.folder / "target" / "dev.duckdb"

    def make(self, events: int, windows: int = 1, select: str | None = None) -> None:
        """Let windows of so many events each arrive, a day each; ``select`` gives other rows for the first."""
        self.folder.mkdir(parents=True)
        shutil.copyfile(self.history.source, self.source)
        first = self.history.events
        # No events is no window: then the source stays as it was.
        if not events:
            self.write()
            return
        query = select or self.history.stream.select(
            first, events * windows, f"{DAYS} + (arrival - {first}) // {events}"
        )
        with duckdb.connect(str(self.source)) as connection:
            connection.execute(f"INSERT INTO customer_changes {query}")
        self.write()

    def reset(self) -> None:
        """Back to the history as it was built."""
        self.database.parent.mkdir(exist_ok=True)
        shutil.copyfile(self.history.built, self.database)
        Path(f"{self.database}.wal").unlink(missing_ok=True)

    def discard(self) -> None:
        """Give back the space."""
        shutil.rmtree(self.folder)

    def write(self) -> None:
        """Write the project's files."""
        limit = "" if self.history.memory_limit is None else f"memory_limit: {self.history.memory_limit}"
        columns = "".join(
            f"  - {{name: {name}, type: {kind}, nullable: {str(nullable).lower()}}}\n"
            for name, kind, nullable in COLUMNS
        )
        files = {
            "smelt.yml": "name: bench\nversion: 1\nprobes: {cadence: 'off'}\ntargets:\n"
            f"  dev: {{type: duckdb, database: target/dev.duckdb, settings: {{{limit}}},"
            " init_sql: [\"ATTACH 'source.duckdb' AS feed (READ_ONLY)\"]}\ndefault_target: dev\n",
            "models/customer_history.sql": "---\nrefresh: incremental\n---\n"
            + MODEL.format(source="smelt.sources.customer_changes"),
            "models/sources/customer_changes.yml": f"name: {_SOURCE}\nmutation_profile: append_only\n"
            "timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}\n"
            f"columns:\n{columns}",
        }
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.database.parent.mkdir(exist_ok=True)


def day(number: int) -> str:
    """The ISO date of a day after the first."""
    with duckdb.connect() as connection:
        row = connection.execute(f"SELECT CAST(DATE '{FIRST_DAY}' + {number} AS VARCHAR)").fetchone()
    assert row is not None
    return str(row[0])
