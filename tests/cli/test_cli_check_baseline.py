"""``check --baseline``: known findings are matched by what they are, not by where they stand."""

import json
from typing import Any

import pytest

from tests.cli.shell import Shell

MODEL = "models/customer_history.sql"
FILE = "known.json"
BASELINE = ("--baseline", FILE)


@pytest.fixture
def known(shell: Shell) -> Shell:
    """A project with one refused model, which is known."""
    shell.edit(MODEL, "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    said = shell("check", *BASELINE, "--write-baseline")
    assert (said.code, said.out, said.err) == (0, "", f"wrote 1 finding to {FILE}\n")
    return shell


def _entries(shell: Shell) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shell.root / FILE).read_text(encoding="utf-8"))["findings"]
    return found


def test_what_it_holds(known: Shell) -> None:
    (entry,) = _entries(known)
    assert {**entry, "fingerprint": ""} == {
        "project": ".",
        "file": MODEL,
        "code": "SuccessionDeleteFilterMisplaced",
        "message": "QUALIFY must be exactly NOT <boolean column>",
        "fingerprint": "",
    }


def test_what_is_known_is_not_reported(known: Shell) -> None:
    said = known("check", *BASELINE)
    assert (said.code, said.out) == (0, "")
    assert said.err == "nothing found in 4 files; the baseline holds 1 more\n"
    assert known("check").code == 1


def test_it_stays_known_when_lines_move(known: Shell) -> None:
    known.edit(MODEL, "SELECT", "-- one line more\n\nSELECT")
    assert known("check", *BASELINE).code == 0


def test_what_is_new_is_reported_alone(known: Shell) -> None:
    known.edit("models/current_customers.sql", "tier, region", "teir, region")
    said = known("check", *BASELINE)
    assert said.code == 1
    assert said.out.count("error[") == 1
    assert "error[UnknownColumn]" in said.out


def test_a_second_equal_finding_is_new(known: Shell) -> None:
    path = known.root / MODEL
    known.write("models/other.sql", path.read_text(encoding="utf-8"))
    assert "models/other.sql" in known("check", *BASELINE).out


def test_an_entry_that_nothing_matches_is_reported(known: Shell) -> None:
    known.edit(MODEL, "QUALIFY is_deleted = FALSE", "QUALIFY NOT is_deleted")
    said = known("check", *BASELINE)
    assert said.code == 0
    assert "warning: nothing matches 1 known finding of the baseline" in said.err
    assert f"{MODEL}: SuccessionDeleteFilterMisplaced" in said.err
    assert known("check", *BASELINE, "--fail-on", "warning").code == 1
    assert known("check", *BASELINE, "--format", "json").json["baseline"] == {
        "known": 0,
        "unused": [{key: value for key, value in _entries(known)[0].items() if key != "message"}],
    }
    assert known("check", *BASELINE, "--write-baseline").code == 0
    assert _entries(known) == []
    assert known("check", *BASELINE, "--fail-on", "warning").err == "nothing found in 4 files\n"


def test_the_entry_of_a_deleted_file_is_unused(known: Shell) -> None:
    (known.root / MODEL).unlink()
    (known.root / "models/current_customers.sql").unlink()
    assert "nothing matches 1 known finding" in known("check", *BASELINE).err


@pytest.mark.parametrize(
    "narrowed", [["--ignore", "SuccessionDeleteFilterMisplaced"], ["--select", "SqlSyntax"], ["models/sources"]]
)
def test_what_was_not_looked_for_is_not_unused(known: Shell, narrowed: list[str]) -> None:
    known.edit(MODEL, "QUALIFY is_deleted = FALSE", "QUALIFY NOT is_deleted")
    assert "nothing matches" not in known("check", *BASELINE, *narrowed).err


def test_known_findings_are_not_fixed(known: Shell) -> None:
    before = (known.root / MODEL).read_bytes()
    assert known("check", *BASELINE, "--fix").code == 0
    assert (known.root / MODEL).read_bytes() == before


def test_it_holds_no_secret(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMELT_SECRET", "hush-hush")
    shell.edit("smelt.yml", "target/dev.duckdb", '"target/${SMELT_SECRET}"')
    shell.edit("models/current_customers.sql", "tier, region", '"hush-hush", region')
    assert shell("check", *BASELINE, "--write-baseline").code == 0
    assert "hush-hush" not in (shell.root / FILE).read_text(encoding="utf-8")
    assert shell("check", *BASELINE).code == 0


def test_it_may_lie_elsewhere(known: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (known.root.parent / "ci").mkdir()
    monkeypatch.chdir(known.root.parent / "ci")
    where = ("--project-dir", "../demo", "--baseline", "known.json")
    assert known("check", *where, "--write-baseline").code == 0
    assert json.loads((known.root.parent / "ci/known.json").read_text())["findings"][0]["project"] == "../demo"
    monkeypatch.chdir(known.root)
    assert known("check", "--baseline", "../ci/known.json").code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no such file: known.json"),
        ("{", "known.json is no JSON"),
        ("[" * 100_000, "known.json is no JSON"),
        ('{"version": 2, "findings": []}', "known.json has version 2, not 1"),
        ("[]", "known.json is no baseline"),
        ('{"version": 1}', "known.json is no baseline"),
        ('{"version": 1, "findings": [{"file": "x"}]}', "known.json is no baseline"),
        ('{"version": 1, "findings": [7]}', "known.json is no baseline"),
        (
            '{"version": 1, "findings": [{"project": 1, "file": "x", "code": "x", "fingerprint": "x"}]}',
            "known.json is no baseline",
        ),
    ],
)
def test_a_file_that_is_none(shell: Shell, text: str | None, message: str) -> None:
    if text is not None:
        shell.write(FILE, text)
    said = shell("check", *BASELINE)
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert "--write-baseline" in said.err


def test_a_file_that_cannot_be_written(shell: Shell) -> None:
    said = shell("check", "--baseline", "no/such/folder.json", "--write-baseline")
    assert said.code == 2
    assert "cannot write no/such/folder.json: No such file or directory" in said.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--write-baseline"], "--write-baseline does nothing alone"),
        ([*BASELINE, "--write-baseline", "--fix"], "--write-baseline changes no model"),
        ([*BASELINE, "--write-baseline", "models"], "a baseline holds all findings"),
        ([*BASELINE, "--write-baseline", "--ignore", "SqlSyntax"], "a baseline holds all findings"),
        ([*BASELINE, "--write-baseline", "--changed-since", "main"], "a baseline holds all findings"),
    ],
)
def test_senseless_options(shell: Shell, arguments: list[str], message: str) -> None:
    said = shell("check", *arguments)
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert not (shell.root / FILE).exists()
