"""``--lock-timeout``: how long a command that writes waits for another process."""

import click

from smelt.cli.numbers import Seconds

lock_timeout_option = click.option(
    "--lock-timeout",
    type=Seconds(),
    default=0.0,
    metavar="SECONDS",
    help="Wait so long for a state or database that another process holds.",
)
