"""Diagnostics for a client that asks for them: of one document, and of all files of all projects."""

import asyncio
import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

from smelt.diagnostics.model import Diagnostic
from smelt.editor.session import Workspace
from smelt.editor.snapshot import Place, Snapshot
from smelt_lsp.asking import Server as Asking
from smelt_lsp.convert import Converter
from smelt_lsp.documents import Documents
from smelt_lsp.looks import Looks

log = logging.getLogger(__name__)

_Report = types.WorkspaceUnchangedDocumentDiagnosticReport | types.WorkspaceFullDocumentDiagnosticReport


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer about a file, and what it was made from."""

    uri: str
    version: int | None
    found: tuple[Diagnostic, ...]
    text: str | None
    items: list[types.Diagnostic]
    result: str


class Told:
    """What was answered about all files: a client that asks again at once waits until there is something new.

    It holds one answer for each file that has findings, and nothing for a question.
    """

    def __init__(self) -> None:
        self.answers: dict[Place, _Answer] = {}
        # A client forgets what it knows of a document that it closes, but may still show it.
        self.shown: set[str] = set()
        # The results that open documents were told when they asked themselves, by URI, with the version they asked in.
        self.documents: dict[str, tuple[int, str]] = {}
        self.revision = -1
        self.ended = False
        # The projects of which open documents were told while other files were not looked at yet.
        self.correcting: dict[Path, asyncio.Task[None]] = {}
        self.projects_known = asyncio.Event()
        self._moved = asyncio.Event()

    def wake(self) -> None:
        """Something changed."""
        self._moved.set()

    def end(self) -> None:
        """Nothing will change any more."""
        self.ended = True
        self.projects_known.set()
        self._moved.set()

    async def moved(self) -> None:
        """Wait for a change."""
        self._moved.clear()
        await self._moved.wait()


class Server(Asking):
    """What these answers need of the server."""

    editor: Workspace
    documents: Documents
    looks: Looks
    told: Told


def register(server: Server) -> None:
    """Offer pulled diagnostics."""
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="smelt")
    server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(_pulled)
    server.feature(types.WORKSPACE_DIAGNOSTIC)(_pulled_all)


async def _pulled(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """The findings of a document.

    Some hang on all other files: a circle, a name that is taken. Who can be told to ask again is answered at once and
    told when they changed that; who cannot waits for them.
    """
    judged = server.judged if server.client.refreshes else server.settled
    found = await judged(params.text_document.uri)
    uri, items, version = params.text_document.uri, [], None
    if found is not None:
        place, snapshot, converter = found
        items, version = converter.diagnostics(snapshot.of(place.file)), snapshot.versions.get(place.file)
    if items:
        server.told.shown.add(uri)
    result = _result_id(items)
    if version is not None:
        server.told.documents[uri] = (version, result)
    if found is not None and found[1].pending and found[0].root not in server.told.correcting:
        root = found[0].root
        server.told.correcting[root] = asyncio.create_task(_correct(server, root))
    if result == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=result)


async def _correct(server: Server, root: Path) -> None:
    """Look at all files of a project, and have the client ask anew if an open document was told something else."""
    try:
        snapshot = await server.looks.settled(root)
        if snapshot is not None:
            converter = Converter(snapshot, server.documents, server.client)
            uris = {file: server.documents.uri(Place(root, file)) for file in snapshot.versions}
            results = {uri: _result_id(converter.diagnostics(snapshot.of(file))) for file, uri in uris.items()}
            _tell_of_others(server, results, {uri: snapshot.versions[file] for file, uri in uris.items()})
    except Exception:  # the task's boundary: nobody awaits it
        log.exception("looking at the rest of %s failed", root)
    finally:
        del server.told.correcting[root]


async def _pulled_all(server: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """Every file with findings, and every file the client still believes to have some.

    There is no answer before something is new, unless the client knows of nothing.
    """
    before = {known.uri: known.value for known in params.previous_result_ids}
    told = server.told
    if not before and told.answers:
        told.revision = -1
    await told.projects_known.wait()
    while True:
        is_first, revision = told.revision < 0, server.editor.revision
        if revision != told.revision:
            reports = await everything(server, before)
            told.revision = revision
            if is_first or any(isinstance(one, types.WorkspaceFullDocumentDiagnosticReport) for one in reports):
                return types.WorkspaceDiagnosticReport(reports)
        if told.ended:
            return types.WorkspaceDiagnosticReport([])
        await told.moved()


async def everything(server: Server, before: dict[str, str]) -> list[types.WorkspaceDocumentDiagnosticReport]:
    """A report of each file with findings, and of each in ``before``: the results that a client knows, by URI."""
    answers: dict[Place, _Answer] = {}
    versions: dict[str, int | None] = {}
    for root in server.editor.roots():
        snapshot = await server.looks.settled(root)
        if snapshot is None:
            continue
        answers.update(_answers(server, root, snapshot))
        versions.update(
            {server.documents.uri(Place(root, file)): version for file, version in snapshot.versions.items()}
        )
    server.told.answers = answers
    _tell_of_others(server, {one.uri: one.result for one in answers.values()}, versions)
    reports: list[types.WorkspaceDocumentDiagnosticReport] = [
        _report(one.uri, one.version, one.items, one.result, before.get(one.uri)) for one in answers.values()
    ]
    now = {one.uri for one in answers.values()}
    gone = (before.keys() | server.told.shown) - now
    nothing = _result_id([])
    for uri in sorted(gone):
        # What the client says it knows of all files is not always what it shows of a document that was open.
        known = None if uri in server.told.shown else before.get(uri)
        reports.append(_report(uri, server.documents.version(uri), [], nothing, known))
    server.told.shown = now
    return reports


def _tell_of_others(server: Server, results: dict[str, str], versions: dict[str, int | None]) -> None:
    """Have the client ask anew if an open document that did not change was told what another file has changed.

    A client shows of an open document only what it was told about that document itself.
    """
    told = server.told.documents
    nothing = _result_id([])
    present = {uri: (version, results.get(uri, nothing)) for uri, (version, _) in told.items()}
    outdated = [uri for uri, (version, _) in told.items() if versions.get(uri) == version and told[uri] != present[uri]]
    told.update({uri: present[uri] for uri in outdated})
    if outdated:
        server.ask_to_ask_again()


def _answers(server: Server, root: Path, snapshot: Snapshot) -> dict[Place, _Answer]:
    converter = Converter(snapshot, server.documents, server.client)
    answers = {}
    for file, found in snapshot.findings.items():
        place = Place(root, file)
        uri, version, text = converter.uri(file), snapshot.versions.get(file), snapshot.texts.get(file)
        earlier = server.told.answers.get(place)
        is_same = earlier is not None and (earlier.uri, earlier.version) == (uri, version) and earlier.text == text
        if earlier is not None and is_same and earlier.found == found and not any(one.related for one in found):
            answers[place] = earlier
        else:
            items = converter.diagnostics(found)
            answers[place] = _Answer(uri, version, found, text, items, _result_id(items))
    return answers


def _report(uri: str, version: int | None, items: list[types.Diagnostic], result: str, before: str | None) -> _Report:
    if result == before:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result, version)
    return types.WorkspaceFullDocumentDiagnosticReport(uri, items, version, result_id=result)


def _result_id(items: list[types.Diagnostic]) -> str:
    """A name for a list of findings: made from its content, so that none has to be remembered."""
    return hashlib.blake2b(repr(items).encode("utf-8", "backslashreplace"), digest_size=12).hexdigest()
