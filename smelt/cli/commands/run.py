"""``smelt run``: bring models up to date."""

from typing import Any

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.running import RunOptions, lock_and_json_options, run, selection_options, window_options

_EXAMPLE = """\
smelt run
smelt run customer_history+ --event-time-start 2025-01-01 --event-time-end 2025-02-01
smelt run tag:core --exclude path:models/scratch"""


@command("run", example=_EXAMPLE, short_help="Bring models up to date.")
@selection_options
@window_options
@lock_and_json_options
def main(invocation: Invocation, /, **options: Any) -> Exit:
    """Bring models up to date: all, or those that SELECT names.

    A selector is a name, a glob, `tag:x` or `path:folder`; `+name` adds what it reads, `name+` what reads it. Without
    a window each incremental model folds what is new in its source; with one, exactly that window.
    """
    return run(invocation, "run", RunOptions(**options))
