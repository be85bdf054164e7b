"""What smelt says about a file: a finding, where it stands, and how to mend it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from smelt.text.edits import Edit
from smelt.text.spans import Span


class Severity(StrEnum):
    """How much a finding weighs: only an ``ERROR`` blocks."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


_LONGEST = 2000
"""Characters of one value in a message."""

Stage = Literal["check", "run", "fault"]


@dataclass(frozen=True, slots=True)
class Load:
    """What a source gains before one run.

    Attributes:
        rows: new rows as SQL literals, in the declared order of the source's columns.
        gone: rows that it no longer has.
        at: the moment of the run, a timestamp.
    """

    rows: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    at: str = "2025-01-31 00:00:00"


@dataclass(frozen=True, slots=True)
class Witness:
    """Data on which a refused model, folded all the same, ends up with other rows than its SQL gives.

    Attributes:
        says: what happens, in a sentence.
        loads: the runs in order.
        model: the refused query; empty for that of the page's refused example.
        source: its source's file; empty for the page's.
        identity: the key's columns and, last, the clock as the query may write them, each with the output column
            that shows it, or with nothing.
    """

    says: str
    loads: tuple[Load, ...]
    model: str = ""
    source: str = ""
    identity: tuple[tuple[str, str], ...] = (("customer_id", "customer_id"), ("effective_ts", "valid_from"))


@dataclass(frozen=True, slots=True)
class Code:
    """The declaration of one diagnostic code; its module's docstring is its page.

    Attributes:
        name: the stable public name, used once.
        severity: how a finding of this code weighs.
        message: a template naming what was found; holds no cure. Filled by ``str.format``.
        help: a template saying what to write instead; blames nothing.
        stage: ``check`` if ``smelt check`` finds it, ``run`` if only data can show it, ``fault`` if it
            takes a failing machine or another process. It decides how the page's examples are tested.
        witness: for a refusal: data that show what forcing the refused model would do, or a sentence that says it
            where it takes more than rows, or why none can.
    """

    name: str
    severity: Severity
    message: str
    help: str = ""
    stage: Stage = "check"
    witness: Witness | str = ""


@dataclass(frozen=True, slots=True)
class Location:
    """A range in a file; ``file`` is relative to the project's root, with ``/``."""

    file: str
    span: Span


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with a finding."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class FileEdit:
    """An edit of one file."""

    file: str
    edit: Edit


@dataclass(frozen=True, slots=True)
class Fix:
    """A mechanical repair.

    ``safe`` means: the same table under the declared facts. Everything that changes meaning, or states a
    fact about the world, is unsafe and only ever applied when asked for by name.
    """

    title: str
    safe: bool
    edits: tuple[FileEdit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    Attributes:
        code: the declaration it belongs to.
        location: the narrowest range that is wrong.
        message: what was found, naming the user's own columns.
        help: what to write instead; may be empty.
        label: a few words printed under the range; may be empty.
    """

    code: Code
    location: Location
    message: str
    help: str = ""
    label: str = ""
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()

    @property
    def severity(self) -> Severity:
        """The severity of its code."""
        return self.code.severity

    @property
    def is_error(self) -> bool:
        """Whether it blocks."""
        return self.code.severity is Severity.ERROR


def report(
    code: Code,
    location: Location,
    *,
    label: str = "",
    related: Iterable[Related] = (),
    fixes: Iterable[Fix] = (),
    **values: object,
) -> Diagnostic:
    """A finding of ``code`` with its templates filled from ``values``; of an endless one the beginning."""
    shown = {name: _shortened(value) for name, value in values.items()}
    return Diagnostic(
        code=code,
        location=location,
        message=code.message.format_map(shown),
        help=code.help.format_map(shown),
        label=label,
        related=tuple(related),
        fixes=tuple(fixes),
    )


def _shortened(value: object) -> object:
    """A file can hold a name of a million letters, and a finding for each of its words."""
    return f"{value[: _LONGEST - 1]}…" if isinstance(value, str) and len(value) > _LONGEST else value


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by file, position and code, each code at one range once: the order every front end shows."""
    first: dict[tuple[str, Span, str], Diagnostic] = {}
    for diagnostic in diagnostics:
        key = (diagnostic.location.file, diagnostic.location.span, diagnostic.code.name)
        first.setdefault(key, diagnostic)
    return tuple(first[key] for key in sorted(first))
