"""The one exception of the state store."""

from pathlib import Path

from smelt.diagnostics.model import Code

FOLDER = ".smelt"


class StateError(Exception):
    """``.smelt/`` cannot be used as it is.

    Attributes:
        code: the name of its diagnostic code.
        message: what was found.
        help: what to do next; may be empty.
        exit_code: what the process should end with.
    """

    def __init__(self, code: str, message: str, help: str, exit_code: int) -> None:  # noqa: A002
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help
        self.exit_code = exit_code


def fault(code: Code, exit_code: int, **values: object) -> StateError:
    """An error of ``code`` with its templates filled from ``values``."""
    return StateError(code.name, code.message.format_map(values), code.help.format_map(values), exit_code)


def shown(path: Path) -> str:
    """The path as messages print it: from ``.smelt`` on, so that it reads the same from every folder."""
    parts = path.parts
    if FOLDER not in parts:
        return str(path)
    last = len(parts) - 1 - parts[::-1].index(FOLDER)
    return "/".join(parts[last:])
