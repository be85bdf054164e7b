"""What every feature begins with: the present look at the file that a request is about."""

from dataclasses import dataclass

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from smelt.editor.snapshot import Place, Snapshot
from smelt_lsp.convert import Client, Converter


@dataclass(frozen=True, slots=True)
class Asked:
    """A place in a file, as it is now. ``offset`` counts code points."""

    snapshot: Snapshot
    converter: Converter
    file: str
    offset: int


class Server(LanguageServer):
    """What the features need of the server."""

    client: Client
    # The files that answers move, until the editor says that it moves them; a rename's answer takes the place of all.
    moving: frozenset[tuple[Place, Place]] = frozenset()

    def place(self, uri: str) -> Place | None:
        """The project and file of a URI; None if it is no file, or of no project."""
        raise NotImplementedError

    async def snapshot(self, uri: str) -> tuple[Place, Snapshot, Converter] | None:
        """The present look at the project of a document; None if it has none."""
        raise NotImplementedError

    async def judged(self, uri: str) -> tuple[Place, Snapshot, Converter] | None:
        """A look that has a document's own findings as they are now; None if it has no project."""
        raise NotImplementedError

    async def settled(self, uri: str) -> tuple[Place, Snapshot, Converter] | None:
        """The present look at all files of the project of a document; None if it has none.

        Another than :meth:`snapshot` only while the project is first read, or after a change that many models see.
        """
        raise NotImplementedError

    async def snapshots(self) -> list[tuple[Snapshot, Converter]]:
        """The present looks at all projects."""
        raise NotImplementedError

    def ask_to_ask_again(self) -> None:
        """Have the client ask anew for whatever it shows, as far as it can be told to."""
        if self.client.pulls and self.client.refreshes:
            self.workspace_diagnostic_refresh(None)
        if self.client.refreshes_lenses:
            self.workspace_code_lens_refresh(None)
        if self.client.refreshes_hints:
            self.workspace_inlay_hint_refresh(None)

    async def asked(self, uri: str, position: types.Position) -> Asked | None:
        """What a request about a position is about; None if the document belongs to no project."""
        return _asked(await self.snapshot(uri), position)

    async def asked_of_all(self, uri: str, position: types.Position) -> Asked | None:
        """The same, for an answer that any file of the project can be part of."""
        return _asked(await self.settled(uri), position)


def _asked(found: tuple[Place, Snapshot, Converter] | None, position: types.Position) -> Asked | None:
    if found is None:
        return None
    place, snapshot, converter = found
    return Asked(snapshot, converter, place.file, converter.offset(place.file, position))
