"""``smelt status``: what is covered, and what is missing."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

import click

from smelt.analysis.model import ModelAnalysis
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.opening import Opened, classified, model_named, open_project, target_of, usable
from smelt.cli.outcome import word
from smelt.cli.running import known_faults
from smelt.cli.terminal import Terminal
from smelt.cli.window import parse_instant
from smelt.engines.duckdb.rehearsing import open_to_rehearse, rehearse
from smelt.engines.model import Failure, FoldRequest, WarehouseError
from smelt.project.model import ProjectConfig, Target
from smelt.state.clock import SystemClock
from smelt.state.coverage import bounds
from smelt.state.files import Files
from smelt.state.mirror import covered
from smelt.state.past import newest_first
from smelt.state.records import Manifest
from smelt.state.standing import ModelStatus, cells, status_of
from smelt.state.store import reading
from smelt.text.counts import counted
from smelt.text.intervals import Interval, in_words

Json = dict[str, object]

_RUNS_LOOKED_AT = 1_000
_CELLS = 60


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Rows that the source has and the table has not; or why nobody can tell."""

    rows: int | None = None
    failure: Failure | None = None


@command(
    "status",
    example="smelt status\nsmelt status customer_history --since 2025-01-01 --until 2025-07-01\nsmelt status --json",
    short_help="Show what is covered, and what is missing.",
)
@click.argument("model", required=False)
@click.option("--since", metavar="TIME", help="Look at gaps from here on; from the first covered range if not given.")
@click.option("--until", metavar="TIME", help="Look at gaps up to here; up to today (UTC) if not given.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: each model and what is covered.")
def main(invocation: Invocation, model: str | None, since: str | None, until: str | None, as_json: bool) -> Exit:
    """Show of each incremental model, or of MODEL, what was folded, the gaps, its last run, and what waits.

    On a terminal a line of cells draws the time from --since to --until: █ is covered, ▒ in part, · not.

    Only reads: `.smelt/`, and the database where it can be read. It takes no lock.
    """
    opened = open_project(invocation)
    config = usable(opened)
    target = target_of(config, invocation.target)
    if config.state_mode == "stateless":
        raise Stop(Exit.USAGE, "`state.mode: stateless` keeps no status", "set `state: {mode: intervals}`")
    analysis = classified(opened)
    models = [one for one in analysis.models.values() if one.shape is not None]
    if model is not None:
        models = [model_named(analysis, model)]
        if models[0].shape is None:
            raise Stop(Exit.USAGE, f"{model} is built whole: nothing of it is covered or missing", "name a succession")
    begin = None if since is None else parse_instant("--since", since)
    end = _today() if until is None else parse_instant("--until", until)
    if begin is not None and begin >= end:
        raise Stop(Exit.USAGE, "--since does not come before --until")
    with known_faults(opened):
        found = _statuses(opened, target, models, begin, end)
    waiting = _waiting(opened, config, target, models)
    if as_json:
        value = {"target": target.name, "models": [_object(one, waiting[one.model]) for one in found]}
        invocation.terminal.result(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    else:
        _print(invocation.terminal, found, waiting)
    return Exit.DONE


def _today() -> datetime:
    now = SystemClock().now().astimezone(UTC)
    return datetime(now.year, now.month, now.day)


def _statuses(
    opened: Opened, target: Target, models: list[ModelAnalysis], since: datetime | None, until: datetime
) -> list[ModelStatus]:
    files = reading(opened.root, target.name, default_target=usable(opened).default_target)
    coverage = covered(files)
    names = [str(one.model.address) for one in models]
    runs = _latest(files, names)
    return [status_of(name, coverage, runs, since, until) for name in names]


def _latest(files: Files, names: list[str]) -> list[Manifest]:
    """The newest runs, back to where each model was met; not endlessly for one that never ran."""
    unmet, found = set(names), []
    for run in islice(newest_first(files), _RUNS_LOOKED_AT):
        if not unmet:
            break
        found.append(run)
        unmet.difference_update(run.models)
    return found


def _waiting(opened: Opened, config: ProjectConfig, target: Target, models: list[ModelAnalysis]) -> dict[str, _Waiting]:
    names = [str(one.model.address) for one in models]
    if not models:
        return {}
    try:
        session = open_to_rehearse(opened.root, target, tuple(config.redacted))
    except WarehouseError as error:
        return dict.fromkeys(names, _Waiting(failure=error.failure))
    found: dict[str, _Waiting] = {}
    with closing(session.connection):
        for name, model in zip(names, models, strict=True):
            try:
                request = FoldRequest("status", 0)
                done = rehearse(session, opened.root, opened.project, model, request)
                found[name] = _Waiting(done.rehearsal.waiting)
            except WarehouseError as error:
                found[name] = _Waiting(failure=error.failure)
    return found


def _print(terminal: Terminal, found: list[ModelStatus], waiting: dict[str, _Waiting]) -> None:
    if not found:
        terminal.say("no incremental model")
    for one in found:
        terminal.result(f"{one.model}\n")
        for label, text in _lines(one, waiting[one.model]):
            terminal.result(f"  {label:<9}{text}\n")
        if terminal.out_is_tty and one.window is not None:
            width = min(_CELLS, (terminal.out_width or 80) - 12)
            terminal.result(f"  {'':<9}{cells(one, width)}\n")


def _lines(one: ModelStatus, waiting: _Waiting) -> Iterator[tuple[str, str]]:
    yield "covered", ", ".join(_shown(range_) for range_ in one.covered) or "nothing"
    if one.window is not None:
        yield "gaps", ", ".join(_shown(gap) for gap in one.gaps) or "none"
    if one.last is None:
        yield "last run", "no record"
    else:
        error = one.last.record.error
        told = f" ({error.code})" if error is not None else ""
        started = one.last.started_at[:19].replace("T", " ")
        yield "last run", f"{word(one.last.record.outcome)}{told}, {started} UTC, {one.last.run_id.rpartition('-')[2]}"
    if waiting.failure is not None:
        yield "waiting", f"unknown ({waiting.failure.code})"
    elif waiting.rows is not None:
        yield "waiting", counted(waiting.rows, "row") if waiting.rows else "nothing"


def _shown(range_: Interval) -> str:
    return in_words(*bounds(range_))


def _object(one: ModelStatus, waiting: _Waiting) -> Json:
    last = one.last
    return {
        "model": one.model,
        "covered": [_range(range_) for range_ in one.covered],
        "gaps": [_range(gap) for gap in one.gaps],
        "window": None if one.window is None else _range(one.window),
        "last_run": None
        if last is None
        else {
            "run_id": last.run_id,
            "started_at": last.started_at,
            "outcome": last.record.outcome,
            "error": None if last.record.error is None else last.record.error.code,
        },
        "waiting_rows": waiting.rows,
        "waiting_unknown": None if waiting.failure is None else waiting.failure.code,
    }


def _range(range_: Interval) -> Json:
    start, end = bounds(range_)
    return {"start": start, "end": end}
