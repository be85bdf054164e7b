"""Running one column test, and ``smelt test``: the tests of built tables, without the lock, writing nothing."""

from collections.abc import Callable
from contextlib import closing
from typing import Protocol

from smelt.analysis.model import Analysis
from smelt.engines.model import Failure, WarehouseError
from smelt.project.model import Address, Target
from smelt.run.column_tests import can_run, query
from smelt.run.model import Ended
from smelt.run.outcomes import failed
from smelt.run.rules import column_test_failed, column_test_unavailable
from smelt.run.schedule import TestStep, tests_of
from smelt.state.clock import Clock
from smelt.state.records import ModelRecord


class Queries(Protocol):
    """What a column test needs of a warehouse."""

    def failing_rows(self, sql: str, limit: int) -> tuple[int, tuple[tuple[object, ...], ...]]:
        """How many rows a query finds, and the first few of them. Raises :class:`WarehouseError`."""

    def close(self) -> None:
        """Close the connection. Never raises."""


def run_test(analysis: Analysis, target: Target, queries: Queries, step: TestStep, samples: int) -> Failure | None:
    """Why a test failed, by its rows or because its query cannot run; None if it passed."""
    if not can_run(analysis.project, step.test):
        return column_test_unavailable.failure(step.test)
    sql = query(analysis.project, target, step.model, step.test)
    try:
        count, rows = queries.failing_rows(sql, samples)
    except WarehouseError as error:
        return error.failure
    return column_test_failed.failure(str(step.model), step.test, count, rows) if count else None


def run_tests(
    analysis: Analysis,
    target: Target,
    models: tuple[Address, ...],
    samples: int,
    open_queries: Callable[[], Queries],
    tell: Callable[[Ended], None],
    clock: Clock,
) -> tuple[Ended, ...]:
    """Run the column tests of ``models`` on what is built; ``tell`` hears of each as it ends.

    Raises:
        WarehouseError: the database cannot be opened.
    """
    results: list[Ended] = []
    with closing(open_queries()) as queries:
        for step in tests_of(analysis.project, models):
            began = clock.monotonic()
            failure = run_test(analysis, target, queries, step, samples)
            duration = round((clock.monotonic() - began) * 1000)
            passed = ModelRecord(outcome="success", duration_ms=duration)
            ended = Ended(step.name, passed if failure is None else failed(failure, duration, None), failure)
            results.append(ended)
            tell(ended)
    return tuple(results)
