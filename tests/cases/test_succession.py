"""The handed data cases, through the engine, each with every invariant that must hold after any run."""

import itertools
import json
import re
import tomllib
from pathlib import Path

import pytest

from smelt.analysis.analyze import analyze
from smelt.project.load import load_project
from smelt.text.identifiers import quote
from smelt.text.intervals import Interval
from tests.cases.succession import FOLDER, Case, data_cases
from tests.engines.labs import SMELT_YML, Lab, days

PENDING = tomllib.loads((FOLDER / "pending.toml").read_text(encoding="utf-8"))
CASES = data_cases()
ADMITTED = [case for case in CASES if case.id not in PENDING]


def _name(case: Case) -> str:
    return case.id


@pytest.mark.parametrize("case", [case for case in CASES if case.id in PENDING], ids=_name)
def test_a_pending_case_is_refused(case: Case) -> None:
    assert case.raw["grammar"]
    analysis = analyze(load_project({"smelt.yml": SMELT_YML, **case.files()}))
    assert PENDING[case.id]["code"] in {one.code.name for one in analysis.diagnostics}
    assert all(model.kind == "refused" for model in analysis.models.values())


def test_pending_names_exactly_the_cases_outside_the_grammar() -> None:
    assert set(PENDING) == {case.id for case in CASES if case.raw["grammar"]}


@pytest.mark.parametrize("case", ADMITTED, ids=_name)
def test_case(case: Case, tmp_path: Path) -> None:
    lab = case.lab(tmp_path)
    windows = case.windows
    folded: list[Interval] = []
    loaded: set[str] = set()
    for step in case.raw["steps"]:
        name = step["run"][0].split(" ")[0]
        if name not in loaded:
            case.insert(lab, case.rows(name))
            loaded.add(name)
        window = windows[name]
        if step["expect"] == "rollback":
            _roll_back(case, lab, window, step)
        else:
            _step(case, lab, window, step)
            folded.append(window)
            _invariants(case, lab, folded)
    if folded:
        _again(case, lab, folded[-1])
    lab.close()


@pytest.mark.parametrize("case", [case for case in ADMITTED if case.raw["expect"] == "table"], ids=_name)
def test_any_order_and_any_split_give_the_same_table(case: Case, tmp_path: Path) -> None:
    windows = list(case.windows.items())
    whole = Interval(min(one.start for _, one in windows), max(one.end for _, one in windows))
    plans = [[one for _, one in order] for order in itertools.permutations(windows)]
    plans += [[whole], [whole, windows[0][1]]]
    for at, plan in enumerate(plans):
        lab = case.lab(tmp_path / str(at))
        for name, _ in windows:
            case.insert(lab, case.rows(name))
        for window in plan:
            lab.fold(window=window)
        _invariants(case, lab, plan)
        lab.close()


@pytest.mark.parametrize("case", [case for case in ADMITTED if case.raw["expect"] == "table"], ids=_name)
def test_without_windows_and_rebuilt(case: Case, tmp_path: Path) -> None:
    lab = case.lab(tmp_path)
    for name, _ in case.windows.items():
        case.insert(lab, case.rows(name))
        lab.fold()
        assert lab.fold().strategy == "none"
    before = lab.texts("SELECT * FROM main.history")
    _invariants(case, lab, list(case.windows.values()))
    lab.fold(full_refresh=True)
    assert lab.texts("SELECT * FROM main.history") == before
    _invariants(case, lab, list(case.windows.values()))
    lab.close()


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata"])
def test_b26_gives_the_same_instants_in_any_session_zone(zone: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.id == "B26")
    lab = case.lab(tmp_path)
    lab.run(f"SET TimeZone = '{zone}'")
    for step in case.raw["steps"]:
        name = step["run"][0]
        case.insert(lab, case.rows(name))
        lab.fold(window=case.windows[name])
    lab.run("SET TimeZone = 'UTC'")
    assert lab.texts("SELECT * FROM main.history") == _expected(case.raw["steps"][-1]["rows"])
    lab.close()


def test_b53_one_key_with_a_very_long_history(tmp_path: Path) -> None:
    files = {
        "models/sources/events.yml": (
            "name: main.events\nmutation_profile: append_only\n"
            "timeseries: {event_time_column: ts, partition_column: arrived, granularity: day}\ncolumns:\n"
            "  - {name: k, type: INTEGER, nullable: false}\n  - {name: ts, type: TIMESTAMP, nullable: false}\n"
            "  - {name: v, type: VARCHAR}\n  - {name: is_deleted, type: BOOLEAN, nullable: false}\n"
            "  - {name: arrived, type: DATE, nullable: false}\n"
        ),
        "models/history.sql": (
            "---\nrefresh: incremental\n---\nSELECT k, v, ts AS valid_from,\n"
            "LEAD(ts) OVER (PARTITION BY k ORDER BY ts) AS valid_to\nFROM smelt.sources.events\n"
            "QUALIFY NOT is_deleted\n"
        ),
    }
    lab = Lab(tmp_path, files)
    lab.run("CREATE TABLE main.events (k INTEGER, ts TIMESTAMP, v VARCHAR, is_deleted BOOLEAN, arrived DATE)")
    lab.run(
        "INSERT INTO main.events SELECT 1, TIMESTAMP '2025-01-01' + to_seconds(2 * i), 'v' || i, i % 1000 = 999, "
        "'2025-01-01' FROM range(200000) AS t(i)"
    )
    lab.run("INSERT INTO main.events SELECT i, '2025-01-01', 'x' || i, FALSE, '2025-01-01' FROM range(2, 1002) AS t(i)")
    late = ["199999", "200001"]
    for number, seconds in enumerate(late, start=2):
        lab.run(
            f"INSERT INTO main.events VALUES (1, TIMESTAMP '2025-01-01' + to_seconds({seconds}), 'late{number - 1}', "
            f"FALSE, '2025-01-0{number}')"
        )
    raw = json.loads((FOLDER / "succession.json").read_text(encoding="utf-8"))
    checks = next(one["checks"] for one in raw if one["id"] == "B53")
    footprints = []
    for number, check in enumerate(checks, start=1):
        built = lab.fold(window=days(number, number + 1))
        assert str(built.row_count) == check[1]
        assert str(lab.run("SELECT count(*) FROM main.history WHERE valid_to IS NULL")[0][0]) == check[2]
        lines = "k || '|' || v || '|' || valid_from || '|' || coalesce(valid_to::VARCHAR, '-')"
        found = lab.run(f"SELECT md5(string_agg({lines}, chr(10) ORDER BY k, valid_from)) FROM main.history")
        assert found == [(check[3],)]
        footprints.append((built.rows_inserted, built.rows_patched))
    assert footprints[1:] == [(1, 0), (1, 1)]
    lab.close()


