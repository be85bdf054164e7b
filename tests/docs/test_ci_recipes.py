"""The recipes of ``docs/ci.md`` and the hooks: well-formed, and their commands do what the page says."""

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import yaml

from tests import forked
from tests.docs.commands import File, steps
from tests.docs.typed import plain
from tests.examples.projects import ROOT, copy, environment

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
FILES = {step.path: step.text for step in steps(PAGE) if isinstance(step, File)}
WORKFLOW = ".github/workflows/smelt.yml"
MODEL = "customers/models/customer_history.sql"
SARIF = json.loads((ROOT / "tests/diagnostics/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))


def _workflow() -> Any:
    # A plain loader: YAML 1.1 takes the key `on` for a truth value, GitHub does not.
    return yaml.load(FILES[WORKFLOW], Loader=yaml.BaseLoader)


def _job_steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in _workflow()["jobs"].items():
        for step in job["steps"]:
            yield name, step


def _commands() -> list[str]:
    """Every ``smelt`` command line of every recipe."""
    lines = [str(step["run"]) for _, step in _job_steps() if "run" in step]
    lines += yaml.safe_load(FILES[".gitlab-ci.yml"])["smelt"]["script"]
    hooks = [hook for repo in yaml.safe_load(FILES[".pre-commit-config.yaml"])["repos"] for hook in repo["hooks"]]
    hooks += yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return [*(line for line in lines if line.startswith("smelt ")), *(hook["entry"] for hook in hooks)]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A clone on a branch of its own, with a project below its root; ``origin/main`` is where the branch began."""
    root = tmp_path / "repository"
    root.mkdir()
    copy("scd2_succession", root).root.rename(root / "customers")
    for command in ("init -q -b work", "add .", "commit -q -m one", "update-ref refs/remotes/origin/main HEAD"):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.example")
        subprocess.run(["git", *identity, *command.split()], cwd=root, check=True, capture_output=True)
    return root


def _run(command: str, root: Path) -> subprocess.CompletedProcess[str]:
    """Run a line as a runner does: by a shell that stops at the first failure, in the clone's root."""
    variables = {**environment(), "GITHUB_BASE_REF": "main"}
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        variables.pop(name, None)
    arguments = plain(command)
    if arguments is not None:
        return forked.run(forked.SMELT, *arguments, cwd=root, environment=variables)
    return subprocess.run(
        ["bash", "-e", "-c", command], cwd=root, env=variables, capture_output=True, text=True, check=False
    )


def test_there_are_commands() -> None:
    assert len(_commands()) == 7


@pytest.mark.parametrize("command", sorted(set(_commands())))
def test_a_command_passes_a_clean_project_and_fails_a_broken_one(command: str, repository: Path) -> None:
    clean = _run(command, repository)
    assert (clean.returncode, clean.stderr.count("rror")) == (0, 0), clean.stderr
    model = repository / MODEL
    model.write_text(model.read_text(encoding="utf-8").replace("effective_ts AS", "qqq AS"), encoding="utf-8")
    broken = _run(command, repository)
    assert broken.returncode == 1, broken.stderr


def test_annotations_are_on_the_lines_of_the_pull_request(repository: Path) -> None:
    (command,) = [line for line in _commands() if "--changed-since" in line]
    model = repository / MODEL
    model.write_text(model.read_text(encoding="utf-8").replace("effective_ts AS", "effective_tz AS"), encoding="utf-8")
    assert f"::error title=smelt%3A UnknownColumn,file={MODEL},line=" in _run(command, repository).stdout


def test_the_uploaded_file_is_the_written_one_and_valid(repository: Path) -> None:
    (command,) = [line for line in _commands() if "sarif" in line]
    (upload,) = [step for _, step in _job_steps() if "upload-sarif" in step.get("uses", "")]
    assert _run(command, repository).returncode == 0
    written = repository / upload["with"]["sarif_file"]
    jsonschema.Draft7Validator(SARIF).validate(json.loads(written.read_text(encoding="utf-8")))
    assert "failure()" in upload["if"]


def test_the_report_is_the_written_one(repository: Path) -> None:
    job = yaml.safe_load(FILES[".gitlab-ci.yml"])["smelt"]
    assert _run(job["script"][-1], repository).returncode == 0
    suites = ElementTree.parse(repository / job["artifacts"]["reports"]["junit"]).getroot()
    assert [suite.get("name") for suite in suites] == ["customers"]


def test_the_workflow_has_what_its_jobs_need() -> None:
    workflow = _workflow()
    assert set(workflow) == {"name", "on", "permissions", "jobs"}
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert set(job) <= {"runs-on", "permissions", "steps"}
        first, *rest = job["steps"]
        assert re.fullmatch(r"actions/checkout@v\d+", first["uses"])
        assert all(("uses" in step) != ("run" in step) for step in rest)
    assert workflow["jobs"]["check"]["steps"][0]["with"] == {"fetch-depth": "0"}
    assert workflow["jobs"]["code-scanning"]["permissions"]["security-events"] == "write"


def test_nothing_that_others_may_choose_is_put_into_a_shell() -> None:
    assert [step["run"] for _, step in _job_steps() if "${{" in step.get("run", "")] == []


def test_the_installed_package_is_this_one() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    installed = {shlex.split(step["run"])[-1] for _, step in _job_steps() if "pip install" in step.get("run", "")}
    assert {f'name = "{name}"' in project for name in installed} == {True}


def test_the_hooks_are_as_pre_commit_wants_them() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["smelt-check", "smelt-fix"]
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert hook["language"] == "python"
        for path, wanted in {"a/smelt.yml": True, "models/x.sql": True, "s.yaml": True, "README.md": False}.items():
            assert (re.search(hook["files"], path) is not None) is wanted
