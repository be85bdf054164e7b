"""What a page shows, typed into a shell."""

import re
import subprocess
from pathlib import Path
from subprocess import CompletedProcess

from tests import forked
from tests.examples.projects import environment

_PLAIN = re.compile(r"smelt( [\w.,=/:+-]+)+", re.ASCII)


def plain(command: str) -> list[str] | None:
    """The arguments of ``smelt`` in a command in which a shell has nothing to do; None for any other command."""
    return command.split(" ")[1:] if _PLAIN.fullmatch(command) else None


def typed(command: str, folder: Path) -> CompletedProcess[str]:
    """Run a line by a shell; errors stand between its output."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def forked_or_typed(command: str, folder: Path) -> CompletedProcess[str]:
    """The same, sooner for a command in which a shell has nothing to do."""
    arguments = plain(command)
    if arguments is None:
        return typed(command, folder)
    return forked.run(forked.SMELT, *arguments, cwd=folder, environment=environment(), together=True)
