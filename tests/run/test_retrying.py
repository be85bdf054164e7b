"""What failed for a passing reason is tried again; nothing else is."""

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from smelt.engines.duckdb.errors import Redaction, statement_error
from smelt.engines.duckdb.transient import is_transient
from smelt.engines.model import Built, Failure, WarehouseError
from smelt.project.model import ColumnTest
from smelt.run.retrying import Patience
from tests.run.bench import Bench, outcomes
from tests.run.projects import TABLE, Listening, ModelSpec, days
from tests.state.clocks import FakeClock


def flaky(times: int, *, transient: bool = True, committed: Built | None = None) -> Callable[[], Built]:
    """Fails so often, then succeeds."""
    failures = [WarehouseError(Failure("Torn", "the line broke", transient=transient), committed)] * times

    def build() -> Built:
        if failures:
            raise failures.pop()
        return TABLE

    return build


def test_it_is_tried_again_after_longer_and_longer_pauses(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(), "b": ModelSpec(reads=("a",))})
    listening = Listening()
    bench.listener = listening
    bench.script(a=flaky(3))
    summary = bench.run(retries=3)
    assert outcomes(summary) == {"a": "success", "b": "success"}
    assert [line for line in listening.heard if line.startswith("again")] == [
        "again a 1/3 in 0.5",
        "again a 2/3 in 1.0",
        "again a 3/3 in 2.0",
    ]
    assert sum(bench.clock.slept) == pytest.approx(3.5)
    assert summary.manifest.models["a"].retry_count == 3
    assert summary.manifest.models["b"].retry_count == 0
    assert bench.warehouse.calls == ["a"] * 4 + ["b"]


def test_the_last_failure_stands_and_manifest_and_report_count(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec()})
    bench.script(a=flaky(9))
    summary = bench.run(retries=2)
    assert (summary.exit_code, outcomes(summary)) == (1, {"a": "Torn"})
    [manifest] = bench.runs()
    assert manifest["models"]["a"]["retry_count"] == 2  # type: ignore[index]
    report = bench.file(f"reports/{manifest['run_id']}.json")
    assert report["failures"] == [
        {"model": "a", "error": {"code": "Torn", "message": "the line broke"}, "retry_count": 2}
    ]


def test_by_default_and_for_other_failures_nothing_is_tried_again(tmp_path: Path) -> None:
    for options, transient in (({}, True), ({"retries": 5}, False)):
        bench = Bench(tmp_path, {"a": ModelSpec()})
        bench.script(a=flaky(1, transient=transient))
        assert outcomes(bench.run(**options)) == {"a": "Torn"}
        assert bench.warehouse.calls == ["a"]
        assert bench.clock.slept == []


def test_what_was_committed_before_a_failure_is_counted_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(kind="succession")})
    first = Built("succession-build", 5, rows_inserted=5, rows_patched=0, time_range=days(1, 3), coverage=(days(1, 3),))
    rest = Built("succession-patch", 7, rows_inserted=2, rows_patched=1, time_range=days(3, 4), coverage=(days(1, 4),))
    fails = [flaky(1, committed=first)]

    def build() -> Built:
        return fails.pop()() if fails else rest

    bench.script(a=build)
    record = bench.run(retries=1, chunk=1).manifest.models["a"]
    assert (record.strategy, record.row_count, record.rows_inserted, record.rows_patched) == (
        "succession-build",
        7,
        7,
        1,
    )
    assert (record.time_range, record.retry_count) == (("2025-01-01", "2025-01-04"), 1)
    assert bench.file("intervals.json")["models"] == {"a": [{"start": "2025-01-01", "end": "2025-01-04"}]}


def test_a_test_is_tried_again_too(tmp_path: Path) -> None:
    bench = Bench(tmp_path, {"a": ModelSpec(tests=(ColumnTest("unique", "id"),))})
    answers = [WarehouseError(Failure("Torn", "the line broke", transient=True))]

    def rows(sql: str) -> tuple[int, tuple[tuple[object, ...], ...]]:
        if answers:
            raise answers.pop()
        return 0, ()

    bench.warehouse.rows = rows
    assert bench.run(command="build", retries=1).manifest.tests == {"a:unique:id": "passed"}


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (duckdb.IOException("IO Error: Could not establish connection error for HTTP HEAD"), True),
        (duckdb.IOException("IO Error: Could not set lock on file"), True),
        (duckdb.IOException("IO Error: Input/output error"), True),
        (duckdb.IOException("IO Error: No files found that match the pattern"), False),
        (duckdb.IOException('IO Error: Cannot open file "x": No such file or directory'), False),
        (duckdb.IOException('IO Error: Cannot open file "x": Permission denied'), False),
        (duckdb.IOException("IO Error: No space left on device"), False),
        (duckdb.TransactionException("TransactionContext Error: Failed to commit: write-write conflict"), True),
        (duckdb.TransactionException("TransactionContext Error: cannot start a transaction within another"), False),
        (duckdb.OutOfMemoryException("Out of Memory Error"), False),
        (duckdb.InterruptException("INTERRUPT Error: Interrupted!"), False),
        (duckdb.ConversionException("Conversion Error: a conflict of types"), False),
        (duckdb.ConstraintException("Constraint Error: Duplicate key"), False),
        (duckdb.BinderException("Binder Error: a conflict of names"), False),
    ],
)
def test_which_errors_pass(error: duckdb.Error, passes: bool) -> None:
    assert is_transient(error) is passes
    assert statement_error(error, "a", "target/dev.duckdb", Redaction()).failure.transient is passes


@pytest.mark.parametrize(
    ("status", "passes"), [(0, True), (503, True), (500, True), (429, True), (404, False), (403, False)]
)
def test_which_answers_of_a_server_pass(status: int, passes: bool) -> None:
    error = duckdb.HTTPException("HTTP Error: HTTP GET error")
    error.status_code = status
    assert is_transient(error) is passes


def test_a_conflict_of_two_transactions_passes() -> None:
    with duckdb.connect() as one:
        one.execute("CREATE TABLE t AS SELECT 1 AS n")
        with one.cursor() as other:
            one.execute("BEGIN; UPDATE t SET n = 2")
            other.execute("BEGIN")
            with pytest.raises(duckdb.Error) as raised:
                other.execute("UPDATE t SET n = 3")
    assert is_transient(raised.value)


def test_a_run_that_is_stopped_tries_nothing_again(tmp_path: Path) -> None:
    clock = FakeClock()
    stopped: list[bool] = []
    clock.while_asleep = lambda: stopped.append(True)
    patience = Patience(5, clock, lambda: bool(stopped), lambda retry: None)
    tried = patience.tried("a", flaky(2))
    assert (tried.value, tried.retries, len(clock.slept)) == (None, 1, 1)
    assert tried.failure == Failure("Torn", "the line broke", transient=True)
