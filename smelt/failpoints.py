"""Named places where a test can kill this process, to see what a crash there leaves behind."""

import os
import signal

VARIABLE = "SMELT_FAILPOINT"


def failpoint(name: str) -> None:
    """Kill this process with ``SIGKILL`` if the environment names this place; else nothing.

    Nothing is flushed and no handler runs: what is on disk afterwards is what a crash would leave.
    """
    if os.environ.get(VARIABLE) == name:
        os.kill(os.getpid(), signal.SIGKILL)
