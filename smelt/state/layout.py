"""Where things lie under ``.smelt/``, and which version of that layout is there."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from smelt.state.codec import version_of
from smelt.state.errors import FOLDER
from smelt.state.files import corrupt_at, read_document
from smelt.state.rules import version_newer

STATE_VERSION = 1
"""The layout version this smelt writes, and the highest it knows."""

LEGACY = (
    "runs",
    "reports",
    "schemas",
    "intervals.json",
    "landed_deltas.json",
    "reconciliation.json",
    "snapshots.json",
)
"""What lay at the root of ``.smelt/`` before the layout had a version and a folder for each target."""
_LONGEST = 200
"""Bytes of a file's name without what is put before and after it; file systems take 255."""
_DIGEST = 16
_UNSAFE = re.compile(r"[%/\\\x00-\x1f\ud800-\udfff]|^\.")


@dataclass(frozen=True, slots=True)
class Layout:
    """The state folder of the project at ``root``."""

    root: Path

    @property
    def folder(self) -> Path:
        """``.smelt``."""
        return self.root / FOLDER

    @property
    def meta(self) -> Path:
        """``.smelt/meta.json``."""
        return self.folder / "meta.json"

    @property
    def lock(self) -> Path:
        """``.smelt/lock``."""
        return self.folder / "lock"

    def target(self, name: str) -> Path:
        """The folder of one target."""
        return self.folder / "targets" / file_stem(name)


def file_stem(name: str) -> str:
    """A file name for a target or model that stays in its folder: unsafe characters become ``%2F`` and the like.

    Of a name that would be too long for a file system the beginning stays, and a digest of the whole.
    """
    stem = _UNSAFE.sub(lambda match: f"%{ord(match.group()):02X}", name)
    written = stem.encode()
    if len(written) <= _LONGEST:
        return stem
    digest = hashlib.sha256(written).hexdigest()[:_DIGEST]
    return f"{written[: _LONGEST - _DIGEST - 1].decode(errors='ignore')}-{digest}"


def check(layout: Layout) -> None:
    """Make sure that what is under ``.smelt/`` is a layout this smelt knows. Reads only, creates nothing.

    Raises:
        StateError: a newer version, or a corrupt ``meta.json``.
    """
    document = read_document(layout.meta)
    if document is None:
        return
    with corrupt_at(layout.meta):
        found = version_of(document, "state_version")
    if found > STATE_VERSION:
        raise version_newer.error(layout.meta, found, STATE_VERSION)
