"""The base project of the behaviour cases, run by the real command line in child processes."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tests import forked
from tests.databases import blank
from tests.state.children import REPOSITORY, start

SMELT_YML = """name: base
targets:
  dev: {type: duckdb, database: target/dev.duckdb, settings: {threads: 1}}
default_target: dev
"""
SOURCE = """files: data/*.csv
mutation_profile: append_only
timeseries: {event_time_column: ts, partition_column: arrived, granularity: day}
columns:
  - {name: k, type: INTEGER, nullable: false}
  - {name: ts, type: TIMESTAMP, nullable: false}
  - {name: v, type: VARCHAR}
  - {name: is_deleted, type: BOOLEAN, nullable: false}
  - {name: arrived, type: DATE, nullable: false}
"""
QUERY = """SELECT k, v, ts AS valid_from, LEAD(ts) OVER w AS valid_to
FROM {events}
WINDOW w AS (PARTITION BY k ORDER BY ts)
QUALIFY NOT is_deleted
"""
HEADER = "k,ts,v,is_deleted,arrived\n"
W1 = HEADER + "1,2025-01-01 10:00:00,a,false,2025-01-01\n1,2025-01-01 11:00:00,,true,2025-01-01\n"
W2 = HEADER + "1,2025-01-02 10:00:00,b,false,2025-01-02\n1,2025-01-01 10:30:00,late,false,2025-01-02\n"
FIRST = ("--start", "2025-01-01", "--end", "2025-01-02")
SECOND = ("--start", "2025-01-02", "--end", "2025-01-03")
Rows = list[tuple[object, ...]]


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


class Base:
    """The project at ``root``, with the data of W1 and W2 in place."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.put("smelt.yml", SMELT_YML)
        self.put("models/sources/events.yml", SOURCE)
        self.put("models/history.sql", f"---\nrefresh: incremental\n---\n{QUERY.format(events='smelt.sources.events')}")
        self.put("data/w1.csv", W1)
        self.put("data/w2.csv", W2)

    def put(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def begin(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        project = ("--project-dir", str(self.root))
        return start(forked.SMELT, *arguments, *project, PYTHONPATH=str(REPOSITORY), NO_COLOR="1", **environment)

    def smelt(self, *arguments: str, **environment: str) -> Ran:
        project = ("--project-dir", str(self.root))
        plain = {**os.environ, "NO_COLOR": "1", **environment}
        ended = forked.run(forked.SMELT, *arguments, *project, cwd=REPOSITORY, environment=plain)
        return Ran(ended.returncode, ended.stdout, ended.stderr)

    def ok(self, *arguments: str) -> Ran:
        ran = self.smelt(*arguments)
        assert ran.code == 0, ran.err
        return ran

    def query(self, sql: str) -> Rows:
        with duckdb.connect(str(self.root / "target/dev.duckdb"), read_only=True) as connection:
            return connection.execute(sql).fetchall()

    def history(self) -> Rows:
        return sorted(self.query("SELECT * FROM history"), key=repr)

    def tombstones(self) -> int:
        [(count,)] = self.query("SELECT count(*) FROM history__tombstones")
        assert isinstance(count, int)
        return count

    def oracle(self, *files: str) -> Rows:
        paths = ", ".join(f"'{self.root}/data/{name}.csv'" for name in files)
        events = f"(SELECT DISTINCT k, ts, v, is_deleted FROM read_csv([{paths}], nullstr='')) AS events"
        with blank() as connection:
            return sorted(connection.execute(QUERY.format(events=events)).fetchall(), key=repr)

    @property
    def target(self) -> Path:
        return self.root / ".smelt/targets/dev"

    def document(self, name: str) -> dict[str, object]:
        found = json.loads((self.target / name).read_text("utf-8"))
        assert isinstance(found, dict)
        return found

    def manifests(self) -> list[dict[str, object]]:
        """Oldest first."""
        names = sorted((path.name for path in (self.target / "runs").glob("*.json")), key=lambda name: name[-11:])
        return [self.document(f"runs/{name}") for name in names]
