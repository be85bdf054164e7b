"""``check --changed-since`` over a real repository."""

import subprocess
from pathlib import Path

import pytest

from tests.cli.shell import Shell

HISTORY = "models/customer_history.sql"
CURRENT = "models/current_customers.sql"
SOURCE = "models/sources/customer_changes.yml"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The project, committed on ``main``; every model of it has a finding."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    shell.edit(HISTORY, "QUALIFY NOT is_deleted", "WHERE NOT is_deleted")
    shell.write("models/alone.sql", "SELECT nothing FROM smelt.sources.customer_changes\n")
    shell.write("models/reader.sql", "SELECT nothing FROM smelt.current_customers\n")
    git(shell.root, "init", "-q")
    git(shell.root, "add", ".")
    git(shell.root, "commit", "-q", "-m", "one")
    return shell


def _files(shell: Shell, ref: str = "main", *more: str) -> list[str]:
    said = shell("check", "--changed-since", ref, "--format", "json", *more)
    assert said.err == ""
    return sorted({finding["file"] for finding in said.json["diagnostics"]})


def _looked_at(shell: Shell, ref: str = "main") -> int:
    found: int = shell("check", "--changed-since", ref, "--format", "json").json["summary"]["files"]
    return found


def test_nothing_changed(repository: Shell) -> None:
    assert _files(repository) == []
    assert repository("check").code == 1
    assert repository("check", "--changed-since", "main").code == 0


def test_a_change_reaches_what_reads_it(repository: Shell) -> None:
    repository.edit("models/alone.sql", "SELECT", "SELECT  ")
    assert _files(repository) == ["models/alone.sql"]
    repository.edit(HISTORY, "SELECT", "SELECT  ")
    assert _files(repository) == ["models/alone.sql", HISTORY, "models/reader.sql"]


def test_a_source_reaches_every_model_over_it(repository: Shell) -> None:
    repository.edit(SOURCE, "description: Customer", "description: A customer")
    assert _files(repository) == ["models/alone.sql", HISTORY, "models/reader.sql"]


def test_the_project_file_reaches_everything(repository: Shell) -> None:
    repository.edit("smelt.yml", "version: 1", "version: 1 ")
    assert _looked_at(repository) == 6


def test_a_deleted_model_reaches_what_reads_it(repository: Shell) -> None:
    (repository.root / CURRENT).unlink()
    said = repository("check", "--changed-since", "main")
    assert "error[UnknownReference]" in said.out
    assert "models/reader.sql" in said.out
    assert "models/alone.sql" not in said.out


def test_a_new_file_counts_and_an_ignored_one_does_not(repository: Shell) -> None:
    repository.write("models/new one ä.sql", "SELECT nothing FROM smelt.current_customers\n")
    repository.write("models/hidden.sql", "SELECT nothing FROM smelt.current_customers\n")
    repository.write(".git/info/exclude", "hidden.sql\n")
    assert _files(repository) == ["models/new one ä.sql"]


def test_committed_and_staged_changes_count(repository: Shell) -> None:
    git(repository.root, "checkout", "-q", "-b", "work")
    repository.edit("models/alone.sql", "SELECT", "SELECT  ")
    git(repository.root, "commit", "-q", "-a", "-m", "two")
    repository.edit("models/reader.sql", "SELECT", "SELECT  ")
    git(repository.root, "add", ".")
    assert _files(repository) == ["models/alone.sql", "models/reader.sql"]
    assert _files(repository, "HEAD") == ["models/reader.sql"]


def test_what_happened_on_the_other_branch_does_not_count(repository: Shell) -> None:
    git(repository.root, "checkout", "-q", "-b", "work")
    git(repository.root, "checkout", "-q", "main")
    repository.edit("models/alone.sql", "SELECT", "SELECT  ")
    git(repository.root, "commit", "-q", "-a", "-m", "two")
    git(repository.root, "checkout", "-q", "work")
    assert _files(repository) == []


def test_a_second_file_of_one_address_is_found_by_the_new_one(repository: Shell) -> None:
    repository.write("models/alone.yml", "relation: somewhere\ncolumns: [{name: a, type: INTEGER}]\n")
    assert "error[DuplicateAddress]" in repository("check", "--changed-since", "main").out


def test_a_project_below_the_repository_root(repository: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    outer = repository.root.parent
    (repository.root / ".git").rename(outer / ".git")
    git(outer, "add", "-A")
    git(outer, "commit", "-q", "-m", "moved")
    (outer / "README.md").write_text("new")
    repository.edit("models/alone.sql", "SELECT", "SELECT  ")
    assert _files(repository) == ["models/alone.sql"]


def test_inside_a_hook(repository: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    outer = repository.root.parent
    (repository.root / ".git").rename(outer / ".git")
    git(outer, "add", "-A")
    git(outer, "commit", "-q", "-m", "moved")
    repository.edit("models/alone.sql", "SELECT", "SELECT  ")
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert _files(repository) == ["models/alone.sql"]


def test_paths_narrow_it_further(repository: Shell) -> None:
    repository.edit(HISTORY, "SELECT", "SELECT  ")
    assert _files(repository, "main", "models/reader.sql") == ["models/reader.sql"]


def test_known_findings_outside_of_the_change_are_not_unused(repository: Shell) -> None:
    assert repository("check", "--baseline", "known.json", "--write-baseline").code == 0
    repository.edit("models/alone.sql", "nothing", "customer_id")
    repository.edit("models/reader.sql", "nothing", "customer_id")
    git(repository.root, "add", "models/reader.sql")
    git(repository.root, "commit", "-q", "-m", "two")
    said = repository("check", "--changed-since", "HEAD", "--baseline", "known.json")
    assert "models/alone.sql: UnknownColumn" in said.err
    assert "models/reader.sql" not in said.err


@pytest.mark.parametrize("ref", ["no-such-branch", "--all", "-h", "", "main..main", "HEAD:smelt.yml", "$(touch x)"])
def test_no_such_commit(repository: Shell, ref: str) -> None:
    said = repository("check", f"--changed-since={ref}")
    assert (said.code, said.out) == (2, "")
    assert f"git knows no commit {ref}" in said.err
    assert not (repository.root / "x").exists()


def test_no_common_commit(repository: Shell) -> None:
    git(repository.root, "checkout", "-q", "--orphan", "other")
    git(repository.root, "commit", "-q", "-m", "another first")
    said = repository("check", "--changed-since", "main")
    assert said.code == 2
    assert "main and HEAD have no commit in common" in said.err


def test_no_repository(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(shell.root.parent))
    said = shell("check", "--changed-since", "main")
    assert (said.code, said.out) == (2, "")
    assert "is in no git repository" in said.err


def test_no_git(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(shell.root))
    said = shell("check", "--changed-since", "main")
    assert (said.code, said.out) == (2, "")
    assert "git is not installed" in said.err


def test_a_monitor_that_the_repository_names_is_not_started(repository: Shell) -> None:
    monitor = repository.write("monitor", "#!/bin/sh\ntouch started\n")
    monitor.chmod(0o755)
    git(repository.root, "config", "core.fsmonitor", str(monitor))
    repository.edit("models/alone.sql", "SELECT", "SELECT  ")
    assert _files(repository) == ["models/alone.sql"]
    assert not (repository.root / "started").exists()
