"""``smelt build``: seeds, then models, then the tests of what was built."""

from typing import Any

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.running import RunOptions, lock_and_json_options, run, selection_options, window_options


@command(
    "build",
    example="smelt build\nsmelt build +customer_history",
    short_help="Load seeds, run models, test what was built.",
)
@selection_options
@window_options
@lock_and_json_options
def main(invocation: Invocation, /, **options: Any) -> Exit:
    """Load seeds, bring models up to date, then run the column tests of what was built.

    Selectors and options are those of `smelt run`.
    """
    return run(invocation, "build", RunOptions(**options))
