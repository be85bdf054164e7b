"""What a caller asks of a run, and what it hears back."""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from smelt.engines.model import Failure
from smelt.project.model import Address
from smelt.state.records import Manifest, ModelRecord
from smelt.text.intervals import Interval


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One execution of ``run``, ``build``, ``seed`` or ``repair``.

    Attributes:
        selection: models and seeds to run, in any order.
        window: the run-axis range to fold; None folds what is new.
        chunk: with no window: commit every so many granules; None commits once.
        lock_timeout: seconds to wait for the lock; 0 fails at once.
        resume: whether to go on from the last run that left something undone; ``always`` refuses if there is none.
    """

    command: Literal["run", "build", "seed", "repair"]
    command_line: str
    target: str
    selection: tuple[Address, ...]
    window: Interval | None = None
    full_refresh: bool = False
    lose_history: bool = False
    chunk: int | None = None
    fail_fast: bool = False
    lock_timeout: float = 0.0
    resume: Literal["never", "always", "if-unfinished"] = "never"


@dataclass(frozen=True, slots=True)
class Ended:
    """One model, seed or test that came to an end."""

    name: str
    record: ModelRecord
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """How a run ended. ``exit_code`` follows the command line's table of codes."""

    manifest: Manifest
    ended: tuple[Ended, ...]
    exit_code: int
    notices: tuple[str, ...] = field(default=())


class Listener(Protocol):
    """Hears of a run's progress, on the thread that runs it."""

    def started(self, names: tuple[str, ...]) -> None:
        """The run begins with these models, in order."""

    def model_started(self, name: str) -> None:
        """A model begins."""

    def model_ended(self, ended: Ended) -> None:
        """A model came to an end."""

    def notice(self, text: str) -> None:
        """Something worth a line on stderr."""
