"""``smelt diff``: what changed since it was built."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import click

from smelt.analysis.model import Analysis
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.opening import Opened, analysed, open_project, selected, sound, target_of
from smelt.cli.running import known_faults, selection_options
from smelt.cli.terminal import Terminal
from smelt.engines.duckdb.environment import what_changed
from smelt.engines.duckdb.reader import open_reader
from smelt.engines.duckdb.record import Record
from smelt.engines.duckdb.remembered import deployed
from smelt.engines.duckdb.standing import Standing
from smelt.engines.model import Deployed, WarehouseError
from smelt.project.model import Address, ProjectConfig, Target
from smelt.run.pending import ColumnChange, Pending, gone, pending
from smelt.run.snapshots import from_snapshots
from smelt.state.store import check_version

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class _Built:
    """What is built, by printed address.

    Attributes:
        settings: what the target sets that can change results, as the record keeps it; None if nobody could ask.
        source: where this is known from.
    """

    models: dict[str, Deployed]
    settings: str | None
    source: str


@command(
    "diff",
    example="smelt diff\nsmelt diff customer_history\nsmelt diff --exit-code --json",
    short_help="Show what changed since it was built.",
)
@selection_options
@click.option("--exit-code", is_flag=True, help="Exit 1 if anything is pending.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: each model and what changed.")
def main(
    invocation: Invocation,
    selectors: tuple[str, ...],
    select: tuple[str, ...],
    exclude: tuple[str, ...],
    exit_code: bool,
    as_json: bool,
) -> Exit:
    """Show which definitions and columns differ from what is built, and what brings the warehouse up to date.

    Only reads, and takes no lock. While another program holds the database, it compares with what the last runs wrote
    under `.smelt/`, and says so. New rows in the sources are no change: `smelt status` tells of these.
    """
    opened = open_project(invocation)
    analysis = analysed(opened)
    config = sound(opened, analysis)
    target = target_of(config, invocation.target)
    addresses = selected(opened.project, (*selectors, *select), exclude)
    with known_faults(opened):
        check_version(opened.root)
        built = _built(invocation.terminal, opened, analysis, config, target)
    found: list[Pending] = []
    for address in opened.project.order:
        if address in addresses and _is_of(analysis, address, target):
            known = built.models.get(str(address))
            found.append(pending(analysis.models[address], known, _settings(known, built)))
    if not (selectors or select or exclude):
        there = {str(address) for address in (*opened.project.models, *opened.project.seeds)}
        found += [gone(one) for name, one in built.models.items() if name not in there]
    waits = any(one.state != "same" for one in found)
    if as_json:
        value = {"target": target.name, "deployed_from": built.source, "models": [_object(one) for one in found]}
        invocation.terminal.result(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    else:
        _print(invocation.terminal, found)
    return Exit.FAILED if exit_code and waits else Exit.DONE


def _is_of(analysis: Analysis, address: Address, target: Target) -> bool:
    """Whether this is a model that is built in this target."""
    model = analysis.models.get(address)
    return model is not None and model.model.frontmatter.target in (None, target.name)


def _built(terminal: Terminal, opened: Opened, analysis: Analysis, config: ProjectConfig, target: Target) -> _Built:
    try:
        reader = open_reader(opened.root, target, tuple(config.redacted))
    except WarehouseError as error:
        if not error.failure.busy or config.state_mode == "stateless":
            raise
        terminal.say(f"{error.failure.message}: compared with what the last runs wrote under .smelt/")
        return _Built(from_snapshots(opened.root, target.name, config.default_target, analysis), None, "snapshots")
    if reader is None:
        return _Built({}, None, "warehouse")
    with closing(reader):
        session = reader.session
        models = {one.model: one for one in deployed(session, opened.project, analysis.models)}
        with session.named(f"target {target.name}"):
            settings = Standing(session, Record(session)).settings()
    return _Built(models, settings, "warehouse")


def _settings(known: Deployed | None, built: _Built) -> tuple[str, ...]:
    if known is None or known.kind != "succession" or built.settings is None:
        return ()
    return tuple(what_changed(known.settings, built.settings))


def _print(terminal: Terminal, found: list[Pending]) -> None:
    waiting = [one for one in found if one.state != "same"]
    width = max((len(one.model) for one in waiting), default=0)
    for one in waiting:
        terminal.result(f"{one.state:<8} {one.model:<{width}}  {one.then}\n")
        for line in _lines(one):
            terminal.result(f"  {line}\n")
    if not waiting:
        terminal.say("nothing is pending")


def _lines(one: Pending) -> Iterator[str]:
    yield from one.changes
    yield from (f"{column.name}: {_change(column)}" for column in one.columns)


def _change(column: ColumnChange) -> str:
    if column.deployed is None:
        return f"new, {column.now}"
    return f"no longer there, was {column.deployed}" if column.now is None else f"{column.deployed} -> {column.now}"


def _object(one: Pending) -> Json:
    return {
        "model": one.model,
        "state": one.state,
        "deployed": one.deployed,
        "now": one.now,
        "changes": list(one.changes),
        "columns": [{"name": each.name, "deployed": each.deployed, "now": each.now} for each in one.columns],
        "then": one.then or None,
    }
