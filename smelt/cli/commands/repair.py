"""``smelt repair``: rebuild models and their hidden state from their sources."""

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop, not_available
from smelt.cli.running import RunOptions, lock_and_json_options, run, selection_options

_EXAMPLE = """\
smelt repair customer_history
smelt repair --all
smelt repair customer_history --lose-history"""


@command("repair", example=_EXAMPLE, short_help="Rebuild models and their hidden state from their sources.")
@selection_options
@click.option("--all", "everything", is_flag=True, help="Repair every model.")
@click.option("--lose-history", is_flag=True, help="Rebuild although the source no longer has all that was folded.")
@click.option("--state", is_flag=True, hidden=True)
@lock_and_json_options
def main(
    invocation: Invocation,
    selectors: tuple[str, ...],
    select: tuple[str, ...],
    exclude: tuple[str, ...],
    everything: bool,
    lose_history: bool,
    state: bool,
    fail_fast: bool,
    lock_timeout: float,
    as_json: bool,
) -> Exit:
    """Rebuild what SELECT names, whatever became of it: after a changed definition, an edited or a dropped table.

    Table, tombstone ledger, frontier and record of a model are made anew from its whole source in one transaction; if
    that fails, the old ones stay. Only what smelt built is replaced.
    """
    if state:
        raise not_available("smelt repair --state")
    if everything == bool(selectors or select):
        raise Stop(Exit.USAGE, "repair what? name models, or say --all", "smelt repair customer_history")
    options = RunOptions(
        selectors=selectors,
        select=select,
        exclude=exclude,
        full_refresh=True,
        lose_history=lose_history,
        fail_fast=fail_fast,
        lock_timeout=lock_timeout,
        as_json=as_json,
    )
    return run(invocation, "repair", options)
