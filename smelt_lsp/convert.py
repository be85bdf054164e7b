"""The editor's records as protocol types, in the client's positions and under its names."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from smelt.diagnostics.model import Diagnostic, FileEdit, Location, Severity
from smelt.editor.actions import Action
from smelt.editor.snapshot import Place, Snapshot
from smelt.text.lines import LineIndex
from smelt.text.spans import Span
from smelt_lsp.documents import Documents
from smelt_lsp.positions import PositionEncoding, from_client, to_client

if TYPE_CHECKING:  # it brings the parser along, and a client waits for the first answer
    from smelt.editor.hover import Hover
    from smelt.editor.new_source import NewFile

SOURCE = "smelt"

_Change = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile

_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}


class Converter:
    """Converts what belongs to one snapshot; the lines of each file are found once."""

    def __init__(self, snapshot: Snapshot, documents: Documents, client: "Client") -> None:
        self._snapshot = snapshot
        self._documents = documents
        self._client = client
        self._indexes: dict[str, LineIndex] = {}
        self._names: dict[Place, str] | None = None

    def diagnostics(self, found: Iterable[Diagnostic]) -> list[types.Diagnostic]:
        """Findings of one file."""
        return [self._diagnostic(diagnostic) for diagnostic in found]

    def hover(self, file: str, hover: "Hover") -> types.Hover:
        """A text about a range of a file."""
        return types.Hover(self.prose(hover.markdown), self.range(file, hover.span))

    def prose(self, markdown: str) -> types.MarkupContent:
        """A text, as Markdown or plain as the client reads it."""
        kind = types.MarkupKind.Markdown if self._client.markdown else types.MarkupKind.PlainText
        return types.MarkupContent(kind, markdown)

    def action(self, action: Action) -> types.CodeAction:
        """An action with its edits; versioned if the client takes versions."""
        return types.CodeAction(
            title=action.title,
            kind=action.kind,
            diagnostics=self.diagnostics(action.diagnostics),
            is_preferred=action.preferred or None,
            edit=self.edit(action.edits) if action.creates is None else self._creation(action.creates),
        )

    def location(self, location: Location) -> types.Location:
        """A place in a file of the project."""
        return self.place(location.file, location.span)

    def place(self, file: str, span: Span) -> types.Location:
        """A range of a file of the project."""
        return types.Location(self.uri(file), self.range(file, span))

    def uri(self, file: str) -> str:
        """The URI of a file of the project."""
        place = Place(self._snapshot.root, file)
        if self._names is None:
            self._names = self._documents.names()
        return self._names.get(place) or place.path.as_uri()

    def offset(self, file: str, position: types.Position) -> int:
        """The offset of a client's position."""
        index, cut = self._index(file)
        return from_client(index, position.line, position.character, self._client.encoding) + cut

    def span(self, file: str, given: types.Range) -> Span:
        """The span of a client's range."""
        return Span(self.offset(file, given.start), self.offset(file, given.end))

    def range(self, file: str, span: Span) -> types.Range:
        """A span as the client counts it."""
        index, cut = self._index(file)
        start = to_client(index, span.start - cut, self._client.encoding)
        end = to_client(index, span.end - cut, self._client.encoding)
        return types.Range(types.Position(*start), types.Position(*end))

    def _index(self, file: str) -> tuple[LineIndex, int]:
        """The lines as an editor counts them. It hides the byte order mark of a file it opens from disk."""
        text = self._snapshot.texts.get(file, "")
        cut = 1 if text.startswith("\ufeff") and file not in self._snapshot.versions else 0
        index = self._indexes.get(file)
        if index is None:
            index = self._indexes[file] = LineIndex(text[cut:])
        return index, cut

    def _diagnostic(self, diagnostic: Diagnostic) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(self.location(other.location), other.message)
            for other in diagnostic.related
        ]
        message = f"{diagnostic.message}\nhelp: {diagnostic.help}" if diagnostic.help else diagnostic.message
        return types.Diagnostic(
            range=self.range(diagnostic.location.file, diagnostic.location.span),
            message=message,
            severity=_SEVERITY[diagnostic.severity],
            code=diagnostic.code.name,
            source=SOURCE,
            related_information=related if related and self._client.related else None,
        )

    def _creation(self, new: "NewFile") -> types.WorkspaceEdit:
        """A file that is created, and then filled."""
        uri, start = self.uri(new.file), types.Position(0, 0)
        text = types.TextEdit(types.Range(start, start), new.text)
        filled = types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, None), [text])
        return types.WorkspaceEdit(document_changes=[types.CreateFile(uri), filled])

    def edit(self, edits: Iterable[FileEdit], renames: Iterable[tuple[str, str]] = ()) -> types.WorkspaceEdit:
        """Files that get other paths, and then edits, which are given under the present paths.

        Moved first: an editor that cannot move a file then stops before it has changed anything. Edits are versioned
        if the client takes versions. Only for clients that can rename files may there be any to rename.
        """
        moved = dict(renames)
        by_file: dict[str, list[types.TextEdit]] = {}
        for edit in edits:
            text = types.TextEdit(self.range(edit.file, edit.edit.span), edit.edit.text)
            by_file.setdefault(edit.file, []).append(text)
        if not self._client.versioned_edits and not moved:
            return types.WorkspaceEdit(changes={self.uri(file): texts for file, texts in by_file.items()})
        changes: list[_Change] = [types.RenameFile(self.uri(old), self.uri(new)) for old, new in moved.items()]
        for file, texts in by_file.items():
            version = self._snapshot.versions.get(file) if file not in moved else None
            named = types.OptionalVersionedTextDocumentIdentifier(self.uri(moved.get(file, file)), version)
            changes.append(types.TextDocumentEdit(named, texts))
        return types.WorkspaceEdit(document_changes=changes)


