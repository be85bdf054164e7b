"""Push diagnostics: what the client was told of each file, so that it is told only what is new."""

from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from smelt.editor.snapshot import Place, Snapshot
from smelt_lsp.convert import Client, Converter
from smelt_lsp.documents import Documents

Send = Callable[[types.PublishDiagnosticsParams], None]


class Publisher:
    """Publishes the findings of every file of a project, opened or not."""

    def __init__(self, documents: Documents, client: Client, send: Send) -> None:
        self._documents = documents
        self._client = client
        self._send = send
        self._told: dict[Path, dict[str, types.PublishDiagnosticsParams]] = {}

    def publish(self, snapshot: Snapshot) -> None:
        """Tell the client of a look at a project: what is new, and what is gone."""
        converter = Converter(snapshot, self._documents, self._client)
        shown = dict.fromkeys((*snapshot.versions, *snapshot.findings))
        now: dict[str, types.PublishDiagnosticsParams] = {}
        for file in shown:
            uri = self._documents.uri(Place(snapshot.root, file))
            now[uri] = types.PublishDiagnosticsParams(
                uri, converter.diagnostics(snapshot.of(file)), snapshot.versions.get(file)
            )
        before = self._told.get(snapshot.root, {})
        for uri, params in now.items():
            if before.get(uri) != params:
                self._send(params)
        for uri in before.keys() - now.keys():
            self._clear(uri, before[uri])
        self._told[snapshot.root] = now

    def forget(self, root: Path) -> None:
        """Clear all files of a project that is one no more."""
        for uri, params in self._told.pop(root, {}).items():
            self._clear(uri, params)

    def _clear(self, uri: str, told: types.PublishDiagnosticsParams) -> None:
        if told.diagnostics:
            self._send(types.PublishDiagnosticsParams(uri, []))
