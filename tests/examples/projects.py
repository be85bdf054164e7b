"""The examples as tests use them: a scratch copy, the real command line, and the built tables."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb

from tests import forked

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
NAMES = ("debezium", "scd2_succession", "time_zones")


@dataclass(frozen=True, slots=True)
class Example:
    """A scratch copy of an example."""

    root: Path

    def smelt(self, *arguments: str, exit_code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run ``smelt`` in the example; it must end with ``exit_code``."""
        ended = forked.run(forked.SMELT, *arguments, cwd=self.root, environment=environment())
        assert ended.returncode == exit_code, f"smelt {' '.join(arguments)}\n{ended.stdout}\n{ended.stderr}"
        return ended

    def query(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Rows of a query over the built tables; paths in it are relative to the example."""
        with duckdb.connect(str(self.root / "target" / "dev.duckdb"), read_only=True) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            connection.execute("SET file_search_path = $1", [str(self.root)])
            return connection.execute(sql, list(parameters)).fetchall()

    def differences(self, one: str, other: str) -> list[tuple[Any, ...]]:
        """Rows that only one of two queries yields, as multisets."""
        return self.query(
            f"(FROM ({one}) EXCEPT ALL FROM ({other})) UNION ALL (FROM ({other}) EXCEPT ALL FROM ({one})) LIMIT 10"
        )


def environment() -> dict[str, str]:
    """The environment of a command: this interpreter's programs first, and nothing that depends on a terminal."""
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": search, "NO_COLOR": "1", "COLUMNS": "120"}


def copy(name: str, folder: Path) -> Example:
    """A scratch copy of an example as it is committed."""
    unwanted = shutil.ignore_patterns("target", ".smelt", "__pycache__", "ingested_date=2026-*")
    shutil.copytree(EXAMPLES / name, folder / name, ignore=unwanted)
    return Example(folder / name)


def copied(example: Example, folder: Path) -> Example:
    """A copy of an example as it is now, with all that was built in it."""
    return Example(shutil.copytree(example.root, folder / example.root.name))


def generator(name: str) -> ModuleType:
    """An example's ``generate.py`` as a module."""
    specification = importlib.util.spec_from_file_location(f"{name}_generate", EXAMPLES / name / "generate.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module
