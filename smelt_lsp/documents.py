"""The client's documents: its own names for files, and its numbers for their states."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from smelt.editor.session import Workspace, absolute
from smelt.editor.snapshot import Place

_DRIVE = re.compile(r"/[A-Za-z]:")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Document:
    """An open document. ``uri`` is the client's own spelling, which every answer repeats."""

    uri: str
    path: Path
    version: int


class Documents:
    """What the client has open, laid over the workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._open: dict[str, Document] = {}

    def put(self, uri: str, text: str, version: int) -> Place | None:
        """A document was opened or changed. None if it belongs to no project."""
        path = path_of(uri)
        if path is None:
            return None
        self._open[uri] = Document(uri, path, version)
        # A lone half of a surrogate pair is no text: DuckDB and the disk refuse it. The stand-in is as wide.
        self._workspace.put(path, _LONE_SURROGATE.sub("\ufffd", text), version)
        return self._workspace.place(path)

    def drop(self, uri: str) -> None:
        """A document was closed, or its file was deleted."""
        document = self._open.pop(uri, None)
        if document is not None:
            self._workspace.drop(document.path)

    def place(self, uri: str) -> Place | None:
        """The project and file of a URI; None if it is no file, or of no project."""
        path = path_of(uri)
        return self._workspace.place(path) if path is not None else None

    def version(self, uri: str) -> int | None:
        """The version the client last told; None if the document is not open."""
        document = self._open.get(uri)
        return document.version if document is not None else None

    def named(self, path: Path) -> str | None:
        """The open document of a path, under the name the client gave it."""
        wanted = absolute(path)
        return next((uri for uri, document in self._open.items() if absolute(document.path) == wanted), None)

    def names(self) -> dict[Place, str]:
        """The client's own names of the files that it has open."""
        places = ((self._workspace.place(document.path), document.uri) for document in self._open.values())
        return {place: uri for place, uri in reversed([*places]) if place is not None}

    def uri(self, place: Place) -> str:
        """The URI of a file: the client's own if it has it open."""
        return self.names().get(place) or place.path.as_uri()


def path_of(uri: str) -> Path | None:
    """The path of a ``file:`` URI; None for other schemes, such as an untitled buffer's, and for what is no URI."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    path = unquote(parts.path)
    if parts.netloc and parts.netloc != "localhost":
        path = f"//{unquote(parts.netloc)}{path}"
    elif _DRIVE.match(path):
        path = path[1:]
    return Path(path) if path and "\0" not in path else None
