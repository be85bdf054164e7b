"""``check`` over several projects of one repository."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.shell import Shell

MODEL = "models/customer_history.sql"
BROKEN = "models/current_customers.sql"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A repository with the projects ``billing`` and ``teams/sales``, each with one finding, and a clean ``web``."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    shell = Shell(root)
    for name in ("billing", "teams/sales", "web"):
        assert shell("init", name).code == 0
    shell.edit(f"billing/{MODEL}", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    shell.edit(f"teams/sales/{BROKEN}", "tier, region", "teir, region")
    shell.write("README.md", "no project's")
    return shell


def _found(shell: Shell, *arguments: str) -> list[tuple[str, str]]:
    said = shell("check", "--format", "json", *arguments)
    return [(finding["project"], finding["file"]) for finding in said.json["diagnostics"]]


EVERY = [("billing", MODEL), ("teams/sales", BROKEN)]


def test_a_folder_above_stands_for_all_projects_below(repository: Shell) -> None:
    assert _found(repository) == EVERY
    assert _found(repository, ".") == EVERY
    assert _found(repository, "teams", "web", "billing") == EVERY
    assert repository("check", "web").code == 0


def test_text_says_which_project(repository: Shell) -> None:
    said = repository("check")
    assert (said.code, said.err) == (1, "2 errors in 12 files\n")
    assert said.out.startswith("in billing:\n\nerror[SuccessionDeleteFilterMisplaced]: ")
    assert "\nin teams/sales:\n\nerror[UnknownColumn]: " in said.out
    assert f"--> {BROKEN}:6:21" in said.out
    assert "in web" not in said.out
    assert not repository("check", "billing").out.startswith("in billing")


def test_paths_of_several_projects(repository: Shell) -> None:
    assert _found(repository, f"billing/{MODEL}", f"teams/sales/{BROKEN}", f"web/{MODEL}") == EVERY
    assert _found(repository, f"billing/{BROKEN}", f"teams/sales/{BROKEN}") == EVERY[1:]
    assert _found(repository, "billing/models", "teams/sales/models/sources") == EVERY[:1]


def test_where_one_stands_decides_what_a_project_is_called(repository: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository.root / "billing/models")
    assert _found(repository) == [(".", MODEL)]
    assert _found(repository, "customer_history.sql", "../../teams") == [(".", MODEL), ("../../teams/sales", BROKEN)]


def test_the_project_dir_may_hold_several(repository: Shell) -> None:
    assert _found(repository, "--project-dir", "teams") == EVERY[1:]
    assert _found(repository, "--project-dir", "teams", f"teams/sales/{BROKEN}") == EVERY[1:]
    said = repository("check", "--project-dir", "teams", f"billing/{MODEL}")
    assert (said.code, said.out) == (2, "")
    assert f"billing/{MODEL} is not in the project teams" in said.err


@pytest.mark.parametrize("path", ["README.md", "empty"])
def test_a_path_that_is_in_no_project(repository: Shell, path: str) -> None:
    (repository.root / "empty").mkdir()
    said = repository("check", "billing", path)
    assert (said.code, said.out) == (2, "")
    assert f"{path} is in no project" in said.err


def test_code_hosts_read_paths_from_the_repository_root(repository: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [f"billing/{MODEL}", f"teams/sales/{BROKEN}"]
    for folder in (".", "web"):
        monkeypatch.chdir(repository.root / folder)
        paths = (str(repository.root),)
        (run,) = repository("check", "--format", "sarif", *paths).json["runs"]
        uris = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]]
        assert uris == expected
        lines = repository("check", "--format", "github", *paths).out.splitlines()
        assert [line.partition(",file=")[2].partition(",")[0] for line in lines] == expected


def test_junit_has_a_suite_for_each(repository: Shell) -> None:
    suites = ElementTree.fromstring(repository("check", "--format", "junit").out)
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == [
        ("billing", "1"),
        ("teams/sales", "1"),
        ("web", "0"),
    ]


def test_one_baseline_for_all(repository: Shell) -> None:
    baseline = ("--baseline", "known.json")
    assert repository("check", *baseline, "--write-baseline").code == 0
    entries = json.loads((repository.root / "known.json").read_text())["findings"]
    assert [(entry["project"], entry["file"]) for entry in entries] == EVERY
    assert repository("check", *baseline).code == 0
    assert repository("check", "web", *baseline).err == "nothing found in 4 files\n"
    repository.edit(f"web/{MODEL}", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    assert _found(repository, *baseline) == [("web", MODEL)]


def test_fixes_in_all(repository: Shell) -> None:
    repository.edit(f"web/{MODEL}", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    shown = repository("check", "--diff", "billing", "web")
    assert f"--- a/billing/{MODEL}\n" in shown.out
    assert f"--- a/web/{MODEL}\n" in shown.out
    assert repository("check", "--fix").err.startswith("fixed ")
    assert _found(repository, "billing", "web") == []


def test_values_of_every_environment_are_hidden(repository: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("billing", "web"):
        monkeypatch.setenv(f"SECRET_{name.upper()}", f"hush-{name}")
        repository.edit(f"{name}/smelt.yml", "target/dev.duckdb", f'"target/${{SECRET_{name.upper()}}}"')
        repository.edit(f"{name}/{BROKEN}", "tier, region", f'"hush-{name}", region')
    said = repository("check", "billing", "web")
    assert said.out.count("there is no column `***`") == 2
    assert "hush" not in said.out


def test_a_link_to_a_file_elsewhere_is_the_project_s_own(repository: Shell) -> None:
    elsewhere = repository.write("shared/customers.sql", "SELECT nothing FROM smelt.customer_history\n")
    (repository.root / "web/models/linked.sql").symlink_to(elsewhere)
    assert _found(repository, "web/models/linked.sql") == [("web", "models/linked.sql")]


def test_an_inner_project_is_its_own(repository: Shell) -> None:
    assert repository("init", "billing/inner").code == 0
    repository.edit(f"billing/inner/{MODEL}", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    assert _found(repository, f"billing/inner/{MODEL}") == [("billing/inner", MODEL)]
    assert _found(repository, "billing") == EVERY[:1]
