"""``run``, ``build``, ``seed`` and ``test``: options, progress off a terminal, and how they end."""

import fcntl
import re
import subprocess
import sys

import pytest

from smelt.engines.binder import DuckDBBinder
from tests.cli.shell import Shell

TOO_SOON = "2025-01-02T05:00:00"


def without_times(said: str) -> str:
    said = re.sub(r"\d+\.\d s", "0.0 s", said)
    return re.sub(r"run \d{8}-\d{6}-", "run ", said)


def test_one_line_for_each_model_and_one_for_the_run(shell: Shell) -> None:
    said = shell("run")
    assert (said.code, said.out) == (0, "")
    assert without_times(said.err) == (
        "info: customer_history: first run, 9 rows of the source from 2025-01-01 to before 2025-01-04\n"
        "done     customer_history     0.0 s  8 inserted, 0 patched, 1 tombstone\n"
        "done     current_customers    0.0 s\n"
        "2 models: 2 done; 8 inserted, 0 patched, 1 tombstone (0.0 s, run 000001)\n"
    )
    again = shell("run", "customer_history")
    assert without_times(again.err) == (
        "done     customer_history    0.0 s  nothing new\n"
        "1 model: 1 done; 0 inserted, 0 patched, 0 tombstones (0.0 s, run 000002)\n"
    )


def test_the_summary_as_json(shell: Shell) -> None:
    summary = shell("run", "--json").json
    manifest = shell.manifests()[-1]
    assert {key: summary[key] for key in manifest} == manifest
    assert summary["exit_code"] == 0
    assert summary["models"]["customer_history"]["rows_inserted"] == 8


@pytest.mark.parametrize(("start", "end"), [("--event-time-start", "--event-time-end"), ("--start", "--end")])
def test_a_window_folds_its_part_alone(shell: Shell, start: str, end: str) -> None:
    said = shell("run", "customer_history", start, "2025-01-02", end, "2025-01-03T00:00:00Z", "--json")
    assert said.code == 0
    assert said.json["window"] == {"start": "2025-01-02", "end": "2025-01-03"}
    assert said.json["models"]["customer_history"]["rows_inserted"] == 2


def test_the_last_day_is_folded_by_the_bounds_that_the_refusal_names(shell: Shell) -> None:
    refused = shell("run", "customer_history", "--start", "9999-12-31", "--end", "9999-12-31T05:00:00")
    assert refused.code == 2
    bounds = refused.err.splitlines()[1].partition("the nearest bounds are ")[2].split(" and ")
    assert shell("run", "customer_history", "--start", bounds[0], "--end", bounds[1]).code == 0


@pytest.mark.parametrize(
    ("arguments", "message", "help_text"),
    [
        (["--start", "2025-01-01"], "--event-time-end is missing", "a window has both bounds"),
        (["--end", "2025-01-01"], "--event-time-start is missing", "a window has both bounds"),
        (["--start", "2025-01-02", "--end", "2025-01-02"], "the window is empty", "the end is not"),
        (
            ["--start", "yesterday", "--end", "2025-01-02"],
            "the start of the window is no date or timestamp: yesterday",
            "2025-01-31",
        ),
        (
            ["--start", "2025-01-01", "--end", TOO_SOON],
            "the end of the window, 2025-01-02T05:00:00, lies inside a partition of customer_history "
            "(ingested_date, by day)",
            "the nearest bounds are 2025-01-02 and 2025-01-03",
        ),
        (
            ["--full-refresh", "--start", "2025-01-01", "--end", "2025-01-02"],
            "--full-refresh with a window would drop the history outside it",
            "without a window",
        ),
        (["--chunk", "2", "--start", "2025-01-01", "--end", "2025-01-02"], "--chunk cuts a run", "one transaction"),
        (["customer_histry"], "nothing is called `customer_histry`", "did you mean `customer_history`?"),
        (["--target", "prod"], "no such target: prod", "smelt.yml has dev"),
        (["--chunk", "0"], "'--chunk'", "`smelt run --help`"),
    ],
)
def test_bad_arguments_are_answered_before_anything_is_done(
    shell: Shell, arguments: list[str], message: str, help_text: str
) -> None:
    said = shell("run", *arguments)
    assert (said.code, said.out) == (2, "")
    first, second = said.err.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert help_text in second
    assert not (shell.root / ".smelt").exists()
    assert not (shell.root / "target").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        *(["run", "--lock-timeout", value] for value in ("nan", "-nan", "inf", "-inf", "1e400", "-1", "soon", "")),
        *(["run", "--chunk", value] for value in ("0", "-1", "1.5", "9" * 30)),
        *(["show", "customer_history", "--limit", value] for value in ("-1", "nan", "9" * 30)),
    ],
)
def test_a_number_has_bounds(shell: Shell, arguments: list[str]) -> None:
    said = shell(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"error: Invalid value for '{arguments[-2]}': ")
    assert not (shell.root / ".smelt").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--since-upstream"],
    ],
)
@pytest.mark.parametrize("command", ["run", "build"])
def test_what_is_not_there_yet_says_so(shell: Shell, command: str, arguments: list[str]) -> None:
    said = shell(command, *arguments)
    assert (said.code, said.err) == (2, f"error: {' '.join(arguments)}: not available yet\n")
    assert arguments[0] not in shell(command, "--help").out


