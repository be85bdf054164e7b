"""The language server: the protocol's messages, each answered from the editor layer."""

import asyncio
import logging
from collections.abc import Iterable

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from smelt.editor.session import Workspace
from smelt.editor.snapshot import Place, Snapshot
from smelt_lsp import features, pulled, views
from smelt_lsp.convert import Client, Converter
from smelt_lsp.documents import Documents, path_of
from smelt_lsp.looks import Looks
from smelt_lsp.navigation import MOVABLE
from smelt_lsp.positions import PositionEncoding
from smelt_lsp.process import end_with
from smelt_lsp.protocol import Protocol
from smelt_lsp.publisher import Publisher

log = logging.getLogger(__name__)

WATCHED = "**/*.{sql,yml,yaml,csv}"


class SmeltServer(views.Server, pulled.Server):
    """The protocol's side of a :class:`~smelt.editor.session.Workspace`.

    What brings the parser along is imported by the handler that needs it: a client waits for the first answer.
    Texts are synchronised whole: pygls splits lines where the protocol does not, so its own copies of edited
    documents cannot be trusted.
    """

    def __init__(self, version: str, editor: Workspace) -> None:
        full = types.TextDocumentSyncKind.Full
        super().__init__("smelt", version, text_document_sync_kind=full, protocol_cls=Protocol)
        self.editor = editor
        self.documents = Documents(editor)
        self.looks = Looks(editor, self._show)
        self.client = Client(types.ClientCapabilities(), PositionEncoding.UTF16)
        self.publisher = Publisher(self.documents, self.client, self.text_document_publish_diagnostics)
        self.told = pulled.Told()
        self.ended_in_order = False
        _register(self)
        features.register(self)
        views.register(self)

    def meet(self, params: types.InitializeParams) -> None:
        """Take up what the client can do. Runs before pygls computes what the server offers."""
        encoding = PositionEncoding(self.workspace.position_encoding or PositionEncoding.UTF16)
        self.client = Client(params.capabilities, encoding)
        self.publisher = Publisher(self.documents, self.client, self.text_document_publish_diagnostics)
        if self.client.pulls:
            pulled.register(self)
        if params.process_id is not None:
            end_with(params.process_id)

    def changed(self, place: Place | None) -> None:
        """A file has another text: look at its project again; projects that ceased to be are cleared."""
        self._find_moved()
        self._clear_gone()
        self.told.wake()
        if place is not None and not self.client.pulls:
            self.looks.soon(place.root)

    def _show(self, snapshot: Snapshot) -> None:
        self._clear_gone()
        if not self.client.pulls and self.editor.is_open(snapshot.root):  # it may have gone while it was looked at
            self.publisher.publish(snapshot)

    def _find_moved(self) -> None:
        """Take notice of files that a rename's answer moves: an editor that watches no files does not tell of them."""
        for old, new in self.moving:
            if new.path.is_file():
                self.editor.touch(old.path)
                self.editor.touch(new.path)
                self.moving -= {(old, new)}

    def _clear_gone(self) -> None:
        for root in self.editor.gone():
            self.editor.forget(root)
            self.publisher.forget(root)

    def place(self, uri: str) -> Place | None:
        """The project and file of a URI; None if it is no file, or of no project."""
        return self.documents.place(uri)

    async def snapshot(self, uri: str) -> tuple[Place, Snapshot, Converter] | None:
        """The present look at the project of a document; None if it has none."""
        place = self._open(uri)
        return self._of(place, await self.looks.fresh(place.root)) if place is not None else None

    async def judged(self, uri: str) -> tuple[Place, Snapshot, Converter] | None:
        """A look that has a document's own findings as they are now; None if it has no project."""
        place = self._open(uri)
        return self._of(place, await self.looks.judged(place.root, place.file)) if place is not None else None

    async def settled(self, uri: str) -> tuple[Place, Snapshot, Converter] | None:
        """The present look at all files of the project of a document; None if it has none."""
        place = self._open(uri)
        return self._of(place, await self.looks.settled(place.root)) if place is not None else None

    def _open(self, uri: str) -> Place | None:
        """The place of a document, its project opened; None if it has none."""
        place = self.documents.place(uri)
        if place is not None:
            self.editor.open(place.root)
        return place

    def _of(self, place: Place, snapshot: Snapshot | None) -> tuple[Place, Snapshot, Converter] | None:
        """A look at a place; None if its project was closed meanwhile."""
        return (place, snapshot, self._converter(snapshot)) if snapshot is not None else None

    def _converter(self, snapshot: Snapshot) -> Converter:
        return Converter(snapshot, self.documents, self.client)

    async def snapshots(self) -> list[tuple[Snapshot, Converter]]:
        """The present looks at all projects that are open."""
        looks = [await self.looks.fresh(root) for root in self.editor.roots()]
        return [(snapshot, self._converter(snapshot)) for snapshot in looks if snapshot is not None]


