"""Project files from disk, with unsaved texts laid over them.

Never opens the data that sources and seeds name: of a CSV only its path is taken.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from smelt.project.config import source_paths
from smelt.project.layout import DEFAULT_PATHS, PROJECT_FILE
from smelt.project.load import load_project
from smelt.project.model import Project
from smelt.workspace.files import SEEDS, TEXTS, printable, read_text, unprintable, walk


def read_project(
    root: Path,
    overlay: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    previous: Project | None = None,
) -> Project:
    """The project in a folder.

    Texts are kept exactly as they are, a byte order mark and every kind of line end included, so that positions are
    those an editor shows.

    Args:
        root: the folder of ``smelt.yml``.
        overlay: texts of unsaved buffers, by path relative to the root, with ``/``. They count as saved, and one
            without a file counts as a file.
        environment: for ``${NAME}``; the process's own if None.
        previous: an earlier state of the project, to save work; see :func:`~smelt.project.load.load_project`.
    """
    variables = dict(os.environ) if environment is None else environment
    found = read_files(root, overlay or {}, variables)
    return load_project(
        found.texts,
        seeds=found.seeds,
        unreadable=found.unreadable,
        environment=variables,
        previous=previous,
    )


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """The files of a project as they were read.

    Attributes:
        folders: where they lie, relative to the root.
        texts: texts by path.
        seeds: paths of CSV files, sorted.
        unreadable: path to the reason why a text is missing.
    """

    folders: tuple[str, ...]
    texts: Mapping[str, str]
    seeds: tuple[str, ...]
    unreadable: Mapping[str, str]


def read_files(root: Path, overlay: Mapping[str, str], environment: Mapping[str, str]) -> ProjectFiles:
    """The texts of the project in a folder; see :func:`read_project`."""
    found = _Found(root, overlay)
    found.take(PROJECT_FILE)
    setup = found.files.get(PROJECT_FILE)
    folders = source_paths(setup, environment) if setup is not None else DEFAULT_PATHS
    for folder in folders:
        for path in walk(root, folder, found.unreadable):
            found.take(path)
    found.files.update({path: text for path, text in overlay.items() if path.lower().endswith(TEXTS)})
    return ProjectFiles(folders, found.files, tuple(sorted(found.seeds)), found.unreadable)


@dataclass(slots=True)
class _Found:
    """The files met so far."""

    root: Path
    unsaved: Mapping[str, str]
    files: dict[str, str] = field(default_factory=dict)
    seeds: set[str] = field(default_factory=set)
    unreadable: dict[str, str] = field(default_factory=dict)

    def take(self, path: str) -> None:
        """Read one file, unless its text is unsaved or it is data."""
        if path in self.unsaved:
            self.files[path] = self.unsaved[path]
            return
        fault = unprintable(path)
        if fault is not None:
            self.unreadable[printable(path)] = fault
            return
        if path.lower().endswith(SEEDS):
            self.seeds.add(path)
            return
        try:
            self.files[path] = read_text(self.root / path)
        except FileNotFoundError:
            # Else it is gone since its folder was listed, or a smelt.yml that never was: missing, not unreadable.
            if (self.root / path).is_symlink():
                self.unreadable[path] = "it links to a file that is not there"
        except UnicodeError as error:
            self.unreadable[path] = str(error)
        except OSError as error:
            self.unreadable[path] = error.strerror or str(error)
