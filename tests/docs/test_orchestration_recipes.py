"""The recipes of ``docs/orchestration.md``: well-formed, and they try again what may work later and nothing else."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tests.cli.shell import Shell
from tests.docs.commands import File, steps
from tests.examples.projects import ROOT, environment

PAGE = (ROOT / "docs" / "orchestration.md").read_text(encoding="utf-8")
FILES = {step.path: step.text for step in steps(PAGE) if isinstance(step, File)}
SCRIPT = "bin/nightly"
STUB = """#!/bin/sh
echo "$@" >> calls
code=$(head -n 1 codes)
sed -i 1d codes
exit "$code"
"""
COMMAND = "build --lock-timeout 600"
AGAIN = (1, 4, 130, 143)
NEVER = (2, 3, 70)


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("codes", "calls"),
    [([0], 1), ([1, 0], 2), ([4, 143, 0], 3), ([1, 1, 1], 3), *(([code], 1) for code in NEVER), ([1, 3], 2)],
)
def test_the_cron_script_tries_again_what_may_work_later(tmp_path: Path, codes: list[int], calls: int) -> None:
    script = program(tmp_path / SCRIPT, FILES[SCRIPT])
    program(tmp_path / "stub/smelt", STUB)
    (tmp_path / "codes").write_text("".join(f"{code}\n" for code in codes))
    variables = {**os.environ, "PATH": f"{tmp_path}/stub:{os.environ['PATH']}", "PAUSE": "0"}
    ended = subprocess.run([script], env=variables, check=False)
    assert ended.returncode == codes[-1]
    assert (tmp_path / "calls").read_text() == f"{COMMAND}\n" * calls


def test_the_cron_script_builds_a_project(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    assert Shell(tmp_path)("init", str(root)).code == 0
    script = program(root / SCRIPT, FILES[SCRIPT])
    ended = subprocess.run([script], env=environment(), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "2 models: 2 done" in ended.stderr


def test_the_workflow_keeps_runs_apart_and_state_in_place() -> None:
    # A plain loader: YAML 1.1 takes the key `on` for a truth value, GitHub does not.
    workflow = yaml.load(FILES[".github/workflows/nightly.yml"], Loader=yaml.BaseLoader)
    assert {"name", "on", "concurrency", "jobs"} == set(workflow)
    assert workflow["concurrency"]["cancel-in-progress"] == "false"
    [job] = workflow["jobs"].values()
    runs = [step["run"] for step in job["steps"] if "run" in step]
    assert runs == [f"smelt {COMMAND} --json > run.json"]
    assert job["steps"][0]["with"] == {"clean": "false"}


class _Raised(Exception):
    """What a recipe raises, with what it says."""

    def __init__(self, text: str, *, allow_retries: bool = True) -> None:
        super().__init__(text)
        self.retries = allow_retries


class _Final(_Raised):
    """Airflow's error that is not tried again."""


def _passing(*found: Any, **settings: Any) -> Any:
    """A decorator with or without settings: what it decorates stays."""
    return found[0] if found else lambda function: function


def _module(name: str, **members: object) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(members)
    return module


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[list[str]]]:
    """Have the next ``smelt`` end with a code; returns the commands that were run."""
    calls: list[list[str]] = []

    def set_code(code: int) -> list[list[str]]:
        def run(command: list[str], **settings: Any) -> subprocess.CompletedProcess[str]:
            calls.append(command)
            return subprocess.CompletedProcess(command, code, '{"run_id": "r", "models": {"m": {"row_count": 3}}}', "")

        monkeypatch.setattr(subprocess, "run", run)
        return calls

    return set_code


def load(path: str, monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> dict[str, Any]:
    for module in modules:
        monkeypatch.setitem(sys.modules, module.__name__, module)
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(FILES[path], path, "exec"), names)
    return names


@pytest.mark.parametrize("code", [0, *AGAIN, *NEVER])
def test_the_airflow_task(monkeypatch: pytest.MonkeyPatch, ended: Callable[[int], list[list[str]]], code: int) -> None:
    """With stand-ins for Airflow's names: what it raises decides whether a task is tried again."""
    calls = ended(code)
    raised: list[_Raised] = []

    def run_now(function: Callable[[], object]) -> Callable[[], None]:
        def call() -> None:
            try:
                function()
            except _Raised as error:
                raised.append(error)

        return call

    exceptions = _module("airflow.exceptions", AirflowException=_Raised, AirflowFailException=_Final)
    sdk = _module("airflow.sdk", dag=lambda **settings: _passing, task=lambda **settings: run_now)
    load("dags/customers.py", monkeypatch, _module("airflow"), exceptions, sdk)
    assert calls == [["smelt", *COMMAND.split()]]
    assert [type(error) for error in raised] == ([] if code == 0 else [_Raised if code in AGAIN else _Final])


@pytest.mark.parametrize("code", [0, *AGAIN, *NEVER])
def test_the_dagster_asset(monkeypatch: pytest.MonkeyPatch, ended: Callable[[int], list[list[str]]], code: int) -> None:
    """With stand-ins for Dagster's names."""
    calls = ended(code)
    names = dict.fromkeys(("AssetExecutionContext", "Definitions", "RetryPolicy", "ScheduleDefinition"), dict)
    log = _module("log", info=lambda text: None)
    dagster = _module(
        "dagster",
        **names,
        Failure=_Raised,
        MaterializeResult=dict,
        asset=_passing,
        define_asset_job=lambda *found: found,
    )
    asset = load("customers/definitions.py", monkeypatch, dagster)["customers"]
    if code == 0:
        assert asset(_module("context", log=log)) == {"metadata": {"run_id": "r", "m": 3}}
    else:
        with pytest.raises(_Raised) as raised:
            asset(_module("context", log=log))
        assert raised.value.retries is (code in AGAIN)
    assert calls == [["smelt", *COMMAND.split(), "--json"]]
