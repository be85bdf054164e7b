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
    text: str
    version: int


class Documents:
    """What the client has open, laid over the workspace.

    A client may have a file open under several spellings of its URI: what counts is what was told last.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._open: dict[str, Document] = {}

    def put(self, uri: str, text: str, version: int) -> Place | None:
        """A document was opened or changed. None if it belongs to no project."""
        path = path_of(uri)
        if path is None:
            return None
        # A lone half of a surrogate pair is no text: DuckDB and the disk refuse it. The stand-in is as wide.
        document = self._open[uri] = Document(uri, path, _LONE_SURROGATE.sub("\ufffd", text), version)
        self._workspace.put(path, document.text, version)
        return self._workspace.place(path)

    def drop(self, uri: str) -> None:
        """A document was closed. What the client has the same file open as besides counts again."""
        document = self._open.pop(uri, None)
        if document is None:
            return
        others = self._of(document.path)
        if others:
            self._workspace.put(others[-1].path, others[-1].text, others[-1].version)
        else:
            self._workspace.drop(document.path)

    def deleted(self, path: Path) -> None:
        """A file was deleted: what is open of it counts no more."""
        for document in self._of(path):
            self.drop(document.uri)

    def place(self, uri: str) -> Place | None:
        """The project and file of a URI; None if it is no file, or of no project."""
        path = path_of(uri)
        return self._workspace.place(path) if path is not None else None

    def version(self, uri: str) -> int | None:
        """The version the client last told; None if the document is not open."""
        document = self._open.get(uri)
        return document.version if document is not None else None

    def names(self) -> dict[Place, str]:
        """The client's own names of the files that it has open."""
        places = ((self._workspace.place(document.path), document.uri) for document in self._open.values())
        return {place: uri for place, uri in reversed([*places]) if place is not None}

    def uri(self, place: Place) -> str:
        """The URI of a file: the client's own if it has it open."""
        return self.names().get(place) or place.path.as_uri()

    def _of(self, path: Path) -> list[Document]:
        """The open documents of a path, in the order in which they were opened."""
        wanted = absolute(path)
        return [document for document in self._open.values() if absolute(document.path) == wanted]


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
