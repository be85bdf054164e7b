"""Noticing that files changed, by asking the file system again and again.

No library and no kernel service: the same on every system, in containers and on network drives.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from smelt.workspace.files import walk

INTERVAL = 0.4
"""Seconds between two looks."""

Stamp = tuple[int, int, int]
"""What tells two states of a file apart: time of change in nanoseconds, size, inode."""
Stamps = Mapping[str, Stamp]
_NOWHERE: Stamp = (0, 0, 0)


def changes(look: Callable[[], Stamps], wait: Callable[[], None]) -> Iterator[None]:
    """Yield at once, and then each time that the files changed and came to rest. Never ends by itself.

    Args:
        look: the present state of the files.
        wait: lets time pass between two looks; what it raises ends the watch.
    """
    while True:
        # Taken before the work that follows a yield, so that a change during it is noticed after it.
        seen = look()
        yield
        while (now := look()) == seen:
            wait()
        while True:  # a save is several writes: wait until two looks see the same
            wait()
            if (later := look()) == now:
                break
            now = later


def stamps(roots: Iterable[Path]) -> Stamps:
    """The state of every file in some folders that a check may read. A file that is gone or closed to us has none."""
    found: dict[str, Stamp] = {}
    for root in roots:
        unreadable: dict[str, str] = {}
        try:
            found |= {f"{root}/{file}": _stamp(root / file) for file in walk(root, "", unreadable)}
        except OSError:  # a folder went while it was listed; the next look sees what is left
            found[str(root)] = _NOWHERE
        found |= {f"{root}/{file}": _NOWHERE for file in unreadable}
    return found


def pause() -> None:
    """Let :data:`INTERVAL` pass."""
    time.sleep(INTERVAL)


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return _NOWHERE
    return status.st_mtime_ns, status.st_size, status.st_ino
