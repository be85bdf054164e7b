"""``smelt repair``: rebuild models and their hidden state from their sources."""

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.holding import holding
from smelt.cli.opening import analysed, open_project, sound, target_of
from smelt.cli.running import RunOptions, lock_and_json_options, run, selection_options
from smelt.cli.terminal import Terminal
from smelt.engines.duckdb.reader import open_reader
from smelt.engines.duckdb.remembered import deployed, landed
from smelt.run.restoring import Restored, restore

_EXAMPLE = """\
smelt repair customer_history
smelt repair --all
smelt repair customer_history --lose-history
smelt repair --state"""


@command("repair", example=_EXAMPLE, short_help="Rebuild models and their hidden state from their sources.")
@selection_options
@click.option("--all", "everything", is_flag=True, help="Repair every model.")
@click.option("--lose-history", is_flag=True, help="Rebuild although the source no longer has all that was folded.")
@click.option(
    "--state", is_flag=True, help="Only write the files under `.smelt/` anew from the warehouse, of all models."
)
@lock_and_json_options
def main(
    invocation: Invocation,
    /,
    selectors: tuple[str, ...],
    select: tuple[str, ...],
    exclude: tuple[str, ...],
    everything: bool,
    lose_history: bool,
    state: bool,
    lock_timeout: float,
    as_json: bool,
    **others: Any,
) -> Exit:
    """Rebuild what SELECT names, whatever became of it: after a changed definition, an edited or a dropped table.

    Table, tombstone ledger, frontier and record of a model are made anew from its whole source in one transaction; if
    that fails, the old ones stay. Only what smelt built is replaced.

    With `--state` no table is touched: intervals, landed deltas and schemas are written again as the warehouse tells.
    """
    if state:
        if selectors or select or exclude or lose_history:
            raise Stop(Exit.USAGE, "--state is about the files of all models", "give it without names")
        return _restore(invocation, lock_timeout, as_json=as_json)
    if everything == bool(selectors or select):
        raise Stop(Exit.USAGE, "repair what? name models, or say --all", "smelt repair customer_history")
    options = RunOptions(
        selectors=selectors,
        select=select,
        exclude=exclude,
        full_refresh=True,
        lose_history=lose_history,
        lock_timeout=lock_timeout,
        as_json=as_json,
        **others,
    )
    return run(invocation, "repair", options)


def _restore(invocation: Invocation, lock_timeout: float, *, as_json: bool) -> Exit:
    opened = open_project(invocation)
    analysis = analysed(opened)
    config = sound(opened, analysis)
    target = target_of(config, invocation.target)
    if config.state_mode == "stateless":
        raise Stop(Exit.USAGE, "`state.mode: stateless` keeps no such files", "set `state: {mode: intervals}`")
    with holding(opened, target, "smelt repair", lock_timeout) as held:
        redacted = tuple(config.redacted)
        reader = held.when_free(lambda: open_reader(opened.root, target, redacted))
        if reader is None:
            raise Stop(Exit.FAILED, f"nothing is built in target {target.name} yet", "`smelt run` builds it")
        with closing(reader):
            standing = deployed(reader.session, opened.project, analysis.models)
            built = {one.model for one in standing if one.kind == "succession"}
            models = [one for one in analysis.models.values() if str(one.model.address) in built]
            done = restore(held.files, standing, landed(reader.session, models), analysis.models)
    places = {name: held.files.path(name).relative_to(opened.root) for name in (*done.written, *done.removed)}
    _tell(invocation.terminal, done, places, as_json=as_json)
    return Exit.DONE


def _tell(terminal: Terminal, done: Restored, places: Mapping[str, Path], *, as_json: bool) -> None:
    if as_json:
        value = {"written": list(done.written), "removed": list(done.removed)}
        terminal.result(json.dumps(value, indent=2) + "\n")
    for name in done.written:
        terminal.say(f"written  {places[name]}")
    for name in done.removed:
        terminal.say(f"removed  {places[name]}: nothing like it is built")
    if not (done.written or done.removed):
        terminal.say("all files say what the warehouse says")
