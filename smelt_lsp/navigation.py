"""From a name to where else it stands, and giving it another: each request answered from the editor layer."""

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from smelt.editor.snapshot import Place
from smelt_lsp.asking import Server
from smelt_lsp.convert import joined
from smelt_lsp.protocol import RequestFailed

if TYPE_CHECKING:  # it brings the parser along, and a client waits for the first answer
    from smelt.editor.readdress import Renaming

MOVABLE = [
    types.FileOperationFilter(types.FileOperationPattern(glob, matches), scheme="file")
    for glob, matches in (
        ("**/*.{sql,yml,yaml,csv}", types.FileOperationPatternKind.File),
        ("**/*", types.FileOperationPatternKind.Folder),
    )
]
"""The files whose paths are names, and the folders they may lie in."""


def register(server: Server) -> None:
    """Offer the features of this module."""
    feature = server.feature
    feature(types.TEXT_DOCUMENT_DEFINITION)(_definition)
    feature(types.TEXT_DOCUMENT_REFERENCES)(_references)
    feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(_highlights)
    feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(_prepare_rename)
    feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(_rename)
    feature(types.WORKSPACE_WILL_RENAME_FILES, types.FileOperationRegistrationOptions(MOVABLE))(_files_will_move)


async def _definition(server: Server, params: types.DefinitionParams) -> list[types.Location]:
    from smelt.editor.definition import definition

    asked = await server.asked(params.text_document.uri, params.position)
    if asked is None:
        return []
    return [asked.converter.location(target) for target in definition(asked.snapshot, asked.file, asked.offset)]


async def _references(server: Server, params: types.ReferenceParams) -> list[types.Location]:
    from smelt.editor.definition import references
    from smelt.editor.targets import Role

    asked = await server.asked_of_all(params.text_document.uri, params.position)
    if asked is None:
        return []
    found = references(asked.snapshot, asked.file, asked.offset)
    defining = params.context.include_declaration
    return [asked.converter.place(one.file, one.span) for one in found if defining or one.role is Role.READS]


async def _highlights(server: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    from smelt.editor.definition import highlights
    from smelt.editor.targets import Role

    asked = await server.asked(params.text_document.uri, params.position)
    if asked is None:
        return []
    kinds = {Role.READS: types.DocumentHighlightKind.Read, Role.DEFINES: types.DocumentHighlightKind.Write}
    return [
        types.DocumentHighlight(asked.converter.range(one.file, one.span), kinds[one.role])
        for one in highlights(asked.snapshot, asked.file, asked.offset)
    ]


async def _prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    from smelt.editor.readdress import NoRename
    from smelt.editor.rename import prepare_rename

    asked = await server.asked(params.text_document.uri, params.position)
    if asked is None:
        return None
    try:
        found = prepare_rename(asked.snapshot, asked.file, asked.offset)
    except NoRename as refused:
        raise RequestFailed(str(refused)) from refused
    return types.PrepareRenamePlaceholder(asked.converter.range(asked.file, found.span), found.name)


async def _rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    from smelt.editor.readdress import NoRename
    from smelt.editor.rename import rename

    asked = await server.asked_of_all(params.text_document.uri, params.position)
    if asked is None:
        return None
    try:
        renaming = rename(asked.snapshot, asked.file, asked.offset, params.new_name)
    except NoRename as refused:
        raise RequestFailed(str(refused)) from refused
    if renaming.files and not server.client.renames_files:
        moves = ", ".join(f"{one.old} to {one.new}" for one in renaming.files)
        raise RequestFailed(f"this editor renames no files by itself: rename {moves}, and the references with it")
    if renaming.beyond:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, renaming.beyond))
    server.moving = _places(asked.snapshot.root, renaming)
    return asked.converter.edit(renaming.edits, [(one.old, one.new) for one in renaming.files])


def _places(root: Path, renaming: "Renaming") -> frozenset[tuple[Place, Place]]:
    return frozenset((Place(root, one.old), Place(root, one.new)) for one in renaming.files)


async def _files_will_move(server: Server, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
    """The edits that follow from files being moved in the editor's tree. They are moved in any case.

    None follow from a move that is part of an answer: that had them, and the editor may ask for it all the same.
    """
    from smelt.editor.moving import moved
    from smelt.editor.readdress import FileRename, NoRename

    by_project: dict[Path, list[tuple[str, FileRename]]] = {}
    for one in params.files:
        old, new = server.place(one.old_uri), server.place(one.new_uri)
        if old is not None and new is not None and (old, new) in server.moving:
            server.moving -= {(old, new)}
        elif old is not None and new is not None and old.root == new.root:
            by_project.setdefault(old.root, []).append((one.old_uri, FileRename(old.file, new.file)))
    edits: list[types.WorkspaceEdit] = []
    for files in by_project.values():
        found = await server.settled(files[0][0])
        if found is None:
            continue
        _, snapshot, converter = found
        try:
            renaming = moved(snapshot, [move for _, move in files])
            if renaming.files and not server.client.renames_files:
                raise NoRename(f"{renaming.files[0].old} would have to move along")
        except NoRename as refused:
            told = f"References keep the old name: {refused}."
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, told))
            continue
        server.moving |= _places(snapshot.root, renaming)
        if renaming.edits or renaming.files:
            edits.append(converter.edit(renaming.edits, [(one.old, one.new) for one in renaming.files]))
    return joined(edits)