def _step(case: Case, lab: Lab, window: Interval, step: dict[str, list[object]]) -> None:
    exists = bool(lab.run("SELECT 1 FROM information_schema.tables WHERE table_name = 'history'"))
    lab.run("CREATE OR REPLACE TEMP TABLE before AS " + ("FROM main.history" if exists else case.oracle([])))
    built = lab.fold(window=window)
    described = lab.run("DESCRIBE main.history")
    assert [row[0] for row in described] == step["columns"]
    assert [row[1] for row in described] == [_spelling(str(kind)) for kind in step["types"]]
    assert lab.texts("SELECT * FROM main.history") == _expected(step["rows"])
    left = lab.run("SELECT count(*) FROM (FROM before EXCEPT ALL FROM main.history)")[0][0]
    came = lab.run("SELECT count(*) FROM (FROM main.history EXCEPT ALL FROM before)")[0][0]
    assert (left, came) == (step["rows_left"], step["rows_came"])
    assert built.rows_inserted is not None
    assert built.rows_patched == left
    assert built.rows_inserted + built.rows_patched == came


def _roll_back(case: Case, lab: Lab, window: Interval, step: dict[str, list[list[str]]]) -> None:
    if "replaced_rows" in step:
        lab.run(f"DELETE FROM main.events WHERE arrived >= '{window.start}' AND arrived < '{window.end}'")
        case.insert(lab, step["replaced_rows"])
    failure = lab.failure(window=window)
    assert failure.code == step.get("code", "SuccessionClockTie")
    for *key, clock, count, _ in step.get("conflicts", []):
        names = ", ".join(f"{name} = {value}" for name, value in zip(case.raw["key"], key, strict=True))
        assert f"key ({names}), clock {case.raw['clock']} = {clock}: {count} different events" in failure.message
    if step["rows"] or len(case.raw["steps"]) > 1:
        assert lab.texts("SELECT * FROM main.history") == _expected(step["rows"])
    if "rows_if_rebuilt" in step:
        lab.fold(full_refresh=True)
        assert lab.texts("SELECT * FROM main.history") == _expected(step["rows_if_rebuilt"])


def _invariants(case: Case, lab: Lab, folded: list[Interval]) -> None:
    assert lab.differ("SELECT * FROM main.history", case.oracle(folded)) == []
    shape = lab.model("history").shape
    assert shape is not None
    key = ", ".join(quote(name) for name in shape.key_outputs)
    clock = quote(shape.clock_output)
    if "valid_to" in {column.name for column in shape.outputs}:
        overlaps = (
            f"SELECT 1 FROM main.history QUALIFY valid_to > lead({clock}) OVER (PARTITION BY {key} ORDER BY {clock})"
        )
        assert lab.run(overlaps) == []
        assert lab.run(f"SELECT 1 FROM main.history WHERE valid_to IS NULL GROUP BY {key} HAVING count(*) > 1") == []
    live = f"SELECT {key}, {clock} FROM main.history"
    points = live
    if shape.flag is not None:
        # As multisets: a point in both would be there twice.
        points += " UNION ALL SELECT * FROM main.history__tombstones"
    identity = ", ".join(quote(name) for name in (*shape.key, shape.clock))
    inside = " OR ".join(f"(arrived >= '{one.start}' AND arrived < '{one.end}')" for one in folded)
    kept = f" AND ({shape.pre_filter})" if shape.pre_filter is not None else ""
    assert lab.differ(points, f"SELECT DISTINCT {identity} FROM main.events WHERE ({inside}){kept}") == []


def _again(case: Case, lab: Lab, window: Interval) -> None:
    if "replaced_rows" in case.raw["steps"][-1]:
        return
    before = lab.state()
    built = lab.fold(window=window)
    assert (built.rows_inserted, built.rows_patched, built.tombstones) == (0, 0, 0)
    assert lab.state() == before


def _expected(rows: list[object]) -> list[tuple[str | None, ...]]:
    return sorted((tuple(row) for row in rows), key=repr)  # type: ignore[arg-type]


def _spelling(kind: str) -> str:
    return re.sub(r"\s+", " ", kind)
