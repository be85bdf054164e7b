"""``smelt history``: what the last runs did, read from their manifests alone."""

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.cli.shell import Shell


def lines(shell: Shell, *arguments: str) -> list[list[str]]:
    said = shell("history", *arguments)
    assert (said.code, said.err) == (0, "")
    return [line.split() for line in said.out.splitlines()[2:]]


def test_the_newest_run_stands_first(shell: Shell) -> None:
    shell("run", "customer_history", "--start", "2025-01-01", "--end", "2025-01-02")
    shell("run")
    found = lines(shell)
    assert [(line[0], line[3], line[4]) for line in found] == [
        ("000002", "run", "customer_history"),
        ("000002", "run", "current_customers"),
        ("000001", "run", "customer_history"),
    ]
    assert "succession-patch" in found[0]
    assert "succession-build" in found[2]
    assert [line[4] for line in lines(shell, "--limit", "1")] == ["customer_history", "current_customers"]


def test_of_one_model(shell: Shell) -> None:
    shell("run")
    shell("run", "customer_history")
    assert [line[0] for line in lines(shell, "current_customers")] == ["000001"]
    assert [line[0] for line in lines(shell, "smelt.customer_history", "--limit", "1")] == ["000002"]


def test_as_json_it_is_the_manifests(shell: Shell) -> None:
    shell("run")
    shell("run")
    assert shell("history", "--json").json == shell.manifests()[::-1]


def test_a_failure_and_a_run_that_was_killed(shell: Shell) -> None:
    shell("run")
    shell.edit("models/customer_history.sql", "region,", "upper(region) AS region,")
    shell("run", "customer_history")
    manifest = sorted(shell.root.glob(".smelt/targets/dev/runs/*.json"))[-1]
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**document, "status": "running", "completed_at": None}))
    text = shell("history", "--limit", "1").out
    assert "failed" in text
    assert "DefinitionDeltaPending" in text
    assert "running or killed" in text
    shell("run", "current_customers")
    assert "  killed" in shell("history").out
    assert "running" not in shell("history").out


def test_on_a_narrow_terminal_the_models_stand_below_their_run(shell: Shell) -> None:
    shell("run")
    shell("run", "customer_history")
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", "from smelt.cli.main import main; main()", "history"],
        cwd=shell.root,
        stdout=slave,
        env={**os.environ, "COLUMNS": "80"},
    ) as child:
        os.close(slave)
        assert child.wait(timeout=60) == 0
    said = os.read(master, 10_000).decode().splitlines()
    os.close(master)
    assert [line.startswith("  ") for line in said] == [False, True, False, True, True]
    assert said[2].split()[::4] == ["000001", "run"]
    assert max(map(len, said)) <= 80
    assert said[3].split()[:4] == ["customer_history", "done", "8", "inserted,"]


def test_it_creates_nothing(shell: Shell) -> None:
    said = shell("history")
    assert (said.code, said.out, said.err) == (0, "", "no run yet\n")
    assert shell("history", "customer_history").err == "no run of customer_history yet\n"
    assert not (shell.root / ".smelt").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["nothing_such"], "no such model: nothing_such"), (["--limit", "0"], "--limit")],
)
def test_bad_arguments(shell: Shell, arguments: list[str], words: str) -> None:
    said = shell("history", *arguments)
    assert (said.code, said.out) == (2, "")
    assert words in said.err


def test_a_damaged_manifest_is_told_with_its_place(shell: Shell) -> None:
    shell("run")
    manifest = next(shell.root.glob(".smelt/targets/dev/runs/*.json"))
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**document, "sequence": "one"}))
    said = shell("history")
    assert (said.code, said.out) == (2, "")
    assert "StateCorrupt" in said.err
    assert "sequence" in said.err


def test_stateless_keeps_none(shell: Shell) -> None:
    shell.edit("smelt.yml", "name:", "state: {mode: stateless}\nname:")
    said = shell("history")
    assert said.code == 2
    assert "stateless" in said.err
