"""What a run decides to fold, what it refuses before it writes, and what it records."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from smelt.engines.duckdb import folding
from smelt.engines.duckdb.record import read_ranges
from smelt.engines.model import FoldRequest, WarehouseError
from tests.engines.labs import SMELT_YML, Lab, day, days
from tests.engines.test_sources import COLUMNS, MODEL, files


def lab_of(root: Path, *, profile: str = "append_only", model: str = MODEL, columns: str = COLUMNS) -> Lab:
    lab = Lab(root, files("name: main.events", columns, profile=profile, model=model))
    lab.run("CREATE TABLE main.events (k INTEGER, v VARCHAR, t TIMESTAMP, gone BOOLEAN, d DATE)")
    return lab


def add(lab: Lab, *rows: tuple[int, str, int, int], gone: bool = False) -> None:
    """Rows of (key, value, January day of the clock, January day of arrival)."""
    for k, v, t, d in rows:
        lab.run(f"INSERT INTO main.events VALUES ({k}, '{v}', '2025-01-{t:02} 10:00', {gone}, '2025-01-{d:02}')")


def coverage(lab: Lab) -> list[tuple[int, int]]:
    text = lab.run("SELECT coverage FROM main._smelt_models WHERE model = 'history'")[0][0]
    return [(one.start.day, one.end.day) for one in read_ranges(str(text))]


def test_an_empty_source_builds_an_empty_table_with_its_types(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    built = lab.fold()
    assert (built.strategy, built.row_count) == ("succession-build", 0)
    assert [row[:2] for row in lab.run("DESCRIBE main.history")] == [
        ("k", "INTEGER"),
        ("v", "VARCHAR"),
        ("since", "TIMESTAMP"),
        ("valid_to", "TIMESTAMP"),
    ]
    assert [row[:2] for row in lab.run("DESCRIBE main.history__tombstones")] == [("k", "INTEGER"), ("t", "TIMESTAMP")]
    assert lab.fold().strategy == "none"
    lab.close()


def test_a_first_run_says_what_it_will_read_before_it_reads_it(tmp_path: Path) -> None:
    """It is said although the run then fails at its first event."""
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (1, "b", 1, 2))
    assert lab.failure().code == "SuccessionClockTie"
    assert lab.announced == ["history: first run, 2 rows of the source from 2025-01-01 to before 2025-01-03"]


def test_the_newest_run_is_known_from_the_table_of_record(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    assert lab.warehouse.last_sequence() == 0
    add(lab, (1, "a", 1, 1))
    lab.fold()
    lab.fold()  # nothing new: nothing is recorded
    assert lab.warehouse.last_sequence() == 1
    lab.fold(full_refresh=True)
    assert lab.warehouse.last_sequence() == 3
    lab.close()


def test_without_a_window_new_and_risen_partitions_are_folded_and_no_others(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (2, "x", 1, 1), (1, "c", 3, 3))
    first = lab.fold()
    assert first.notices == ()
    assert lab.announced == ["history: first run, 3 rows of the source from 2025-01-01 to before 2025-01-04"]
    assert coverage(lab) == [(1, 4)]
    add(lab, (1, "b", 2, 2), (2, "y", 2, 3), (1, "d", 5, 5))
    second = lab.fold()
    assert (second.rows_inserted, second.rows_patched, second.re_presented) == (3, 3, 1)
    assert second.time_range == days(2, 6)
    assert [one.rows for one in second.landed[0][1]] == [2, 1, 2, 1]
    before = lab.state()
    third = lab.fold()
    assert (third.strategy, third.rows_inserted, third.time_range) == ("none", 0, None)
    assert lab.state() == before
    lab.close()


def test_chunks_commit_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = lab_of(tmp_path)
    add(lab, *((1, f"v{at}", at, at) for at in range(1, 6)))
    commits: list[str] = []
    monkeypatch.setattr(folding, "failpoint", commits.append)
    built = lab.fold(chunk=2)
    assert commits.count("after-stage") == 3
    assert (built.strategy, built.row_count, built.time_range) == ("succession-build", 5, days(1, 6))
    add(lab, (1, "v6", 6, 6), (1, "v7", 7, 7))
    assert lab.fold(chunk=1).row_count == 7
    assert coverage(lab) == [(1, 8)]
    lab.close()


def test_a_failed_chunk_leaves_the_ones_before_it(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (1, "b", 2, 2), (1, "B", 2, 3))
    with pytest.raises(WarehouseError, match="different events") as failed:
        lab.fold(chunk=1)
    assert coverage(lab) == [(1, 3)]
    committed = failed.value.committed
    assert committed is not None
    assert (committed.time_range, committed.coverage, committed.rows_inserted) == (days(1, 3), (days(1, 3),), 2)
    assert lab.run("SELECT count(*) FROM main.history") == [(2,)]
    lab.close()


def test_a_run_without_a_window_begins_at_start(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, model=MODEL.replace("refresh: incremental", "refresh: incremental\nstart: 2025-01-02"))
    add(lab, (1, "a", 1, 1), (1, "b", 2, 2))
    assert lab.fold().row_count == 1
    assert lab.fold().strategy == "none"
    assert lab.fold(window=days(1, 2)).row_count == 2
    assert lab.fold(full_refresh=True).row_count == 2
    lab.close()


@pytest.mark.parametrize("windowed", [False, True])
def test_a_partition_that_lost_rows_is_refused_before_any_write(tmp_path: Path, windowed: bool) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (2, "x", 1, 1))
    lab.fold()
    lab.run("DELETE FROM main.events WHERE k = 2")
    add(lab, (1, "b", 2, 2))
    failure = lab.failure(window=days(1, 3) if windowed else None)
    assert failure.code == "SourceMutationProfileViolated"
    assert "partition 2025-01-01 fell from 2 rows to 1" in failure.message
    assert failure.help.endswith("smelt repair history")
    lab.close()


def test_a_rebuild_takes_over_what_was_corrected_and_says_so(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (2, "x", 1, 1))
    lab.fold()
    lab.run("DELETE FROM main.events WHERE k = 2")
    assert lab.fold(full_refresh=True).row_count == 1
    assert lab.announced[-1] == (
        "history: rebuilt from a source that has fewer rows: 2025-01-01 had 2 rows when it was folded, now 1"
    )
    lab.close()


def test_a_rebuild_that_would_lose_partitions_needs_a_persons_word(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (2, "x", 1, 1), (3, "y", 2, 2))
    lab.fold()
    lab.run("DELETE FROM main.events WHERE k = 3")
    failure = lab.failure(full_refresh=True)
    assert (failure.code, failure.approval) == ("SourceHistoryExpired", True)
    assert "2025-01-02 had 1 row when it was folded, now none" in failure.message
    assert lab.fold(full_refresh=True, lose_history=True).row_count == 2
    lab.close()


def test_a_rebuild_in_other_granules_compares_what_can_be_compared(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 2), (2, "x", 1, 9))
    lab.fold()
    lab.load(files("name: main.events", granularity="month"))
    assert lab.fold(full_refresh=True).row_count == 2
    lab.load(files("name: main.events"))
    lab.run("DELETE FROM main.events WHERE k = 2")
    failure = lab.failure(full_refresh=True)
    assert failure.code == "SourceHistoryExpired"
    assert "it had 2 rows when they were folded, now 1" in failure.message
    lab.close()


def test_whole_partitions_may_vanish_once_they_are_older_than_retention(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, profile="{kind: append_only, retention: 30 days}")
    add(lab, (1, "a", 1, 1), (1, "b", 2, 2))
    lab.fold()
    lab.run("DELETE FROM main.events WHERE d = '2025-01-01'")
    assert lab.fold().strategy == "none"
    failure = lab.failure(full_refresh=True)
    assert (failure.code, failure.approval) == ("SourceHistoryExpired", True)
    assert lab.fold(full_refresh=True, lose_history=True).row_count == 1
    lab.close()


def test_a_partition_within_retention_may_not_vanish(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, profile="{kind: append_only, retention: 30 days}")
    lab.run("INSERT INTO main.events SELECT 1, 'a', now()::TIMESTAMP, FALSE, current_date")
    lab.fold()
    lab.run("DELETE FROM main.events")
    assert lab.failure().code == "SourceMutationProfileViolated"
    lab.close()


def test_a_changed_definition_is_refused_and_says_what_changed(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (1, "b", 2, 2))
    lab.fold()
    columns = COLUMNS.replace("name: v, type: VARCHAR", "name: v, type: VARCHAR, nullable: false")
    lab.load(files("name: main.events", columns, model=MODEL.replace("PARTITION BY k", "PARTITION BY k, v")))
    failure = lab.failure()
    assert (failure.code, failure.approval) == ("DefinitionDeltaPending", True)
    assert "key changed from (k) to (k, v)" in failure.message
    assert "smelt repair history" in failure.help
    assert lab.fold(full_refresh=True).row_count == 2
    assert lab.fold().strategy == "none"
    lab.close()


def test_a_type_that_stored_values_do_not_have_names_column_and_types(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "abc", 1, 1))
    lab.fold()
    lab.load(files("name: main.events", model=MODEL.replace("SELECT k, v,", "SELECT k, CAST(v AS INTEGER) AS v,")))
    failure = lab.failure()
    assert failure.code == "DefinitionDeltaPending"
    assert "column v is stored as VARCHAR and would be INTEGER" in failure.message
    lab.close()


def probing(lab: Lab, cadence: str) -> None:
    config = "\n".join(["probes: {cadence: " + cadence + ", every_n_runs: 2}", ""])
    lab.load({**files("name: main.events"), "smelt.yml": SMELT_YML + config})


def test_a_value_changed_in_place_is_found_by_the_periodic_probe(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    probing(lab, "periodic")
    add(lab, (1, "a", 1, 1), (1, "b", 2, 2))
    lab.fold()
    assert lab.fold().strategy == "none"
    lab.run("UPDATE main.events SET v = 'other' WHERE v = 'a'")
    assert lab.fold().strategy == "none"
    failure = lab.failure()
    assert failure.code == "SourceMutationProfileViolated"
    assert "partition 2025-01-01 has other values in as many rows" in failure.message
    lab.close()


def test_a_tie_tells_the_values_that_differ_and_which_is_stored(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1))
    lab.fold()
    add(lab, (1, "b\nc", 1, 2))
    failure = lab.failure()
    assert failure.message == (
        "sources.events: key (k = 1), clock t = 2025-01-01 10:00:00: "
        "2 different events (v = a, stored already; v = b\\nc)"
    )
    [source] = lab.project.sources.values()
    assert failure.diagnostics[0].location == source.marks.at("columns", 2)
    lab.close()


def test_the_first_probe_compares_with_what_was_folded(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    probing(lab, "periodic")
    add(lab, (1, "a", 1, 1), (1, "b", 2, 2))
    lab.fold()
    lab.run("UPDATE main.events SET v = 'other' WHERE v = 'a'")
    assert lab.failure().code == "SourceMutationProfileViolated"
    lab.close()


def test_a_window_folded_again_with_other_values_is_refused_whenever_it_comes(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    probing(lab, "periodic")
    add(lab, (1, "a", 1, 1))
    lab.fold()
    lab.fold()
    lab.run("UPDATE main.events SET v = 'other'")
    assert lab.failure(window=days(1, 2)).code == "SourceMutationProfileViolated"
    lab.close()


def test_no_fingerprint_is_taken_where_probes_are_off(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1))
    for cadence, taken in (("off", 0), ("periodic", 1), ("per_run", 1)):
        probing(lab, cadence)
        lab.fold(full_refresh=True)
        assert lab.run("SELECT count(fingerprint) FROM main._smelt_frontier") == [(taken,)]
    lab.close()


def test_a_window_presented_again_is_probed_each_run(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    probing(lab, "per_run")
    add(lab, (1, "a", 1, 1), (1, "b", 2, 2))
    lab.fold()
    lab.fold(window=days(1, 2))
    lab.fold(window=days(1, 2))
    lab.run("UPDATE main.events SET t = t + INTERVAL 1 HOUR WHERE v = 'a'")
    assert lab.failure(window=days(1, 2)).code == "SourceMutationProfileViolated"
    assert lab.fold(full_refresh=True).row_count == 2
    lab.close()


def test_layout_and_comments_are_no_change(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    lab.fold()
    lab.load(files("name: main.events", model=MODEL.replace("SELECT k, v", "select   k /* key */,\n  v")))
    assert lab.fold().strategy == "none"
    lab.close()


def test_a_changed_setting_that_changes_results_is_a_changed_definition(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    lab.fold()
    lab.run("SET TimeZone = 'Asia/Kolkata'")
    failure = lab.failure()
    assert failure.code == "DefinitionDeltaPending"
    assert "TimeZone changed from utc to asia/kolkata" in failure.message
    lab.close()


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        ("DELETE FROM main.history WHERE k = 1", "main.history has 1 row, smelt left 2"),
        ("DROP TABLE main.history", "main.history is gone"),
        ("DELETE FROM main.history__tombstones", "main.history__tombstones has 0 rows, smelt left 1"),
        ("DROP TABLE main.history__tombstones", "main.history__tombstones is gone"),
    ],
)
def test_a_table_changed_by_hand_is_refused_and_can_be_rebuilt(tmp_path: Path, tamper: str, words: str) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1), (2, "x", 1, 1))
    add(lab, (1, "a", 2, 1), gone=True)
    lab.fold()
    lab.run(tamper)
    failure = lab.failure()
    assert failure.code == "MaintainedRelationChanged"
    assert failure.message == words
    assert lab.fold(full_refresh=True).row_count == 2
    assert lab.fold().strategy == "none"
    lab.close()


@pytest.mark.parametrize("kind", ["TABLE", "VIEW"])
def test_a_relation_of_somebody_else_is_left_alone(tmp_path: Path, kind: str) -> None:
    lab = lab_of(tmp_path)
    lab.run(f"CREATE {kind} main.history AS SELECT 1 AS mine")
    assert lab.failure().code == "RelationNotManaged"
    assert lab.failure(full_refresh=True).code == "RelationNotManaged"
    lab.close()


def test_a_model_keeps_its_rows_under_a_new_physical_name(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (1, "a", 1, 1))
    lab.fold()
    lab.load(files("name: main.events", model=MODEL.replace("refresh:", "name: Renamed\nrefresh:")))
    add(lab, (1, "b", 2, 2))
    assert lab.fold().strategy == "succession-patch"
    assert lab.run("SELECT count(*) FROM main.renamed") == [(2,)]
    assert lab.run("SELECT relation, ledger FROM main._smelt_models") == [("Renamed", "Renamed__tombstones")]
    lab.close()


def test_a_shape_with_an_output_named_rowid_is_not_folded(tmp_path: Path) -> None:
    """The classifier refuses such a model; the run looks again, for rows are deleted by that name."""
    lab = lab_of(tmp_path)
    found = lab.model("history")
    assert found.shape is not None
    outputs = (*found.shape.outputs, replace(found.shape.outputs[-1], name="RowId"))
    forged = replace(found, shape=replace(found.shape, outputs=outputs))
    with pytest.raises(WarehouseError) as caught:
        lab.warehouse.fold(forged, FoldRequest("run-1", 1), lab.announced.append)
    assert caught.value.failure.code == "ReservedColumnName"
    lab.close()


def test_samples_can_be_kept_out_of_messages(tmp_path: Path) -> None:
    lab = lab_of(tmp_path)
    add(lab, (7, "secret", 1, 1), (7, "other", 1, 1))
    assert "7" not in lab.failure(samples=0).message
    assert "k = 7" in lab.failure(samples=1).message
    lab.close()


@pytest.mark.parametrize(
    ("granularity", "axis", "expected"),
    [
        ("hour", "TIMESTAMP", timedelta(hours=1)),
        ("week", "DATE", timedelta(weeks=1)),
        ("month", "TIMESTAMP WITH TIME ZONE", timedelta(days=31)),
        ("year", "TIMESTAMP", timedelta(days=365)),
    ],
)
def test_partitions_of_every_width(tmp_path: Path, granularity: str, axis: str, expected: timedelta) -> None:
    project = files("name: main.events", COLUMNS.replace("name: d, type: DATE", f"name: d, type: {axis}"))
    source = project["models/sources/events.yml"].replace("granularity: day", f"granularity: {granularity}")
    lab = Lab(tmp_path, {**project, "models/sources/events.yml": source})
    lab.run(f"CREATE TABLE main.events (k INTEGER, v VARCHAR, t TIMESTAMP, gone BOOLEAN, d {axis})")
    lab.run("INSERT INTO main.events VALUES (1, 'a', '2025-01-08 10:00', FALSE, '2025-01-08 10:30')")
    built = lab.fold()
    assert built.time_range is not None
    assert built.time_range.end - built.time_range.start == expected
    assert built.time_range.start <= day(8) + timedelta(hours=10) < built.time_range.end
    assert lab.fold(window=built.time_range).re_presented == 1
    assert lab.fold().strategy == "none"
    lab.close()