def joined(edits: Iterable[types.WorkspaceEdit]) -> types.WorkspaceEdit | None:
    """The edits of several projects as one; None if there are none."""
    edits = tuple(edits)
    if len(edits) < 2:
        return edits[0] if edits else None
    changes = {uri: texts for one in edits for uri, texts in (one.changes or {}).items()}
    operations = [change for one in edits for change in one.document_changes or ()]
    operations += [
        types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, None), [*texts])
        for uri, texts in (changes.items() if operations else ())
    ]
    return types.WorkspaceEdit(document_changes=operations) if operations else types.WorkspaceEdit(changes=changes)


class Client:
    """What the client said it can do, as far as answers depend on it."""

    def __init__(self, capabilities: types.ClientCapabilities, encoding: PositionEncoding) -> None:
        document = capabilities.text_document or types.TextDocumentClientCapabilities()
        workspace = capabilities.workspace or types.WorkspaceClientCapabilities()
        self.encoding = encoding
        self.pulls = document.diagnostic is not None
        formats = document.hover.content_format if document.hover is not None else None
        self.markdown = formats is None or types.MarkupKind.Markdown in formats
        self.actions = document.code_action is not None and document.code_action.code_action_literal_support is not None
        self.versioned_edits = workspace.workspace_edit is not None and bool(workspace.workspace_edit.document_changes)
        item = document.completion.completion_item if document.completion is not None else None
        self.fills_snippets = item is not None and bool(item.snippet_support)
        symbols = document.document_symbol
        self.nests_symbols = symbols is not None and bool(symbols.hierarchical_document_symbol_support)
        resources = workspace.workspace_edit.resource_operations if workspace.workspace_edit is not None else None
        self.renames_files = types.ResourceOperationKind.Rename in (resources or ())
        self.creates_files = types.ResourceOperationKind.Create in (resources or ())
        self.watches = workspace.did_change_watched_files is not None and bool(
            workspace.did_change_watched_files.dynamic_registration
        )
        self.refreshes = workspace.diagnostics is not None and bool(workspace.diagnostics.refresh_support)
        self.refreshes_lenses = workspace.code_lens is not None and bool(workspace.code_lens.refresh_support)
        self.refreshes_hints = workspace.inlay_hint is not None and bool(workspace.inlay_hint.refresh_support)
        shown = document.diagnostic if document.diagnostic is not None else document.publish_diagnostics
        self.related = shown is not None and bool(shown.related_information)
