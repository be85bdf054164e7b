"""The default project of the pages, on disk, and looks at it."""

import shutil
from pathlib import Path

from smelt.editor.session import Workspace
from smelt.editor.snapshot import Snapshot

DEFAULT = Path(__file__).parents[1] / "pages" / "default"
MODEL = "models/customer_history.sql"
SOURCE = "models/sources/customer_changes.yml"
CURSOR = "$0"


def make(folder: Path, files: dict[str, str] | None = None) -> Path:
    """The default project with files added or replaced; bytes are those of the texts."""
    root = folder / "project"
    shutil.copytree(DEFAULT, root)
    for file, text in (files or {}).items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return root


def look(workspace: Workspace, root: Path) -> Snapshot:
    """The present look at a project, taken here and now."""
    snapshot = workspace.task(root.resolve()).run()
    assert workspace.accept(snapshot)
    return snapshot


def codes(snapshot: Snapshot, file: str) -> list[str]:
    """The codes of a file's findings, in order."""
    return [found.code.name for found in snapshot.of(file)]
