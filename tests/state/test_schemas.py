"""The published schemas, held against what real runs wrote under ``.smelt/``."""

import json
import signal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from smelt.state.schemas import FILES, state_schema
from tests.cli.shell import Shell, in_a_process

SCHEMA = state_schema()
FOLDERS = {"runs": "manifest", "reports": "report", "schemas": "schema"}
HOURLY = """files: data/hourly.csv
mutation_profile: append_only
timeseries: {event_time_column: ts, partition_column: ts, granularity: hour}
columns:
  - {name: k, type: INTEGER, nullable: false}
  - {name: ts, type: TIMESTAMP, nullable: false}
"""
HOURLY_MODEL = """---
refresh: incremental
---
SELECT k, ts AS valid_from, LEAD(ts) OVER (PARTITION BY k ORDER BY ts) AS valid_to FROM smelt.sources.hourly
"""


def kind_of(path: Path) -> str:
    return FOLDERS.get(path.parent.name, path.stem)


def is_valid(kind: str, document: object) -> bool:
    validator = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})
    return bool(validator.is_valid(document))


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, dict[str, Any]]:
    """What builds, failures, skips, failed tests, a repair and a kill left behind."""
    folder = tmp_path_factory.mktemp("schemas")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert Shell(folder)("init", "demo").code == 0
        root = folder / "demo"
        patch.chdir(root)
        shell = Shell(root)
        shell.write("models/sources/hourly.yml", HOURLY)
        shell.write("models/hourly.sql", HOURLY_MODEL)
        shell.write("data/hourly.csv", "k,ts\n1,2025-01-01 05:30:00\n")
        shell.write("models/codes.csv", "code\na\n")
        shell.write("models/broken.sql", "---\nmaterialization: table\n---\nSELECT 1 // 0 AS one, error('no') AS two")
        shell.write("models/over.sql", "SELECT one FROM smelt.broken")
        assert shell("build").code == 1
        assert shell("run", "hourly", "--start", "2025-01-01T05:00", "--end", "2025-01-01T06:00").code == 0
        assert shell("repair", "customer_history").code == 0
        assert in_a_process("run", cwd=root, SMELT_FAILPOINT="before-commit").code == -signal.SIGKILL
    return {path: json.loads(path.read_bytes()) for path in sorted((root / ".smelt").rglob("*.json"))}


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_what_runs_wrote_is_valid_and_of_every_kind(documents: dict[Path, dict[str, Any]]) -> None:
    assert {kind_of(path) for path in documents} == set(FILES)
    whole = jsonschema.Draft202012Validator(SCHEMA)
    for path, document in documents.items():
        assert is_valid(kind_of(path), document), path
        assert whole.is_valid(document), path


def test_the_runs_were_of_many_kinds(documents: dict[Path, dict[str, Any]]) -> None:
    manifests = [document for path, document in documents.items() if kind_of(path) == "manifest"]
    models = [model for manifest in manifests for model in manifest["models"].values()]
    assert {manifest["status"] for manifest in manifests} == {"running", "completed"}
    assert {model["outcome"] for model in models} == {"success", "failed", "skipped"}
    assert {"view", "seed", "succession-build", "none"} <= {model["strategy"] for model in models}
    assert any(manifest["window"] for manifest in manifests)
    assert any(manifest["tests"] for manifest in manifests)


def test_they_are_written_to_be_read(documents: dict[Path, dict[str, Any]]) -> None:
    for path, document in documents.items():
        text = json.dumps(document, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
        assert path.read_text("utf-8") == text, path


OPTIONAL = ("exit_code", "test_counts")


@pytest.mark.parametrize("kind", FILES)
def test_without_a_field_it_is_not_valid_and_with_another_one_it_is(
    documents: dict[Path, dict[str, Any]], kind: str
) -> None:
    document = next(found for path, found in reversed(documents.items()) if kind_of(path) == kind)
    assert is_valid(kind, {**document, "later": 1})
    for field in document:
        assert is_valid(kind, {name: value for name, value in document.items() if name != field}) is (field in OPTIONAL)
        assert not is_valid(kind, {**document, field: [[]]})
