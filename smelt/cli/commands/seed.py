"""``smelt seed``: load the CSV files that ship with the project."""

from typing import Any

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.running import RunOptions, lock_and_json_options, run, selection_options


@command(
    "seed",
    example="smelt seed\nsmelt seed countries",
    short_help="Load the CSV files that ship with the project.",
)
@selection_options
@lock_and_json_options
def main(invocation: Invocation, /, **options: Any) -> Exit:
    """Load seeds: all, or those that SELECT names. A file that has not changed is left alone."""
    return run(invocation, "seed", RunOptions(**options))
