"""What stands for a seed's content: where it is the same, so are the rows that were loaded."""

import hashlib
import json
from pathlib import Path

from smelt.project.model import Seed


def digest_of(content: bytes, seed: Seed) -> str:
    """Hash of a seed file's bytes and of the types it is read as."""
    columns = seed.source.columns if seed.source is not None else ()
    types = json.dumps([[column.name, column.type] for column in columns])
    return hashlib.sha256(content + b"\0" + types.encode()).hexdigest()


def seed_digest(root: Path, seed: Seed) -> str | None:
    """The digest of a seed's file as it is now; None if it cannot be read."""
    try:
        return digest_of((root / seed.file).read_bytes(), seed)
    except OSError:
        return None
