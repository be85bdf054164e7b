"""``smelt compact``: give back the space of the DuckDB file."""

import json

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.holding import holding
from smelt.cli.opening import classified, open_project, selected, target_of, usable
from smelt.cli.running import selection_options
from smelt.cli.waiting import lock_timeout_option
from smelt.engines.duckdb.compacting import History, compact
from smelt.text.counts import counted


@command(
    "compact",
    example="smelt compact\nsmelt compact customer_history",
    short_help="Give back the space of the DuckDB file.",
)
@selection_options
@lock_timeout_option
@click.option("--json", "as_json", is_flag=True, help="Print the sizes as JSON on stdout.")
def main(
    invocation: Invocation,
    selectors: tuple[str, ...],
    select: tuple[str, ...],
    exclude: tuple[str, ...],
    lock_timeout: float,
    as_json: bool,
) -> Exit:
    """Write the target's DuckDB file anew, without the space of rows that were replaced.

    The histories that SELECT names, or all, are brought into the order of their keys on the way, as their first build
    left them. It needs room for a second file, and runs alone: no run of this project, no other program in the
    database. Whatever ends it early, the database is whole.
    """
    opened = open_project(invocation)
    config = usable(opened)
    target = target_of(config, invocation.target)
    addresses = frozenset(selected(opened.project, (*selectors, *select), exclude))
    models = [one for address, one in classified(opened).models.items() if address in addresses]
    with holding(opened, target, "smelt compact", lock_timeout) as held:
        histories = [History.of(str(one.model.address), one.shape) for one in models if one.shape is not None]
        redacted = tuple(config.redacted)
        done = held.when_free(lambda: compact(opened.root, target, histories, redacted))
    if as_json:
        value = {"database": target.database, "bytes_before": done.before, "bytes_after": done.after}
        invocation.terminal.result(json.dumps(value, indent=2) + "\n")
    sizes = f"{counted(done.before, 'byte')} before, {counted(done.after, 'byte')} after"
    invocation.terminal.say(f"{target.database}: {sizes}")
    return Exit.DONE
