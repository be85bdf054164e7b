"""Threads that work side by side, each with a connection of its own; everything else stays on the thread that runs."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import Empty, SimpleQueue
from types import TracebackType

from smelt.engines.model import Warehouse

Then = Callable[[], None]
Work = Callable[[Warehouse], Then]
"""Done by a worker. What it returns is called on the thread that runs, once the worker is free again."""

_REPEAT_SECONDS = 0.05
_WAKE_SECONDS = 0.05
"""The system gives a signal to any thread, DuckDB's own among them, but Python handles it in the main one, which must
wake up to notice while it waits for a word of a worker."""


class Pool:
    """One worker for each of ``connections``, inside a ``with`` block.

    Left by an exception, it interrupts what still runs and waits until it has ended, so that no worker outlives it.
    """

    def __init__(self, connections: tuple[Warehouse, ...]) -> None:
        self._all = connections
        self._free = list(reversed(connections))
        self._running: set[Future[Then]] = set()
        self._letters: SimpleQueue[Then] = SimpleQueue()
        self._threads = ThreadPoolExecutor(len(connections), thread_name_prefix="smelt")

    def __enter__(self) -> "Pool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while wait(self._running, timeout=0).not_done:
            self.interrupt()
            wait(self._running, timeout=_REPEAT_SECONDS)
        self._threads.shutdown()

    @property
    def has_room(self) -> bool:
        """Whether a worker is free."""
        return bool(self._free)

    @property
    def is_busy(self) -> bool:
        """Whether a worker works."""
        return bool(self._running)

    def begin(self, work: Work, after: Then) -> None:
        """Have a free worker do some work; ``after`` is called when what follows from it is done, too."""
        connection = self._free.pop()
        doing = self._threads.submit(work, connection)
        self._running.add(doing)

        def end() -> None:
            self._running.remove(doing)
            self._free.append(connection)
            doing.result()()
            after()

        doing.add_done_callback(lambda _: self._letters.put(end))

    def post(self, call: Then) -> None:
        """Have something called on the thread that runs; from a worker."""
        self._letters.put(call)

    def attend(self) -> None:
        """Wait for a word of a worker, and do what it asks for.

        Raises:
            Exception: whatever a worker could not deal with.
        """
        while True:
            try:
                call = self._letters.get(timeout=_WAKE_SECONDS)
            except Empty:
                continue
            return call()

    def interrupt(self) -> None:
        """Stop every statement that runs; also from a signal handler."""
        for connection in self._all:
            connection.interrupt()
