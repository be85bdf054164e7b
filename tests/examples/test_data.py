"""The committed data are what their scripts make, and small."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.examples.projects import EXAMPLES, NAMES, copy


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "where"),
    [("scd2_succession", "changes"), ("debezium", "topics/shop.public.customers")],
)
def test_data_are_what_the_script_makes(name: str, where: str, tmp_path: Path) -> None:
    committed = copy(name, tmp_path).root / "data" / where
    made = tmp_path / "made"
    script = [sys.executable, str(EXAMPLES / name / "generate.py"), "--output", str(made)]
    subprocess.run(script, check=True, capture_output=True)
    assert _files(made) == _files(committed)
    for file in sorted(_files(made)):
        assert _content(made / file) == _content(committed / file), file


def _content(path: Path) -> object:
    """A file's rows: the bytes of a Parquet file depend on the version that wrote it."""
    if path.suffix != ".parquet":
        return path.read_bytes()
    return duckdb.execute("FROM read_parquet($1, hive_partitioning = false)", [str(path)]).fetchall()


@pytest.mark.parametrize("name", NAMES)
def test_data_stay_under_a_megabyte(name: str, tmp_path: Path) -> None:
    root = copy(name, tmp_path).root
    assert sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) < 1_000_000
