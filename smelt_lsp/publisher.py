"""Push diagnostics: what the client was told of each file, so that it is told only what is new."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

from smelt.diagnostics.model import Diagnostic
from smelt.editor.snapshot import Snapshot
from smelt_lsp.convert import Client, Converter
from smelt_lsp.documents import Documents

Send = Callable[[types.PublishDiagnosticsParams], None]


@dataclass(frozen=True, slots=True)
class _Told:
    """What the client was told of a file, and what that was made from."""

    params: types.PublishDiagnosticsParams
    found: tuple[Diagnostic, ...]
    texts: tuple[str | None, ...]


class Publisher:
    """Publishes the findings of every file of a project, opened or not."""

    def __init__(self, documents: Documents, client: Client, send: Send) -> None:
        self._documents = documents
        self._client = client
        self._send = send
        self._told: dict[Path, dict[str, _Told]] = {}

    def publish(self, snapshot: Snapshot) -> None:
        """Tell the client of a look at a project: what is new, and what is gone."""
        converter = Converter(snapshot, self._documents, self._client)
        before = self._told.get(snapshot.root, {})
        now: dict[str, _Told] = {}
        is_open = snapshot.versions.keys()
        for file in before.keys() - is_open:
            if file in snapshot.pending:
                now[file] = before[file]
        for file in dict.fromkeys((*snapshot.versions, *snapshot.findings)):
            if file in is_open or file not in snapshot.pending:
                now[file] = self._tell(snapshot, converter, file, before.get(file))
        for file in before.keys() - now.keys():
            self._clear(before[file])
        self._told[snapshot.root] = now

    def forget(self, root: Path) -> None:
        """Clear all files of a project that is one no more."""
        for told in self._told.pop(root, {}).values():
            self._clear(told)

    def _tell(self, snapshot: Snapshot, converter: Converter, file: str, before: _Told | None) -> _Told:
        found, uri, version = snapshot.of(file), converter.uri(file), snapshot.versions.get(file)
        texts = tuple(snapshot.texts.get(one) for one in _involved(file, found))
        is_same = before is not None and (before.params.uri, before.params.version) == (uri, version)
        if before is not None and is_same and before.found == found and before.texts == texts:
            return before
        if before is not None and before.params.uri != uri:
            self._clear(before)
            before = None
        params = types.PublishDiagnosticsParams(uri, converter.diagnostics(found), version)
        if before is None or before.params != params:
            self._send(params)
        return _Told(params, found, texts)

    def _clear(self, told: _Told) -> None:
        if told.params.diagnostics:
            self._send(types.PublishDiagnosticsParams(told.params.uri, []))


def _involved(file: str, found: tuple[Diagnostic, ...]) -> dict[str, None]:
    """The files whose lines positions are counted in."""
    related = (other.location.file for one in found for other in one.related)
    return dict.fromkeys((file, *related))
