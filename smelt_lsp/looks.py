"""When a project is looked at: off the event loop, one look at a time, and never a stale one shown."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from smelt.editor.session import Workspace
from smelt.editor.snapshot import Snapshot

log = logging.getLogger(__name__)

QUIET_SECONDS = 0.02
"""A burst of keys is looked at once, this long after its last one."""


class Looks:
    """Takes the looks that are due, on a thread of their own. Its methods are for the event loop."""

    def __init__(self, workspace: Workspace, show: Callable[[Snapshot], None]) -> None:
        self._workspace = workspace
        self._show = show
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="smelt-look")
        self._timers: dict[Path, asyncio.TimerHandle] = {}
        self._running: dict[Path, asyncio.Task[None]] = {}
        self._showing: dict[Path, asyncio.Task[None]] = {}

    def soon(self, root: Path) -> None:
        """Look at a project, and show it, once its files have come to rest."""
        timer = self._timers.pop(root, None)
        if timer is not None:
            timer.cancel()
        self._timers[root] = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._due, root)

    async def fresh(self, root: Path) -> Snapshot:
        """A look at the project as it is now; taken anew as long as its files change meanwhile."""
        while (snapshot := self._workspace.current(root)) is None:
            running = self._running.get(root)
            if running is None:
                running = self._running[root] = asyncio.create_task(self._take(root))
            # Whoever waits may be cancelled by the client; the look itself goes on for the others.
            await asyncio.shield(running)
        return snapshot

    def close(self) -> None:
        """Take no further looks."""
        for timer in self._timers.values():
            timer.cancel()
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def _take(self, root: Path) -> None:
        try:
            task = self._workspace.task(root)
            snapshot = await asyncio.get_running_loop().run_in_executor(self._worker, task.run)
            self._workspace.accept(snapshot)
        finally:
            del self._running[root]

    def _due(self, root: Path) -> None:
        del self._timers[root]
        if root not in self._showing:
            self._showing[root] = asyncio.create_task(self._look_and_show(root))

    async def _look_and_show(self, root: Path) -> None:
        try:
            self._show(await self.fresh(root))
        except Exception:  # the handler's boundary: nobody awaits this task
            log.exception("showing %s failed", root)
        finally:
            del self._showing[root]
