"""Opening ``.smelt/``: under the lock to write, without it to read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from smelt.state import atomic
from smelt.state.atomic import refusal
from smelt.state.clock import Clock
from smelt.state.codec import instant
from smelt.state.documents import encode
from smelt.state.files import Files, NoFiles, TargetFiles, sequence_of
from smelt.state.layout import STATE_VERSION, Layout, check
from smelt.state.legacy import LegacyFiles, has_legacy, migrate
from smelt.state.lock import Lock
from smelt.state.rules import mode_unavailable

Mode = Literal["stateless", "intervals", "environments"]


@dataclass(frozen=True, slots=True)
class RunId:
    """The name of a run. Runs are ordered by ``sequence``, never by the time in the text."""

    text: str
    sequence: int


@contextmanager
def locked(
    root: Path,
    target: str,
    mode: Mode,
    command: str,
    clock: Clock,
    timeout: float,
    *,
    default_target: str,
) -> Iterator[Files]:
    """The documents of a target, to write, for as long as the project's lock is held.

    A ``.smelt/`` that this smelt must not touch is refused before anything is created in it.

    Args:
        root: the project's folder.
        target: the target's name.
        mode: the posture ``state.mode``.
        command: what the lock file tells other processes, such as ``smelt run``.
        clock: for the time in the lock file and for waiting.
        timeout: seconds to wait for the lock; 0 fails at once.
        default_target: the project's, to which files from before versions belong.

    Raises:
        StateError: locked, unwritable, corrupt, newer, not to be migrated, or a posture that is not available yet.
    """
    if mode == "environments":
        raise mode_unavailable.error(mode)
    layout = Layout(root)
    check(layout)
    try:
        layout.folder.mkdir(exist_ok=True)
    except OSError as error:
        raise refusal(layout.folder, error) from error
    with Lock(layout.lock, command, instant(clock.now()), clock, timeout):
        check(layout)
        yield _open(layout, target, mode, default_target)


def _open(layout: Layout, target: str, mode: Mode, default_target: str) -> Files:
    atomic.remove_leftovers(layout.folder)
    if not layout.meta.exists():
        migrate(layout, default_target)
        atomic.write(layout.meta, encode({"state_version": STATE_VERSION}))
    if mode == "stateless":
        return NoFiles()
    files = TargetFiles(layout.target(target))
    files.remove_leftovers()
    return files


def reading(root: Path, target: str, *, default_target: str) -> Files:
    """The documents of a target, to read: without the lock, creating nothing.

    Every document is a whole old or a whole new one, whatever a run is doing meanwhile. Files from before versions are
    read where they lie; those that name no target are of the project's ``default_target``.

    Raises:
        StateError: newer or corrupt.
    """
    layout = Layout(root)
    check(layout)
    if has_legacy(layout):
        return LegacyFiles(layout, target, default_target)
    return TargetFiles(layout.target(target))


def check_version(root: Path) -> None:
    """Make sure that the project's state is none of a later smelt, for commands that read only the database.

    Raises:
        StateError: newer, or a corrupt ``meta.json``.
    """
    check(Layout(root))


def next_run_id(files: Files, clock: Clock, recorded: int = 0) -> RunId:
    """The id of the run that begins now; only for the holder of the lock.

    ``recorded`` is the last sequence number that the warehouse knows: it goes on where manifests were lost or are
    not written.
    """
    newest = files.newest_run_id()
    sequence = max(sequence_of(newest) if newest is not None else 0, recorded) + 1
    return RunId(f"{clock.now():%Y%m%d-%H%M%S}-{sequence:06x}", sequence)
