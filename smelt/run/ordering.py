"""Progress told in the order of the project, however many models run at once."""

from collections.abc import Callable

from smelt.run.model import Begun, Ended, Listener, Retry


class InOrder(Listener):
    """Passes on what it hears, one seed, model or test after the other; of later ones it keeps what it hears.

    So what is told does not depend on ``--jobs``. With one job nothing is ever kept back.
    """

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._waiting: dict[str, list[Callable[[], None]]] = {}
        self._ended: set[str] = set()

    def started(self, begun: Begun) -> None:
        """The run begins."""
        self._waiting = {name: [] for name in (*begun.manifest.selection, *begun.tests)}
        self._listener.started(begun)

    def model_started(self, name: str) -> None:
        """A seed or model begins."""
        self._tell(name, lambda: self._listener.model_started(name))

    def model_ended(self, ended: Ended) -> None:
        """A seed, a model or a test came to an end."""
        self._ended.add(ended.name)
        self._tell(ended.name, lambda: self._listener.model_ended(ended))
        while (name := next(iter(self._waiting), None)) in self._ended and name is not None:
            del self._waiting[name]
            self._catch_up()

    def retrying(self, retry: Retry) -> None:
        """A seed, a model or a test is tried again."""
        self._tell(retry.name, lambda: self._listener.retrying(retry))

    def notice(self, text: str, about: str | None) -> None:
        """Something worth a line."""
        self._tell(about, lambda: self._listener.notice(text, about))

    def flush(self) -> None:
        """Tell what is left, for a run that ended before everything had its turn."""
        for calls in self._waiting.values():
            for call in calls:
                call()
        self._waiting.clear()

    def _tell(self, name: str | None, call: Callable[[], None]) -> None:
        if name is None or name not in self._waiting or name == next(iter(self._waiting)):
            call()
        else:
            self._waiting[name].append(call)

    def _catch_up(self) -> None:
        """Tell what was kept of the one whose turn it is now."""
        name = next(iter(self._waiting), None)
        if name is not None:
            calls, self._waiting[name] = self._waiting[name], []
            for call in calls:
                call()
