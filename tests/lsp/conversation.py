"""A conversation with the server as an editor has it, whichever way it wants its diagnostics."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from smelt.text.lines import LineIndex
from smelt_lsp.positions import PositionEncoding, to_client
from tests.editor.projects import MODEL

SECONDS = 60.0
"""How long an answer may take before a test gives up; no test waits for it to pass."""

PUSH = "visual-studio-code@v1.65.2"
PULL = "neovim@v0.11.0"
OTHER_PUSH = "emacs@v29.1"
REFRESHING = "refreshing"
"""Visual Studio Code as it is now: it asks, for all files too, and asks again when it is told to."""
MINIMAL = "minimal"
"""A client that says nothing of what it can do."""


class Client(LanguageClient):
    """A test client that keeps every publication, not only the last."""

    def __init__(self) -> None:
        super().__init__(converter_factory=default_converter)
        self.published: list[types.PublishDiagnosticsParams] = []
        self.registered: list[types.Registration] = []
        self.refreshed = 0
        self.news = asyncio.Condition()
        self.talk: Conversation | None = None
        register_lsp_features(self, {**DEFAULT_CLIENT_FEATURES, **_FEATURES})


async def _told(client: Client, params: types.PublishDiagnosticsParams) -> None:
    client.published.append(params)
    async with client.news:
        client.news.notify_all()


async def _registered(client: Client, params: types.RegistrationParams) -> None:
    client.registered += params.registrations
    async with client.news:
        client.news.notify_all()


async def _refreshed(client: Client, params: None) -> None:
    client.refreshed += 1
    async with client.news:
        client.news.notify_all()


async def _redrawn(client: Client, params: None) -> None:
    """The client would ask for lenses or hints again."""


_FEATURES = {
    types.WORKSPACE_CODE_LENS_REFRESH: _redrawn,
    types.WORKSPACE_INLAY_HINT_REFRESH: _redrawn,
    types.WORKSPACE_DIAGNOSTIC_REFRESH: _refreshed,
    types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: _told,
    types.CLIENT_REGISTER_CAPABILITY: _registered,
}

CONFIG = ClientServerConfig(server_command=[sys.executable, "-m", "smelt_lsp.main", "--stdio"], client_factory=Client)


@dataclass
class Conversation:
    """One client and its server."""

    client: Client
    answer: types.InitializeResult
    pulls: bool
    versions: dict[str, int] = field(default_factory=dict)

    @property
    def encoding(self) -> PositionEncoding:
        return PositionEncoding(self.answer.capabilities.position_encoding or "utf-16")

    @property
    def published(self) -> list[types.PublishDiagnosticsParams]:
        return self.client.published

    def open(self, uri: str, text: str, language: str = "sql") -> None:
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, uri: str, text: str) -> None:
        self.versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        whole = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, whole))

    def close(self, uri: str) -> None:
        del self.versions[uri]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def watched(self, uri: str, kind: types.FileChangeType) -> None:
        change = types.DidChangeWatchedFilesParams([types.FileEvent(uri, kind)])
        self.client.workspace_did_change_watched_files(change)

    async def told(self, wanted: Callable[[types.PublishDiagnosticsParams], bool]) -> types.PublishDiagnosticsParams:
        """The first publication that is wanted, past or to come."""
        async with asyncio.timeout(SECONDS), self.client.news:
            await self.client.news.wait_for(lambda: any(wanted(params) for params in self.published))
        return next(params for params in self.published if wanted(params))

    async def last(self, wanted: Callable[[types.PublishDiagnosticsParams], bool]) -> None:
        """Wait until the last publication about some document is wanted."""

        def shown() -> bool:
            latest = {params.uri: params for params in self.published}
            return any(wanted(params) for params in latest.values())

        async with asyncio.timeout(SECONDS), self.client.news:
            await self.client.news.wait_for(shown)

    async def findings(self, uri: str) -> list[types.Diagnostic]:
        """What the client shows for a document in its present version."""
        if self.pulls:
            params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
            report = await self.client.text_document_diagnostic_async(params)
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
            return list(report.items)
        version = self.versions[uri]
        return list((await self.told(lambda params: params.uri == uri and params.version == version)).diagnostics)

    async def codes(self, uri: str) -> list[str]:
        return [str(found.code) for found in await self.findings(uri)]

    async def actions(
        self, uri: str, where: types.Range, only: list[types.CodeActionKind | str] | None = None
    ) -> list[types.CodeAction]:
        context = types.CodeActionContext([], only=only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
        found = await self.client.text_document_code_action_async(params) or []
        return [action for action in found if isinstance(action, types.CodeAction)]

    async def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), position)
        return await self.client.text_document_hover_async(params)

    def range(self, text: str, words: str) -> types.Range:
        """Where words stand, in the positions agreed on."""
        index, start = LineIndex(text), text.index(words)
        ends = (to_client(index, offset, self.encoding) for offset in (start, start + len(words)))
        return types.Range(*(types.Position(*end) for end in ends))


def broken(root: Path) -> str:
    """The default model with one finding, which has one safe fix."""
    return (root / MODEL).read_text().replace("QUALIFY NOT is_deleted", "QUALIFY is_deleted = FALSE")


def edits_of(edit: types.WorkspaceEdit | None, uri: str) -> list[types.TextEdit]:
    """The edits made in a document."""
    assert edit is not None
    if edit.changes is not None:
        return list(edit.changes[uri])
    texts: list[types.TextEdit] = []
    for change in edit.document_changes or []:
        assert isinstance(change, types.TextDocumentEdit)
        if change.text_document.uri == uri:
            texts += [edit for edit in change.edits if isinstance(edit, types.TextEdit)]
    return texts


_OWN_PROFILES = {
    MINIMAL: types.ClientCapabilities(),
    REFRESHING: types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        ),
        text_document=types.TextDocumentClientCapabilities(
            diagnostic=types.DiagnosticClientCapabilities(related_information=True)
        ),
    ),
}


async def begin(client: Client, profile: str, folders: list[str] | None = None) -> Conversation:
    """Initialize as the editor of a profile does."""
    capabilities = _OWN_PROFILES.get(profile) or client_capabilities(profile)
    listed = [types.WorkspaceFolder(folder, folder.rpartition("/")[2]) for folder in folders or []]
    params = types.InitializeParams(capabilities=capabilities, workspace_folders=listed)
    answer = await client.initialize_session(params)
    pulls = capabilities.text_document is not None and capabilities.text_document.diagnostic is not None
    return Conversation(client, answer, pulls)
