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
        jobs: how many seeds, models and tests are worked on at once.
        retries: how often a step that failed for a passing reason is tried again.
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
    jobs: int = 1
    retries: int = 0
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


@dataclass(frozen=True, slots=True)
class Begun:
    """A run that begins.

    Attributes:
        manifest: as it is written first; what was done before, in a resumed run, has ended in it already.
        tests: the names of the column tests to come, in order; ``manifest.selection`` has those of seeds and models.
    """

    manifest: Manifest
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retry:
    """A step that failed for a passing reason and is tried again.

    Attributes:
        number: 1 for the first time it is tried again.
        of: how often it may be tried again at most.
        pause: seconds until then.
    """

    name: str
    failure: Failure
    number: int
    of: int
    pause: float


class Listener(Protocol):
    """Hears of a run's progress as it happens, on the thread that runs it."""

    def started(self, begun: Begun) -> None:
        """The run begins."""

    def model_started(self, name: str) -> None:
        """A seed or model begins."""

    def model_ended(self, ended: Ended) -> None:
        """A seed, a model or a test came to an end."""

    def retrying(self, retry: Retry) -> None:
        """A seed, a model or a test is tried again."""

    def notice(self, text: str, about: str | None) -> None:
        """Something worth a line on stderr; ``about`` names the model it is about, if it is about one."""
