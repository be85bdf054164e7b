"""``smelt docs``: what a diagnostic code means."""

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.diagnostics import registry
from smelt.text.identifiers import fold, nearest


@command(
    "docs",
    example="smelt docs\nsmelt docs SuccessionClockTie",
    short_help="Print the page of a diagnostic code.",
)
@click.argument("code", required=False)
def main(invocation: Invocation, code: str | None) -> Exit:
    """Print the page of a diagnostic CODE; without one, list all codes."""
    invocation.terminal.result(_list() if code is None else registry.entry(_known(code)).page)
    return Exit.DONE


def _list() -> str:
    return "".join(f"{name}\n" for name in sorted(registry.names()))


def _known(wanted: str) -> str:
    """The code's name as it is registered, however its letters were typed."""
    names = {fold(name): name for name in registry.names()}
    if fold(wanted) in names:
        return names[fold(wanted)]
    close = nearest(wanted, names.values())
    help_text = f"did you mean {' or '.join(close)}?" if close else "`smelt docs` lists the codes"
    raise Stop(Exit.USAGE, f"no such code: {wanted}", help_text)
