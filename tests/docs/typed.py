"""What a page shows, typed into a shell."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

from tests import forked
from tests.examples.projects import environment

_PLAIN = re.compile(r"smelt( [\w.,=/:+-]+)+", re.ASCII)


def typed(command: str, folder: Path, variables: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """Run a line by a shell; errors stand between its output."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=variables or environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def forked_or_typed(command: str, folder: Path, variables: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """The same, sooner for a command in which a shell has nothing to do."""
    if not _PLAIN.fullmatch(command):
        return typed(command, folder, variables)
    _, *arguments = command.split(" ")
    return forked.run(forked.SMELT, *arguments, cwd=folder, environment=variables or environment(), together=True)
