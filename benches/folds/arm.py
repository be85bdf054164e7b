"""The arms of a fold, each in a process of its own: ``python -m benches.folds.arm ARM [warm] [DAY…]`` in a project.

``fold`` is smelt's own fold, of the days given one after the other, or of whatever is new. ``recompute`` makes the
table anew from the model's SQL. ``floor`` does the least that any fold must do: it copies the window's distinct
events, and finds the stored rows of their keys in one pass over the key column. The CPU of each goes from before
its transaction to after a checkpoint, and is printed as JSON. ``warm`` reads the stored history and the source once
before that, so that no arm pays for what it finds on disk.
"""

import json
import resource
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from smelt.analysis.analyze import analyze
from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.session import Session
from smelt.engines.duckdb.warehouse import DuckDBWarehouse, open_warehouse
from smelt.engines.model import FoldRequest
from smelt.text.intervals import Interval
from smelt.workspace.reader import read_project

_SOURCE = "feed.main.customer_changes"
Changed = tuple[int, int, int]


def main() -> None:
    name, *days = sys.argv[1:]
    project = read_project(Path())
    (model,) = analyze(project).models.values()
    if model.shape is None or project.config is None:
        raise SystemExit(f"not a succession model: {[one.message for one in model.diagnostics]}")
    with closing(open_warehouse(Path(), project, project.config.targets["dev"])) as warehouse:
        work = {"fold": _fold, "recompute": _recompute, "floor": _floor}[name]
        if days[:1] == ["warm"]:
            days = days[1:]
            _read_everything(warehouse.session)
        each, changed = [], (0, 0, 0)
        given: list[str | None] = [*days] or [None]
        for at in given:
            before = _cpu()
            changed = work(warehouse, model, at)
            if len(days) < 2:
                # A run of many windows leaves checkpoints to DuckDB, as smelt does.
                warehouse.session.run("CHECKPOINT")
            each.append(_cpu() - before)
    print(json.dumps({"each": each, "changed": changed}))


def _read_everything(session: Session) -> None:
    for relation in ("customer_history", "customer_history__tombstones", _SOURCE):
        session.run(f"SELECT bit_xor(hash(COLUMNS(*))) FROM {relation}")


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _fold(warehouse: DuckDBWarehouse, model: ModelAnalysis, day: str | None) -> Changed:
    window = None
    if day is not None:
        start = datetime.fromisoformat(day)
        window = Interval(start, start + timedelta(days=1))
    sequence = warehouse.last_sequence() + 1
    done = warehouse.fold(model, FoldRequest(f"bench_{sequence}", sequence, window), _say_nothing)
    return (done.rows_inserted or 0, done.rows_patched or 0, done.tombstones or 0)


def _recompute(warehouse: DuckDBWarehouse, model: ModelAnalysis, day: str | None) -> Changed:
    from benches.folds.lab import MODEL

    _in_transaction(
        warehouse.session,
        lambda run: run(f"CREATE OR REPLACE TABLE customer_history AS {MODEL.format(source=_SOURCE)}"),
    )
    return (0, 0, 0)


def _floor(warehouse: DuckDBWarehouse, model: ModelAnalysis, day: str | None) -> Changed:
    def work(run: Callable[[str], object]) -> None:
        run(
            "CREATE TEMP TABLE staged AS SELECT DISTINCT customer_id, tier, region, effective_ts, is_deleted "
            f"FROM {_SOURCE} WHERE ingested_date >= DATE '{day}' AND ingested_date < DATE '{day}' + 1"
        )
        run("SELECT count(*) FROM customer_history SEMI JOIN staged USING (customer_id)")

    _in_transaction(warehouse.session, work)
    return (0, 0, 0)


def _in_transaction(session: Session, work: Callable[[Callable[[str], object]], object]) -> None:
    session.run("BEGIN TRANSACTION")
    work(session.run)
    session.run("COMMIT")


def _say_nothing(text: str) -> None:
    """Nobody reads what a measured fold announces."""


if __name__ == "__main__":
    main()
