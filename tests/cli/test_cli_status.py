"""``smelt status``: what is covered, what is missing, what waits; nothing is created and no lock is taken."""

import fcntl
import json

import duckdb
import pytest

from tests.cli.shell import Shell


def test_before_and_after_runs(shell: Shell) -> None:
    said = shell("status")
    assert (said.code, said.err) == (0, "")
    assert said.out == ("customer_history\n  covered  nothing\n  last run no record\n  waiting  9 rows\n")
    assert not (shell.root / ".smelt").exists()
    assert not (shell.root / "target").exists()
    shell("run", "customer_history", "--start", "2025-01-01", "--end", "2025-01-02")
    shell("run", "customer_history", "--start", "2025-01-03", "--end", "2025-01-04")
    out = shell("status", "customer_history", "--until", "2025-01-06").out
    assert "  covered  2025-01-01 to before 2025-01-02, 2025-01-03 to before 2025-01-04\n" in out
    assert "  gaps     2025-01-02 to before 2025-01-03, 2025-01-04 to before 2025-01-06\n" in out
    assert "  last run done, " in out
    found = shell("status", "--since", "2025-01-02", "--until", "2025-01-04", "--json").json["models"][0]
    assert found["gaps"] == [{"start": "2025-01-02", "end": "2025-01-03"}]
    assert found["window"] == {"start": "2025-01-02", "end": "2025-01-04"}
    assert found["last_run"]["outcome"] == "success"
    assert found["waiting_rows"] > 0
    shell("run")
    assert "  waiting  nothing\n" in shell("status").out


def test_a_failure_and_what_cannot_be_told(shell: Shell) -> None:
    shell("run")
    shell.edit("models/customer_history.sql", "region,", "upper(region) AS region,")
    shell("run", "customer_history")
    out = shell("status").out
    assert "failed (DefinitionDeltaPending)" in out
    assert "  waiting  unknown (DefinitionDeltaPending)\n" in out


def test_the_state_is_told_though_the_database_is_held_and_the_lock_too(shell: Shell) -> None:
    shell("run")
    with (
        duckdb.connect(next(shell.root.glob("target/*.duckdb"))),
        (shell.root / ".smelt/lock").open() as lock,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = shell("status")
    assert said.code == 0
    assert "covered  2025-01-01 to before 2025-01-04" in said.out
    assert "  waiting  unknown (" in said.out


def test_a_lost_state_is_empty_and_the_table_still_there(shell: Shell) -> None:
    shell("run")
    for path in sorted(shell.root.glob(".smelt/**/*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    out = shell("status").out
    assert "  covered  nothing\n" in out
    assert "  waiting  nothing\n" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing_such"], "no such model"),
        (["current_customers"], "is built whole"),
        (["--since", "soon"], "--since is no date or timestamp"),
        (["--since", "2025-02-01", "--until", "2025-01-01"], "does not come before"),
    ],
)
def test_bad_arguments(shell: Shell, arguments: list[str], words: str) -> None:
    said = shell("status", *arguments)
    assert (said.code, said.out) == (2, "")
    assert words in said.err


def test_a_damaged_file_is_told_with_its_place(shell: Shell) -> None:
    shell("run")
    next(shell.root.glob(".smelt/targets/*/intervals.json")).write_text('{"version": 1, "models": {"a": 1}}')
    said = shell("status")
    assert (said.code, said.out) == (2, "")
    assert "StateCorrupt" in said.err


def test_the_last_run_of_a_model_is_found_behind_many_of_others(built: Shell) -> None:
    [manifest] = built.manifests()
    folder = built.root / ".smelt/targets/dev/runs"
    for sequence in range(2, 140):
        run_id = f"20260101-000000-{sequence:06x}"
        other = {**manifest, "run_id": run_id, "sequence": sequence, "models": {}}
        (folder / f"{run_id}.json").write_text(json.dumps(other))
    assert f"  last run done, {manifest['started_at'][:10]}" in built("status").out
