"""``smelt clean``: remove what nobody needs any more."""

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import click

from smelt.analysis.model import Analysis
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.holding import Held, holding
from smelt.cli.numbers import count
from smelt.cli.opening import Opened, analysed, open_project, sound, target_of, usable
from smelt.cli.terminal import Terminal
from smelt.cli.waiting import lock_timeout_option
from smelt.engines.duckdb.orphans import Orphan, drop, orphans
from smelt.engines.duckdb.reader import open_reader
from smelt.engines.duckdb.session import connect
from smelt.project.model import Target
from smelt.run.cleaning import forget_models, prune_runs
from smelt.text.counts import counted
from smelt.workspace.cache import clear

_EXAMPLE = """\
smelt clean --runs 100
smelt clean --orphans
smelt clean --orphans --yes --runs 100 --cache"""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What to remove, and how."""

    runs: int | None
    orphans: bool
    cache: bool
    yes: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """What is left of models that are gone, and whether it was dropped."""

    orphans: tuple[Orphan, ...]
    dropped: bool


@command(
    "clean", example=_EXAMPLE, short_help="Remove old manifests, relations of models that are gone, and the cache."
)
@click.option(
    "--runs", type=count(1), metavar="KEEP", help="Remove the manifests and reports of all but the newest KEEP."
)
@click.option("--orphans", is_flag=True, help="List the relations whose model is gone, then drop them if you say so.")
@click.option("--cache", is_flag=True, help="Remove what checks and runs found out, in target/.cache.")
@click.option("--yes", is_flag=True, help="Drop without asking.")
@lock_timeout_option
@click.option("--json", "as_json", is_flag=True, help="Print what was found and removed as JSON on stdout.")
def main(
    invocation: Invocation,
    runs: int | None,
    orphans: bool,
    cache: bool,
    yes: bool,
    lock_timeout: float,
    as_json: bool,
) -> Exit:
    """Remove what nobody needs any more. Only what you name is touched.

    `--orphans` looks for what smelt built in this target for models and seeds that the project no longer has. It lists
    them, and drops them after you confirmed, or with `--yes`; nobody to ask means that they are only listed.
    """
    wanted = _Wanted(runs, orphans, cache, yes)
    if runs is None and not orphans and not cache:
        raise Stop(Exit.USAGE, "clean what? say --runs KEEP, --orphans or --cache", "smelt clean --runs 100")
    if yes and not orphans:
        raise Stop(Exit.USAGE, "--yes is about --orphans", "smelt clean --orphans --yes")
    opened = open_project(invocation)
    config = usable(opened)
    target = target_of(config, invocation.target)
    # A file with a fault might look like a model that is gone.
    analysis = analysed(opened) if orphans else None
    if analysis is not None:
        sound(opened, analysis)
    with holding(opened, target, "smelt clean", lock_timeout) as held:
        removed = None if runs is None else prune_runs(held.files, runs)
        found = None if analysis is None else _orphans(invocation.terminal, opened, analysis, target, held, wanted)
        cleared = _clear(opened) if cache else None
    _tell(invocation.terminal, target, removed, found, cleared)
    if as_json:
        value = {
            "runs_removed": removed,
            "orphans": None if found is None else [_object(one, dropped=found.dropped) for one in found.orphans],
            "cache_removed": cleared,
        }
        invocation.terminal.result(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    return Exit.DONE


def _orphans(
    terminal: Terminal, opened: Opened, analysis: Analysis, target: Target, held: Held, wanted: _Wanted
) -> _Found:
    config = usable(opened)
    redacted = tuple(config.redacted)
    known = {str(address) for address in (*opened.project.models, *opened.project.seeds)}
    reader = held.when_free(lambda: open_reader(opened.root, target, redacted))
    if reader is None:
        return _Found((), dropped=False)
    with closing(reader):
        found = orphans(reader.session, known)
    for one in found:
        terminal.say(_line(one, target))
    if not found or not _agreed(found, wanted):
        return _Found(found, dropped=False)
    session = held.when_free(lambda: connect(opened.root, target, redacted=redacted))
    with closing(session.connection):
        forget_models(held.files, [one.model for one in found])
        for one in found:
            drop(session, one)
    return _Found(found, dropped=True)


def _agreed(found: Sequence[Orphan], wanted: _Wanted) -> bool:
    if wanted.yes:
        return True
    return sys.stdin.isatty() and click.confirm(f"drop what is left of {counted(len(found), 'model')}?", err=True)


def _clear(opened: Opened) -> bool:
    try:
        return clear(opened.root)
    except OSError as error:
        raise Stop(Exit.FAILED, f"target/.cache cannot be removed: {error.strerror or error}") from error


def _line(one: Orphan, target: Target) -> str:
    parts = []
    for relation in one.relations:
        rows = "" if relation.rows is None else f" with {counted(relation.rows, 'row')}"
        left = ", which smelt did not make: it stays" if relation.foreign else ""
        parts.append(f"{relation.kind} {target.schema}.{relation.name}{rows}{left}")
    return f"{one.model}: {'; '.join(parts) or 'its relations are gone already'}"


def _tell(terminal: Terminal, target: Target, removed: int | None, found: _Found | None, cleared: bool | None) -> None:
    if removed is not None:
        terminal.say(f"removed the records of {counted(removed, 'run')}")
    if found is not None and not found.orphans:
        terminal.say(f"no relation in target {target.name} is left of a model that is gone")
    elif found is not None:
        told = "dropped" if found.dropped else "nothing is dropped; `smelt clean --orphans --yes` drops"
        terminal.say(f"{told} what is left of {counted(len(found.orphans), 'model')}")
    if cleared is not None:
        terminal.say("removed target/.cache" if cleared else "there is no cache")


def _object(one: Orphan, *, dropped: bool) -> dict[str, object]:
    relations = [
        {"name": each.name, "kind": each.kind, "rows": each.rows, "dropped": dropped and not each.foreign}
        for each in one.relations
    ]
    return {"model": one.model, "relations": relations}
