"""``smelt history``: what the last runs did."""

import json
from collections.abc import Iterator, Sequence

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.numbers import count
from smelt.cli.opening import open_project, relation_named, target_of, usable
from smelt.cli.outcome import detail, seconds, word
from smelt.cli.running import known_faults
from smelt.cli.tables import plain_table
from smelt.diagnostics.cells import width_of
from smelt.state.codec import manifest_to_json
from smelt.state.past import past_runs
from smelt.state.records import Manifest
from smelt.state.store import reading

_ABOUT = ("run", "started (UTC)", "command")
_HEADER = (*_ABOUT, "model", "outcome", "strategy", "did", "rows", "time")
_FLUSH = ("rows", "time")
_NARROW = tuple(_HEADER.index(name) for name in ("model", "outcome", "did", "rows", "time"))


@command(
    "history",
    example="smelt history\nsmelt history customer_history --limit 30\nsmelt history --json",
    short_help="Show what the last runs did.",
)
@click.argument("model", required=False)
@click.option("--limit", type=count(1), default=10, show_default=True, metavar="N", help="The newest N runs.")
@click.option("--json", "as_json", is_flag=True, help="Print the runs' manifests as one JSON array, newest first.")
def main(invocation: Invocation, model: str | None, limit: int, as_json: bool) -> Exit:
    """Show what the last runs did with each model, newest first; with MODEL the runs that had to do with it.

    Only reads `.smelt/`; it takes no lock and opens no database.
    """
    opened = open_project(invocation)
    config = usable(opened)
    target = target_of(config, invocation.target)
    if config.state_mode == "stateless":
        raise Stop(Exit.USAGE, "`state.mode: stateless` keeps no history", "set `state: {mode: intervals}`")
    name = None
    if model is not None:
        relation_named(opened.project, model)
        name = model.removeprefix("smelt.")
    with known_faults(opened):
        runs = past_runs(reading(opened.root, target.name, default_target=config.default_target), name, limit)
    if as_json:
        written = json.dumps([manifest_to_json(run) for run in runs], indent=2, ensure_ascii=False) + "\n"
        invocation.terminal.result(written)
        return Exit.DONE
    if not runs:
        invocation.terminal.say("no run yet" if name is None else f"no run of {name} yet")
        return Exit.DONE
    # The lock lets one run work at a time: of those that have not ended, only the newest may still be at work.
    rows = [row for at, run in enumerate(runs) for row in _rows(run, name, "killed" if at else "running or killed")]
    invocation.terminal.result(_fitting(rows, invocation.terminal.out_width))
    return Exit.DONE


def _fitting(rows: Sequence[tuple[str, ...]], width: int | None) -> str:
    """All columns, a line for each model; where a terminal is too narrow for them, the models below their run."""
    wide = plain_table(_HEADER, rows, [name in _FLUSH for name in _HEADER])
    if width is None or max(width_of(line) for line in wide.splitlines()) <= width:
        return wide
    names = [_HEADER[at] for at in _NARROW]
    table = plain_table(names, [[row[at] for at in _NARROW] for row in rows], [name in _FLUSH for name in names])
    told: list[str] = []
    about: tuple[str, ...] = ()
    for row, line in zip(rows, table.splitlines()[2:], strict=True):
        if row[: len(_ABOUT)] != about:
            about = row[: len(_ABOUT)]
            told.append("{}  {} UTC  {}\n".format(*about))
        told.append(f"  {line}\n")
    return "".join(told)


def _rows(run: Manifest, only: str | None, unended: str) -> Iterator[tuple[str, ...]]:
    """A line for each model of a run; one for a run that has none to tell of."""
    started = run.started_at[:19].replace("T", " ")
    about = (f"{run.sequence:06x}", started, run.command)
    places = {name: at for at, name in enumerate(run.selection)}
    shown = sorted((name for name in run.models if only is None or name == only), key=lambda name: places.get(name, 0))
    for name in shown:
        record = run.models[name]
        rows = "" if record.row_count is None else f"{record.row_count:,}"
        done = detail(record)
        yield *about, name, word(record.outcome), record.strategy, done, rows, seconds(record.duration_ms)
    if run.status != "completed" or not shown:
        ended = {"running": unended, "cancelled": "cancelled", "completed": "nothing to run"}[run.status]
        yield *about, "", ended, "", "", "", ""