def _register(server: SmeltServer) -> None:
    feature = server.feature
    feature(types.INITIALIZE)(_initialize)
    feature(types.INITIALIZED)(_initialized)
    feature(types.SHUTDOWN)(_shutdown)
    feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_files_changed)
    feature(types.WORKSPACE_DID_RENAME_FILES, types.FileOperationRegistrationOptions(MOVABLE))(_files_moved)
    feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_folders_changed)


def _initialize(server: SmeltServer, params: types.InitializeParams) -> None:
    server.meet(params)


async def _initialized(server: SmeltServer, params: types.InitializedParams) -> None:
    folders = [folder.uri for folder in server.workspace.folders.values()]
    if not folders and server.workspace.root_uri is not None:
        folders = [server.workspace.root_uri]
    try:
        await _discover(server, folders)
    finally:
        server.told.projects_known.set()
    if server.client.watches:
        watchers = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
        registration = types.Registration("smelt-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watchers)
        try:
            await server.client_register_capability_async(types.RegistrationParams([registration]))
        except JsonRpcException as refused:
            log.warning("the client does not watch files: %s", refused)


async def _discover(server: SmeltServer, folders: Iterable[str]) -> None:
    for uri in folders:
        path = path_of(uri)
        if path is None:
            continue
        for root in await asyncio.to_thread(server.editor.discover, path):
            server.editor.open(root)
            server.changed(Place(root, ""))
            server.looks.soon(root)


def _shutdown(server: SmeltServer, params: None) -> None:
    server.ended_in_order = True
    server.told.end()
    server.looks.close()


def _opened(server: SmeltServer, params: types.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    server.changed(server.documents.put(document.uri, document.text, document.version))


def _changed(server: SmeltServer, params: types.DidChangeTextDocumentParams) -> None:
    document = params.text_document
    if not all(isinstance(one, types.TextDocumentContentChangeWholeDocument) for one in params.content_changes):
        log.warning("%s was changed in part, although the server takes whole texts: ignored", document.uri)
    elif params.content_changes:
        if server.documents.version(document.uri) is None and path_of(document.uri) is not None:
            log.warning("%s was changed before it was opened: taken as opened", document.uri)
        server.changed(server.documents.put(document.uri, params.content_changes[-1].text, document.version))


def _closed(server: SmeltServer, params: types.DidCloseTextDocumentParams) -> None:
    server.documents.drop(params.text_document.uri)
    server.changed(server.documents.place(params.text_document.uri))


def _saved(server: SmeltServer, params: types.DidSaveTextDocumentParams) -> None:
    path = path_of(params.text_document.uri)
    if path is not None:
        server.editor.touch(path)
        server.changed(server.editor.place(path))


def _files_changed(server: SmeltServer, params: types.DidChangeWatchedFilesParams) -> None:
    for change in params.changes:
        path = path_of(change.uri)
        if path is None:
            continue
        if change.type == types.FileChangeType.Deleted:
            server.documents.deleted(path)
        server.editor.touch(path)
        server.changed(server.editor.place(path))
    server.ask_to_ask_again()


def _files_moved(server: SmeltServer, params: types.RenameFilesParams) -> None:
    for uri in (uri for file in params.files for uri in (file.old_uri, file.new_uri)):
        path = path_of(uri)
        if path is not None:
            server.editor.touch(path)
            server.changed(server.editor.place(path))
    server.ask_to_ask_again()


async def _folders_changed(server: SmeltServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    left = [path for folder in params.event.removed if (path := path_of(folder.uri)) is not None]
    for root in server.editor.roots():
        if any(root.is_relative_to(path.resolve()) for path in left) and not server.editor.open_files(root):
            server.editor.forget(root)
            server.publisher.forget(root)
    await _discover(server, [folder.uri for folder in params.event.added])
