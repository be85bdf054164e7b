"""``--jobs`` over a real database, through the command line."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import Shell
from tests.run.base import FIRST, QUERY, SECOND, SMELT_YML, SOURCE, W1, W2, Base

PARTS = 6
ENDLESS = (
    "---\nmaterialization: table\n---\nSELECT sum(a.i * b.i) AS n FROM range(100000000) a(i), range(100000000) b(i)\n"
)
PASSING = ("run_id", "started_at", "completed_at", "sequence", "time")


def project(root: Path) -> Shell:
    """Histories that all write the tables of record, what reads them, seeds, tests, and one model that fails."""
    shell = Shell(root)
    shell.write("smelt.yml", SMELT_YML)
    shell.write("models/sources/events.yml", SOURCE)
    shell.write("data/w1.csv", W1)
    shell.write("data/w2.csv", W2)
    shell.write("models/regions.csv", "region\nnorth\nsouth\n")
    for number in range(PARTS):
        history = f"---\nrefresh: incremental\n---\n{QUERY.format(events='smelt.sources.events')}"
        shell.write(f"models/part_{number}.sql", history)
        shell.write(
            f"models/sum_{number}.sql",
            "---\nmaterialization: table\ncolumns: [{name: n, tests: [not_null]}]\n---\n"
            f"SELECT count(*) AS n, max(region) AS region FROM smelt.part_{number}, smelt.regions\n",
        )
    shell.write("models/all_sums.sql", " UNION ALL ".join(f"SELECT n FROM smelt.sum_{n}" for n in range(PARTS)) + "\n")
    shell.write("models/broken.sql", "---\nmaterialization: table\n---\nSELECT error('no') AS n\n")
    shell.write("models/below.sql", "SELECT n FROM smelt.broken\n")
    return shell


def steady(value: Any) -> Any:
    """A document without what differs from one run to the next."""
    if isinstance(value, dict):
        kept = {name: steady(one) for name, one in value.items() if name not in PASSING}
        return {name: 0 if name == "duration_ms" else one for name, one in kept.items()}
    return [steady(one) for one in value] if isinstance(value, list) else value


def without_times(lines: str) -> list[list[str]]:
    return [[word for word in line.split() if not word.replace(".", "").isdigit()] for line in lines.splitlines()[:-1]]


def test_tables_state_and_output_are_those_of_one_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for jobs in ("1", "4"):
        shell = project(tmp_path / jobs)
        monkeypatch.chdir(shell.root)
        outputs = []
        for window in (FIRST, SECOND, ()):
            said = shell("build", "--jobs", jobs, "--json", *window)
            assert said.code == 1, said.err
            outputs.append((steady(json.loads(said.out)), without_times(said.err)))
        state = {
            path.relative_to(shell.root / ".smelt/targets")
            .as_posix()
            .replace(path.stem, "*" if "-" in path.stem else path.stem): steady(json.loads(path.read_text()))
            | {"deployed_at": ""}
            for path in sorted((shell.root / ".smelt/targets").rglob("*.json"))
        }
        base = Base.__new__(Base)
        base.root = shell.root
        rows = [base.query(f"SELECT * FROM part_{number} ORDER BY ALL") for number in range(PARTS)]
        assert all(part == base.oracle("w1", "w2") for part in map(sorted_rows, rows))
        records = base.query("SELECT model, kind, row_count, sequence FROM _smelt_models ORDER BY ALL")
        frontier = base.query("SELECT * FROM _smelt_frontier ORDER BY ALL")
        told.append((outputs, state, rows, records, frontier, base.query("SELECT * FROM all_sums")))
    assert told[0] == told[1]


def sorted_rows(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return sorted(rows, key=repr)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_every_statement_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, code: int
) -> None:
    base = Base(tmp_path)
    for name in ("left", "right", "waiting"):
        base.put(f"models/{name}.sql", ENDLESS)
    child = base.begin("run", "left", "right", "waiting", "history", "--jobs", "2", "--log-format", "json")
    assert child.stdout is not None
    with child:
        running: list[str] = []
        for line in child.stdout:
            event = json.loads(line)
            if event["event"] == "model_started":
                running.append(event["model"])
            if len({"left", "right", "waiting"} & set(running)) == 2:
                break
        child.send_signal(number)
        rest = [json.loads(line) for line in child.stdout]
        assert child.wait(timeout=60) == code
    [manifest] = base.manifests()
    models = manifest["models"]
    assert isinstance(models, dict)
    outcomes = {name: record.get("skip_reason") or record["outcome"] for name, record in models.items()}
    stopped = [name for name in running if name != "history"]
    assert {outcomes.pop(name) for name in stopped} == {"cancelled"}
    assert set(outcomes.values()) <= {"not_reached", "success"}
    assert (manifest["status"], manifest["exit_code"]) == ("cancelled", code)
    assert (rest[-1]["event"], rest[-1]["exit_code"]) == ("run_ended", code)
    monkeypatch.chdir(tmp_path)
    assert Shell(tmp_path)("run", "history").code == 0


def test_killed_in_the_middle_of_several_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was committed is whole; the next run does the rest."""
    base, shell = Base(tmp_path), Shell(tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two", "three"):
        base.put(f"models/{name}.sql", f"---\nrefresh: incremental\n---\n{QUERY.format(events='smelt.sources.events')}")
    assert shell("run", "--jobs", "4", *FIRST).code == 0
    assert base.smelt("run", "--jobs", "4", *SECOND, SMELT_FAILPOINT="after-Write").code == -signal.SIGKILL
    ran = shell("run", "--jobs", "4", "--resume", "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["resumed_from"] == base.manifests()[1]["run_id"]
    for name in ("history", "one", "two", "three"):
        assert sorted_rows(base.query(f"SELECT * FROM {name}")) == base.oracle("w1", "w2")
