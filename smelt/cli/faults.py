"""Why a command stops before its end: one exception, carried to the top and rendered there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from smelt.cli.exits import Exit

if TYPE_CHECKING:  # `smelt --help` needs no findings
    from smelt.diagnostics.model import Diagnostic


class Stop(Exception):
    """A command cannot go on.

    Attributes:
        exit: how the process ends.
        message: what was found; empty if ``diagnostics`` say it.
        help: what to do instead; may be empty.
        code: the diagnostic code's name, if it has one.
        diagnostics: findings in files, shown as code frames over ``texts``.
    """

    def __init__(
        self,
        exit: Exit,  # noqa: A002 - the word of the table of codes
        message: str = "",
        help: str = "",  # noqa: A002 - the word people read
        *,
        code: str | None = None,
        diagnostics: tuple[Diagnostic, ...] = (),
        texts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.exit = exit
        self.message = message
        self.help = help
        self.code = code
        self.diagnostics = diagnostics
        self.texts: Mapping[str, str] = texts or {}


def not_available(what: str) -> Stop:
    """The answer to a part of smelt that a later release brings."""
    return Stop(Exit.USAGE, f"{what}: not available yet")
