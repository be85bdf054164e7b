"""Real child processes that stop where a test tells them to, without sleeping."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import forked

REPOSITORY = Path(__file__).parents[2]


def start(script: str, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    """A Python child that runs ``script``; its three streams are pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, **environment},
    )


def run(script: str, *arguments: object, **environment: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a child that reads nothing and ends by itself."""
    everything = {**os.environ, **environment}
    ended = forked.run(script, *map(str, arguments), cwd=REPOSITORY, environment=everything)
    return ended.returncode, ended.stdout, ended.stderr


@contextmanager
def waiting(script: str, *arguments: object, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A child that printed a line and now waits for its input to close; killed at the end if it still lives."""
    child = start(script, *arguments, **environment)
    try:
        assert child.stdout is not None
        line = child.stdout.readline()
        assert line, child.communicate()[1]
        yield child
    finally:
        child.kill()
        with child:
            pass


HOLD = """
import sys
from pathlib import Path

from tests import forked
from smelt.state.clock import SystemClock
from smelt.state.store import locked
with locked(Path(sys.argv[1]), "dev", "intervals", "smelt run", SystemClock(), 0, default_target="dev"):
    print("held", flush=True)
    sys.stdin.read()
"""
