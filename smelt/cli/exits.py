"""How a command ends: the one table of exit codes.

An orchestrator may retry ``FAILED`` and, as it is, ``LOCKED``; never ``USAGE`` or ``APPROVAL``.
"""

from enum import IntEnum


class Exit(IntEnum):
    """A process's exit code."""

    DONE = 0
    """Done; an empty but valid selection too."""
    FAILED = 1
    """A model, a test, a check with errors."""
    USAGE = 2
    """Bad arguments, bad project files, unknown names, state that cannot be read."""
    APPROVAL = 3
    """A person must approve: the definition changed or history would be lost."""
    LOCKED = 4
    """State or warehouse held by another process; try again later."""
    FAULT = 70
    """A fault of smelt itself; the traceback's file is named."""
    INTERRUPTED = 130
    TERMINATED = 143