def test_a_refused_model_fails_with_its_frame_and_the_rest_goes_on(shell: Shell) -> None:
    shell.write("models/other.sql", "SELECT 1 AS one\n")
    shell.edit("models/customer_history.sql", "QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")
    said = shell("run")
    assert said.code == 1
    assert "failed   customer_history " in said.err
    assert "error[SuccessionDeleteFilterMisplaced]: " in said.err
    assert "QUALIFY is_deleted = FALSE\n" in said.err
    assert re.search(r"skipped  current_customers +0.0 s  what it reads failed\n", said.err)
    assert re.search(r"done     other ", said.err)
    assert "3 models: 1 done, 1 failed, 1 skipped" in said.err
    outcomes = {name: model["outcome"] for name, model in shell.manifests()[-1]["models"].items()}
    assert outcomes == {"customer_history": "failed", "current_customers": "skipped", "other": "success"}


def test_a_fault_of_the_project_stops_before_any_manifest(shell: Shell) -> None:
    shell.edit("models/sources/customer_changes.yml", "mutation_profile:", "mutation_profil:")
    said = shell("run")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error[UnknownKey]: ")
    assert "--> models/sources/customer_changes.yml:4:1" in said.err
    assert not (shell.root / ".smelt").exists()


def test_a_changed_definition_wants_approval(built: Shell) -> None:
    built.edit("models/customer_history.sql", "    region,\n", "")
    said = built("run", "customer_history")
    assert said.code == 3
    assert "error[DefinitionDeltaPending]: " in said.err
    assert built("run", "customer_history", "--full-refresh").code == 0
    assert built("run", "customer_history").code == 0


def test_warnings_of_what_is_run_are_shown(shell: Shell) -> None:
    shell.edit("models/customer_history.sql", "QUALIFY NOT is_deleted", "WHERE NOT is_deleted")
    said = shell("run")
    assert said.code == 0
    assert said.err.startswith("warning[SuccessionPreFilterNegatesFlag]: ")


def test_a_held_lock_is_named(built: Shell) -> None:
    with (built.root / ".smelt" / "lock").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        said = built("run")
    assert said.code == 4
    assert said.err.startswith("error[StateLocked]: ")


def test_a_database_that_another_program_holds_is_named(built: Shell) -> None:
    hold = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    database = str(built.root / "target" / "dev.duckdb")
    with subprocess.Popen(
        [sys.executable, "-c", hold, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        for command in (["run"], ["show", "customer_history"], ["test"]):
            said = built(*command)
            assert (said.code, said.out) == (4, "")
            assert said.err.startswith("error[WarehouseLocked]: ")
            assert f"PID {holder.pid}" in said.err
        holder.communicate()


def test_seeds_models_and_tests_are_counted_apart(shell: Shell) -> None:
    shell.write("models/tiers.csv", "tier,fee\nbronze,1\nsilver,2\n")
    seeded = shell("seed")
    assert seeded.code == 0
    assert "1 seed: 1 done (" in seeded.err
    said = shell("build")
    assert said.code == 0
    assert "1 seed: 1 done; 2 models: 2 done; 4 tests: 4 passed; 8 inserted" in said.err


def test_a_failing_column_test_shows_its_rows(built: Shell) -> None:
    built.edit("models/customer_history.sql", "[bronze, silver, gold]", "[bronze, silver]")
    said = built("test")
    assert said.code == 1
    assert "failed   customer_history:accepted_values:tier " in said.err
    assert "error[ColumnTestFailed]: " in said.err
    assert said.err.endswith("4 tests: 3 passed, 1 failed\n")
    as_json = built("test", "customer_history", "--json")
    assert as_json.json == {
        "tests": {"customer_history:not_null:customer_id": "passed", "customer_history:accepted_values:tier": "failed"}
    }
    assert len(built.manifests()) == 1


def test_testing_what_is_not_built(shell: Shell) -> None:
    said = shell("test")
    assert said.code == 1
    assert said.err.startswith("error: nothing is built in target dev yet\n")
    assert not (shell.root / "target").exists()


def test_an_empty_selection_is_done(shell: Shell) -> None:
    said = shell("run", "--exclude", "customer_history+")
    assert said.code == 0
    assert said.err.startswith("nothing to run (")


def test_the_environments_values_are_not_printed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_FILE", "s3cret/hidden.duckdb")
    shell.edit("smelt.yml", "target/dev.duckdb", '"${DATABASE_FILE}"')
    (shell.root / "s3cret").write_text("a file where a folder is wanted")
    said = shell("run")
    assert said.code == 2
    assert "s3cret" not in said.err
    assert "***" in said.err


@pytest.mark.parametrize("damage", [None, b"", b"no digest\n{}"], ids=["whole", "empty", "damaged"])
def test_a_run_asks_of_queries_only_what_no_run_asked_before(
    built: Shell, damage: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    really = DuckDBBinder._describe
    monkeypatch.setattr(DuckDBBinder, "_describe", lambda self, sent: asked.append(sent.text) or really(self, sent))
    kept = built.root / "target/.cache/answers.json"
    if damage is not None:
        kept.write_bytes(damage)
    assert built("run").code == 0
    assert bool(asked) == (damage is not None)
    asked.clear()
    built.write("models/current_customers.sql", "SELECT tier FROM smelt.customer_history\n")
    assert built("run").code == 0
    assert [text.split(" FROM ")[0] for text in asked] == ["DESCRIBE SELECT tier"]
