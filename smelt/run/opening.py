"""Opening the warehouse of a run, waiting for one that another program holds, and connecting to it several times."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from smelt.analysis.model import ModelAnalysis
from smelt.engines.model import SingleConnection, Warehouse, WarehouseError
from smelt.project.model import Project, Target
from smelt.state.clock import Clock

T = TypeVar("T")
OpenWarehouse = Callable[[Path, Project, Target], Warehouse]
_POLL_SECONDS = 0.1


def open_duckdb(root: Path, project: Project, target: Target) -> Warehouse:
    """The DuckDB warehouse; DuckDB is imported only here, when a run really opens it."""
    from smelt.engines.duckdb.warehouse import open_warehouse

    return open_warehouse(root, project, target)


def open_when_free(attempt: Callable[[], T], clock: Clock, deadline: float) -> T:
    """What ``attempt`` opens, tried again until ``deadline`` (monotonic) while another program holds the database.

    Raises:
        WarehouseError: it is still held, or cannot be opened for another reason.
    """
    while True:
        try:
            return attempt()
        except WarehouseError as error:
            left = deadline - clock.monotonic()
            if not error.failure.busy or left <= 0:
                raise
            clock.sleep(min(_POLL_SECONDS, left))


def side_by_side(
    warehouse: Warehouse, jobs: int, models: Sequence[ModelAnalysis]
) -> tuple[tuple[Warehouse, ...], str | None]:
    """A connection for each job, ``warehouse`` first; fewer, and why, if the database gives no more.

    Raises:
        WarehouseError: the tables of record cannot be made.
    """
    if jobs < 2:
        return (warehouse,), None
    try:
        return (warehouse, *warehouse.beside(jobs - 1, models)), None
    except SingleConnection as error:
        return (warehouse,), f"one job at a time, for a target of one connection: {error}"
