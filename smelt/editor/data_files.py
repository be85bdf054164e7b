"""How many files a source's pattern finds now: their names are looked at, never what is in them."""

import glob
from itertools import islice
from pathlib import Path

from smelt.editor.snapshot import Snapshot

MANY = 1_000
"""No more are counted."""


def pattern_at(snapshot: Snapshot, file: str, offset: int) -> str | None:
    """The pattern of files of this machine that stands at ``offset``, or whose key does; None if there is none."""
    source = snapshot.source(file)
    if source is None or not source.files or "://" in source.files:
        return None
    places = (source.marks.keys.get(("files",)), source.marks.values.get(("files",)))
    return source.files if any(span is not None and span.contains(offset) for span in places) else None


def count_files(root: Path, pattern: str) -> int | None:
    """How many files match a pattern now, up to one more than :data:`MANY`; None if that cannot be told."""
    # As a run finds them, which an editor must not import.
    absolute = Path(pattern) if Path(pattern).is_absolute() else Path(glob.escape(str(root))) / pattern
    found = glob.iglob(str(absolute), recursive=True)  # noqa: PTH207 Path.glob takes no absolute pattern
    try:
        return sum(1 for _ in islice((path for path in found if Path(path).is_file()), MANY + 1))
    except (OSError, ValueError):  # the second: of a name that no file can have
        return None
