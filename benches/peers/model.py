"""What a tool has to say of itself to be measured beside the others."""

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benches.measuring import Cost, child

SOURCE = "raw.customer_changes"

ORACLE = f"""\
SELECT
    customer_id,
    tier,
    region,
    effective_ts AS valid_from,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to,
    LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) IS NULL AS is_current
FROM {SOURCE}
QUALIFY NOT is_deleted"""
"""What every tool's table is compared with: the windows over all that arrived."""

_EXECUTE = Path(__file__).parent / "execute.py"


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool.

    Attributes:
        program: what is run; ``python`` is one whose DuckDB the tool's file may be written by.
        files: the project, by path.
        first: arguments of the first run, for the first days up to an ISO date; ``next`` those of a later one.
        rows: its history as SQL, in the columns of :data:`ORACLE`.
        seed: statements that give it the right history of everything in the source, given the name of its table;
            None if its own first run gets there.
        table: a query for the name of its table.
        promise: what it says that it keeps.
    """

    name: str
    program: Path
    python: Path
    files: Mapping[str, str]
    first: Callable[[str, str], tuple[str, ...]]
    next: Callable[[str], tuple[str, ...]]
    rows: str
    promise: str
    seed: Callable[[str], tuple[str, ...]] | None = None
    table: str = ""
    database: str = "dev.duckdb"


@dataclass(slots=True)
class Place:
    """A peer's project in a folder, with the size of its file when it held nothing but the source."""

    peer: Peer
    folder: Path
    source_size: int = 0
    costs: list[Cost] = field(default_factory=list)

    @property
    def file(self) -> Path:
        """The database, which holds source and history."""
        return self.folder / self.peer.database

    @property
    def own_size(self) -> int:
        """Bytes of the file beyond the source."""
        return self.file.stat().st_size - self.source_size

    def write(self) -> None:
        """Write the project."""
        for name, text in self.peer.files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.file.parent.mkdir(exist_ok=True)

    def execute(self, *statements: str) -> list[list[Any]]:
        """Run statements in the tool's file, and give the rows of the last."""
        command = [str(self.peer.python), str(_EXECUTE), str(self.file)]
        done = subprocess.run(command, input=json.dumps(statements), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{self.peer.name}: {done.stderr[-2000:]}")
        found: list[list[Any]] = json.loads(done.stdout)
        return found

    def load(self, select: str) -> None:
        """Let rows arrive in the source."""
        if self.file.exists():
            self.execute(f"INSERT INTO {SOURCE} {select}")
        else:
            self.execute("CREATE SCHEMA raw", f"CREATE TABLE {SOURCE} AS {select}")
            self.source_size = self.file.stat().st_size

    def run(self, arguments: tuple[str, ...]) -> Cost:
        """Run the tool."""
        return child([str(self.peer.program), *arguments], self.folder)

    def give_history(self) -> None:
        """Hand the tool the right history of what is in the source."""
        if self.peer.seed is not None:
            table = str(self.execute(self.peer.table)[0][0]) if self.peer.table else ""
            self.execute(*self.peer.seed(table), "CHECKPOINT")

    def differences(self) -> tuple[int, int, int]:
        """Rows of the oracle, those of them that the tool does not have, and rows that it has and the oracle not."""
        missing = f"SELECT count(*) FROM (({ORACLE}) EXCEPT ALL ({self.peer.rows}))"
        wrong = f"SELECT count(*) FROM (({self.peer.rows}) EXCEPT ALL ({ORACLE}))"
        (found,) = self.execute(f"SELECT (SELECT count(*) FROM ({ORACLE})), ({missing}), ({wrong})")
        return int(found[0]), int(found[1]), int(found[2])
