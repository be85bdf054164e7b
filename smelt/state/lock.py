"""The single-writer lock: ``flock`` on ``.smelt/lock``.

The operating system drops it when the holder ends, however it ends, so there is no stale lock and no PID is ever
tested to decide who holds it. The file is never unlinked: a second file of that name would be a second lock.
"""

import errno
import fcntl
import os
import socket
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType

from smelt.state.atomic import refusal
from smelt.state.clock import Clock
from smelt.state.rules import lock_unsupported, locked

_POLL_SECONDS = 0.05
_NAME_RETRIES = 10
_NAME_RETRY_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lock, as its file tells."""

    pid: int
    host: str
    started_at: str
    command: str

    def line(self) -> str:
        """What is written into the lock file."""
        return f"{self.pid} {self.host} {self.started_at} {self.command}"

    def describe(self, host: str) -> str:
        """``PID 4242 (smelt run, started 12:01:03)``, with the host if it is not ``host``."""
        words = [word for word in self.command.split()[:2] if not word.startswith("-")]
        elsewhere = "" if self.host == host else f" on {self.host}"
        time_of_day = datetime.fromisoformat(self.started_at).strftime("%H:%M:%S")
        return f"PID {self.pid}{elsewhere} ({' '.join(words)}, started {time_of_day})"


def parse_holder(text: str) -> Holder | None:
    """The holder that a lock file's content names; None if it names none."""
    words = text.split(maxsplit=3)
    if len(words) != 4 or not words[0].isdecimal():
        return None
    try:
        datetime.fromisoformat(words[2])
    except ValueError:
        return None
    return Holder(int(words[0]), words[1], words[2], words[3].strip())


class Lock:
    """The lock at ``path``, held inside a ``with`` block.

    Raises:
        StateError: another process holds it and ``timeout`` seconds have passed (exit 4); its file cannot be
            written; the file system has no locks.
    """

    def __init__(self, path: Path, command: str, started_at: str, clock: Clock, timeout: float) -> None:
        self._path = path
        self._holder = Holder(os.getpid(), host_name(), started_at, " ".join(command.split()))
        self._clock = clock
        self._timeout = timeout
        self._descriptor: int | None = None

    def __enter__(self) -> "Lock":
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise refusal(self._path, error) from error
        try:
            self._acquire(descriptor)
            self._sign(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        try:
            os.ftruncate(descriptor, 0)
        finally:
            os.close(descriptor)

    def _acquire(self, descriptor: int) -> None:
        deadline = self._clock.monotonic() + self._timeout
        while not self._try(descriptor):
            left = deadline - self._clock.monotonic()
            if left <= 0:
                raise locked.error(self._who(descriptor))
            self._clock.sleep(min(_POLL_SECONDS, left))

    def _try(self, descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES):
                return False
            raise lock_unsupported.error(self._path, error.strerror or str(error)) from error
        return True

    def _sign(self, descriptor: int) -> None:
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, self._holder.line().encode("utf-8", "replace"), 0)
        except OSError as error:
            raise refusal(self._path, error) from error

    def _who(self, descriptor: int) -> str:
        """The holder in words. One that has just taken the lock may not have written its name yet."""
        for _ in range(_NAME_RETRIES):
            holder = parse_holder(os.pread(descriptor, 4096, 0).decode("utf-8", "replace"))
            if holder is not None and not _is_gone(holder, self._holder.host):
                return holder.describe(self._holder.host)
            self._clock.sleep(_NAME_RETRY_SECONDS)
        return "another process"


def host_name() -> str:
    """This machine's name as one word."""
    return "".join(socket.gethostname().split()) or "localhost"


def _is_gone(holder: Holder, host: str) -> bool:
    """Whether the name in the file is left over from a killed process, the lock being another's by now."""
    if holder.host != host:
        return False
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
