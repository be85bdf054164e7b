"""``smelt lsp``: the language server, also installed as ``smelt-lsp``."""

import importlib

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit


@command("lsp", example="smelt lsp --stdio", short_help="Start the language server on stdio.")
@click.option("--stdio", is_flag=True, help="Speak on stdin and stdout; the only way there is, and the default.")
def main(invocation: Invocation, stdio: bool) -> Exit:
    """Start the language server on stdin and stdout, for an editor."""
    # By name, because the protocol shell is a program beside this one, not a layer below it.
    server = importlib.import_module("smelt_lsp.main")
    return Exit(server.main(["--stdio"]))
