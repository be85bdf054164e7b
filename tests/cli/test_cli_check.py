"""``check``: what is reported, where, with which exit code, and what its fixes write."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell

MODEL = "models/customer_history.sql"
SOURCE = "models/sources/customer_changes.yml"
FRAME = """\
error[SuccessionDeleteFilterMisplaced]: QUALIFY must be exactly NOT <boolean column>
  --> models/customer_history.sql:15:9
   |
15 | QUALIFY is_deleted = FALSE
   |         ^^^^^^^^^^^^^^^^^^ compares the delete flag instead of negating it
   |
   = help: write QUALIFY NOT is_deleted
   = fix available: smelt check --fix
"""


@pytest.fixture
def misplaced(shell: Shell) -> Shell:
    """A project with one refused model that a safe fix repairs."""
    shell.edit(MODEL, "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    return shell


@pytest.fixture
def warned(shell: Shell) -> Shell:
    """A project with one warning, whose only fix changes what the model means."""
    shell.edit(MODEL, "QUALIFY NOT is_deleted", "WHERE NOT is_deleted")
    return shell


def test_nothing_found(shell: Shell) -> None:
    said = shell("check")
    assert (said.code, said.out, said.err) == (0, "", "nothing found in 4 files\n")


def test_a_finding_is_shown_to_the_letter(misplaced: Shell) -> None:
    said = misplaced("check")
    assert (said.code, said.out, said.err) == (1, FRAME, "1 error in 4 files\n")


def test_no_database_and_no_state_is_touched(misplaced: Shell) -> None:
    def others() -> dict[Path, int]:
        """All but the cache, which may be deleted at any time, and the folders above it."""
        kept = (misplaced.root, misplaced.root / "target", misplaced.root / "target" / ".cache")
        found = (path for path in misplaced.root.rglob("*") if path not in kept and path.parent not in kept[2:])
        return {path: path.stat().st_mtime_ns for path in found}

    before = others()
    assert misplaced("check").code == 1
    assert others() == before


def test_columns_that_duckdb_does_not_find_are_found_without_a_database(shell: Shell) -> None:
    shell.edit("models/current_customers.sql", "tier, region", "teir, region")
    said = shell("check")
    assert said.code == 1
    assert "--> models/current_customers.sql:6:21" in said.out
    assert "`tier`" in said.out


def test_json(misplaced: Shell) -> None:
    said = misplaced("check", "--format", "json")
    assert (said.code, said.err) == (1, "")
    assert said.json["summary"] == {"errors": 1, "warnings": 0, "files": 4}
    (finding,) = said.json["diagnostics"]
    assert finding["code"] == "SuccessionDeleteFilterMisplaced"
    assert finding["file"] == MODEL
    assert finding["range"] == {"start": {"line": 15, "column": 9}, "end": {"line": 15, "column": 27}}
    assert [fix["safe"] for fix in finding["fixes"]] == [True]
    assert finding["project"] == "."
    assert said.out.isascii()


def test_sarif(misplaced: Shell) -> None:
    said = misplaced("check", "--format", "sarif")
    assert (said.code, said.err) == (1, "")
    (run,) = said.json["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "SuccessionDeleteFilterMisplaced"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": MODEL, "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 15, "startColumn": 9, "endLine": 15, "endColumn": 27},
    }
    assert len(result["fixes"]) == 1


def test_github(misplaced: Shell) -> None:
    said = misplaced("check", "--format", "github")
    assert (said.code, said.err) == (1, "1 error in 4 files\n")
    place = f"title=smelt%3A SuccessionDeleteFilterMisplaced,file={MODEL},line=15,endLine=15,col=9,endColumn=27"
    message = "QUALIFY must be exactly NOT <boolean column>%0Awrite QUALIFY NOT is_deleted"
    assert said.out == f"::error {place}::{message}\n"


def test_junit(warned: Shell) -> None:
    lenient, strict = warned("check", "--format", "junit"), warned("check", "--format", "junit", "--fail-on", "warning")
    assert (lenient.code, strict.code, lenient.err) == (0, 1, "")
    assert 'tests="4" failures="0"' in lenient.out
    assert 'tests="4" failures="1"' in strict.out


def test_paths_for_a_code_host_count_from_the_repository_root(misplaced: Shell) -> None:
    (misplaced.root.parent / ".git").mkdir()
    assert f",file=demo/{MODEL}," in misplaced("check", "--format", "github").out
    assert f'"file": "{MODEL}"' in misplaced("check", "--format", "json").out
    (misplaced.root / ".git").write_text("gitdir: elsewhere\n")
    assert f",file={MODEL}," in misplaced("check", "--format", "github").out


@pytest.mark.parametrize("format_", ["text", "json", "sarif", "github", "junit"])
def test_no_format_prints_what_the_environment_gave(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    monkeypatch.setenv("SMELT_SECRET", 'hush%"hush')
    shell.edit("smelt.yml", "target/dev.duckdb", '"target/${SMELT_SECRET}"')
    shell.edit("models/current_customers.sql", "tier, region", '"hush%""hush", region')
    said = shell("check", "--format", format_)
    assert said.code == 1
    assert "there is no column `***`" in said.out
    escaped = ('hush%"hush', 'hush%\\"hush', 'hush%25"hush', "hush%&quot;hush")
    assert [form for form in escaped if form in said.out] == []


def test_paths_choose_what_is_reported(misplaced: Shell) -> None:
    misplaced.edit(SOURCE, "description: Customer", "descripton: Customer")
    assert misplaced("check", MODEL).out.count("error[") == 1
    assert "error[UnknownKey]" in misplaced("check", "models/sources").out
    assert misplaced("check", "models", SOURCE).out.count("error[") == 2
    clean = misplaced("check", "models/current_customers.sql")
    assert (clean.code, clean.err) == (0, "nothing found in 1 file\n")


def test_paths_are_read_from_where_one_stands(misplaced: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(misplaced.root / "models")
    assert misplaced("check", "customer_history.sql").out == FRAME
    assert misplaced("check", ".").out == FRAME
    assert misplaced("check", "..").out == FRAME


def test_codes_choose_what_is_reported(misplaced: Shell) -> None:
    assert misplaced("check", "--ignore", "SuccessionDeleteFilterMisplaced").code == 0
    assert misplaced("check", "--select", "SuccessionClockTie").code == 0
    assert misplaced("check", "--select", "SuccessionDeleteFilterMisplaced").out == FRAME


def test_warnings_fail_only_when_asked(warned: Shell) -> None:
    said = warned("check")
    assert (said.code, said.err) == (0, "1 warning in 4 files\n")
    assert warned("check", "--fail-on", "warning").code == 1


def test_a_safe_fix_is_applied_and_nothing_else_changes(misplaced: Shell) -> None:
    file = misplaced.root / MODEL
    windows = file.read_bytes().replace(b"\n", b"\r\n")
    file.write_bytes(b"\xef\xbb\xbf" + windows)
    said = misplaced("check", "--fix")
    assert (said.code, said.out) == (0, "")
    assert said.err == "fixed 1 finding in 1 file\nnothing found in 4 files\n"
    assert file.read_bytes() == b"\xef\xbb\xbf" + windows.replace(b"is_deleted = FALSE", b"NOT is_deleted")


def test_a_fix_outside_of_what_is_reported_is_not_applied(misplaced: Shell) -> None:
    before = (misplaced.root / MODEL).read_bytes()
    assert misplaced("check", "--fix", SOURCE).code == 0
    assert misplaced("check", "--fix", "--ignore", "SuccessionDeleteFilterMisplaced").code == 0
    assert (misplaced.root / MODEL).read_bytes() == before


def test_an_unsafe_fix_wants_to_be_named(warned: Shell) -> None:
    before = (warned.root / MODEL).read_bytes()
    assert "fix available: smelt check --fix --unsafe" in warned("check", "--fix").out
    assert (warned.root / MODEL).read_bytes() == before
    said = warned("check", "--fix", "--unsafe")
    assert (said.code, said.out) == (0, "")
    assert "QUALIFY NOT is_deleted" in (warned.root / MODEL).read_text()


def test_a_diff_shows_and_writes_nothing(misplaced: Shell) -> None:
    before = (misplaced.root / MODEL).read_bytes()
    said = misplaced("check", "--diff")
    assert said.code == 1
    assert said.out.startswith(f"--- a/{MODEL}\n+++ b/{MODEL}\n@@ ")
    assert "\n-QUALIFY is_deleted = FALSE\n+QUALIFY NOT is_deleted\n" in said.out
    assert said.err == "--fix would mend 1 finding in 1 file\n"
    assert (misplaced.root / MODEL).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--unsafe"], "--unsafe does nothing alone"),
        (["--format", "xml"], "no such format: xml"),
        (["--select", "SuccessionClokTie"], "no such code: SuccessionClokTie"),
        (["--fail-on", "info"], "--fail-on"),
        (["models/gone.sql"], "no such file: models/gone.sql"),
    ],
)
def test_bad_arguments(shell: Shell, arguments: list[str], message: str) -> None:
    said = shell("check", *arguments)
    assert (said.code, said.out) == (2, "")
    assert message in said.err


def test_faults_of_the_project_are_findings_too(shell: Shell) -> None:
    shell.write("smelt.yml", "name: [unclosed\n")
    said = shell("check")
    assert said.code == 1
    assert "--> smelt.yml:" in said.out
