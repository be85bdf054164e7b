"""Ctrl-C and SIGTERM: the first ends a run in an orderly way, the second at once."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Protocol

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_REPEAT_SECONDS = 0.05
_Handler = Callable[[int, FrameType | None], object] | int | None


class Stoppable(Protocol):
    """What is running while a run can be interrupted."""

    def stop(self) -> None:
        """Stop the statement that runs now; called from a signal handler."""

    def abandon(self) -> None:
        """Write down that the run was cancelled; the process ends right after. Called from a signal handler."""


class Interruption:
    """Handles both signals inside a ``with`` block, on the main thread; elsewhere nothing is handled.

    Outside :meth:`guarding` there is nothing to end in an orderly way, and the first signal ends the process as
    ``SystemExit``. A signal that was ignored from the start (``nohup``) stays ignored.
    """

    def __init__(self) -> None:
        self._signal: int | None = None
        self._running: Stoppable | None = None
        self._before: dict[signal.Signals, _Handler] = {}

    def __enter__(self) -> "Interruption":
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._handle)
            self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._stop_again)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def guarding(self, running: Stoppable) -> Iterator[None]:
        """Inside, a signal stops ``running``, and keeps stopping it until it ends.

        Once is not enough: a signal that falls between two statements finds none to stop.
        """
        self._running = running
        try:
            yield
        finally:
            self._running = None
            if self._signal is not None:
                signal.setitimer(signal.ITIMER_REAL, 0)

    @property
    def exit_code(self) -> int | None:
        """130 after SIGINT, 143 after SIGTERM, None if neither came."""
        return None if self._signal is None else 128 + self._signal

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._running is None:
            raise SystemExit(128 + number)
        if self._signal is not None:
            self._end_process(self._running, 128 + self._signal)
        self._signal = number
        self._running.stop()
        signal.setitimer(signal.ITIMER_REAL, _REPEAT_SECONDS, _REPEAT_SECONDS)

    def _stop_again(self, number: int, frame: FrameType | None) -> None:
        if self._running is not None:
            self._running.stop()

    def _end_process(self, running: Stoppable, code: int) -> None:
        try:
            running.abandon()
        finally:
            os._exit(code)
