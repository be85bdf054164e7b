"""When a project is looked at: off the event loop, one look at a time, and never a stale one shown."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from smelt.editor.session import Task, Workspace
from smelt.editor.snapshot import Snapshot
from smelt_lsp.process import collect, keep_out_of_collections

log = logging.getLogger(__name__)

_Result = TypeVar("_Result")

QUIET_SECONDS = 0.005
"""A burst of keys is looked at once, this long after its last one. A look that has begun is not shown if another key
comes meanwhile, so this only spares work, and whoever types one key waits for it."""

REST_SECONDS = 0.3
"""How long after a look nobody may be waiting: longer than between two keys, shorter than between two thoughts."""


class Looks:
    """Takes the looks that are due, on a thread of their own. Its methods are for the event loop.

    Only projects that are open are looked at: one that is closed meanwhile stays closed. The open files come first.
    What else a change reaches is looked at in slices behind them, and given up for the next change; that goes on from
    where it was.
    """

    def __init__(self, workspace: Workspace, show: Callable[[Snapshot], None]) -> None:
        """Looks at the projects of a workspace.

        Args:
            workspace: the projects.
            show: gets the looks that :meth:`soon` asks for: one at the open files, and one at all files if it takes
                longer.
        """
        self._workspace = workspace
        self._show = show
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="smelt-look")
        self._read: dict[Path, asyncio.Task[None]] = {}
        self._timers: dict[Path, asyncio.TimerHandle] = {}
        self._running: dict[Path, asyncio.Task[None]] = {}
        self._finishing: dict[Path, asyncio.Task[None]] = {}
        self._showing: dict[Path, asyncio.Task[None]] = {}
        self._showing_all: dict[Path, asyncio.Task[None]] = {}
        self._tidying: asyncio.TimerHandle | None = None

    def soon(self, root: Path) -> None:
        """Look at a project, and show it, once its files have come to rest."""
        timer = self._timers.pop(root, None)
        if timer is not None:
            timer.cancel()
        self._timers[root] = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._due, root)

    async def fresh(self, root: Path) -> Snapshot | None:
        """A look at the project as it is now, at its open files at least; anew as long as files change meanwhile.

        None if the project is not open, or was closed while it was looked at; so of the others.
        """
        while (snapshot := self._workspace.current(root)) is None:
            if not self._workspace.is_open(root):
                return None
            running = self._running.get(root)
            if running is None:
                running = self._running[root] = asyncio.create_task(self._take(root))
            # Whoever waits may be cancelled by the client; the look itself goes on for the others.
            await asyncio.shield(running)
        return snapshot

    async def settled(self, root: Path) -> Snapshot | None:
        """A look at all files of the project as it is now."""
        while (snapshot := await self.fresh(root)) is not None and snapshot.pending:
            finishing = self._finishing.get(root)
            if finishing is None:
                finishing = self._finishing[root] = asyncio.create_task(self._finish(root))
            await asyncio.shield(finishing)
        return snapshot

    async def judged(self, root: Path, file: str) -> Snapshot | None:
        """A look in which the findings of a file are of its present state; the rest may be of an earlier one."""
        snapshot = await self.fresh(root)
        if snapshot is None:
            return None
        # What is found in a source or in the project file comes from models, too: from any that is pending.
        is_due = file in snapshot.pending or (bool(snapshot.pending) and not file.endswith(".sql"))
        return await self.settled(root) if is_due else snapshot

    def close(self) -> None:
        """Take no further looks."""
        for timer in (*self._timers.values(), *([self._tidying] if self._tidying else ())):
            timer.cancel()
        for tasks in (self._showing, self._showing_all, self._finishing, self._running, self._read):
            for task in tasks.values():
                task.cancel()
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def _take(self, root: Path) -> None:
        try:
            if self._workspace.is_open(root):
                self._workspace.accept(await self._work(root, self._workspace.task(root).begin))
        finally:
            del self._running[root]

    async def _finish(self, root: Path) -> None:
        try:
            task = self._workspace.task(root) if self._workspace.is_open(root) else None
            while task is not None and self._workspace.is_due(task):
                snapshot = await self._work(root, task.go_on)
                if snapshot is not None:
                    self._workspace.accept(snapshot)
                    if root not in self._read:
                        self._read[root] = asyncio.create_task(self._once_read(task))
                    return
        finally:
            del self._finishing[root]

    async def _work(self, root: Path, work: Callable[[], _Result]) -> _Result:
        """What the worker makes of a project."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, work)
        finally:
            if not self._workspace.is_open(root):
                self._workspace.forget(root)  # it was closed meanwhile, and the work may have begun it again
            self._tidy_later()

    async def _once_read(self, task: Task) -> None:
        """Do once for a project what is worth while when all of it is in memory. Nobody waits for it."""
        await self._work(task.root, task.remember)
        await self._work(task.root, keep_out_of_collections)

    def _tidy_later(self) -> None:
        if self._tidying is not None:
            self._tidying.cancel()
        self._tidying = asyncio.get_running_loop().call_later(REST_SECONDS, self._tidy)

    def _tidy(self) -> None:
        is_at_rest = not self._running and not self._finishing
        if is_at_rest and all(task.done() for task in self._read.values()):
            self._worker.submit(collect)

    def _due(self, root: Path) -> None:
        del self._timers[root]
        if root not in self._showing:
            self._showing[root] = asyncio.create_task(self._look_and_show(root))

    async def _look_and_show(self, root: Path) -> None:
        try:
            snapshot = await self.fresh(root)
            if snapshot is None:
                return
            self._show(snapshot)
            if snapshot.pending and root not in self._showing_all:
                self._showing_all[root] = asyncio.create_task(self._show_all(root))
        except Exception:  # the handler's boundary: nobody awaits this task
            log.exception("showing %s failed", root)
        finally:
            del self._showing[root]

    async def _show_all(self, root: Path) -> None:
        try:
            snapshot = await self.settled(root)
            if snapshot is not None:
                self._show(snapshot)
        except Exception:  # as above
            log.exception("showing all of %s failed", root)
        finally:
            del self._showing_all[root]
