"""What an editor asks about a place in a file: each request answered from the editor layer.

What brings the parser along is imported by the handler that needs it: a client waits for the first answer.
"""

from collections.abc import Sequence

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from smelt.editor.actions import FIX_ALL, QUICK_FIX, Action, fix_all, quick_fixes
from smelt.editor.snapshot import Place, Snapshot
from smelt_lsp.convert import Client, Converter


class Server(LanguageServer):
    """What the features need of the server."""

    client: Client

    async def snapshot(self, uri: str) -> tuple[Place, Snapshot, Converter] | None:
        """The present look at the project of a document; None if it has none."""
        raise NotImplementedError


def register(server: Server) -> None:
    """Offer the features of this module."""
    feature = server.feature
    feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    feature(types.TEXT_DOCUMENT_DEFINITION)(_definition)
    kinds = types.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL])
    feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_actions)


async def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    from smelt.editor.hover import hover

    found = await server.snapshot(params.text_document.uri)
    if found is None:
        return None
    place, snapshot, converter = found
    told = hover(snapshot, place.file, converter.offset(place.file, params.position))
    return converter.hover(place.file, told) if told is not None else None


async def _definition(server: Server, params: types.DefinitionParams) -> list[types.Location]:
    from smelt.editor.definition import definition

    found = await server.snapshot(params.text_document.uri)
    if found is None:
        return []
    place, snapshot, converter = found
    offset = converter.offset(place.file, params.position)
    return [converter.location(target) for target in definition(snapshot, place.file, offset)]


async def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    found = await server.snapshot(params.text_document.uri)
    if found is None or not server.client.actions:
        return []
    place, snapshot, converter = found
    only = params.context.only
    actions: list[Action] = []
    if _wanted(QUICK_FIX, only):
        actions += quick_fixes(snapshot, place.file, converter.span(place.file, params.range))
    if _wanted(FIX_ALL, only) and (every := fix_all(snapshot, place.file)) is not None:
        actions.append(every)
    return [converter.action(action) for action in actions]


def _wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether the client asks for actions of a kind: all, this one, or one of the kinds above it."""
    asked = [one.value if isinstance(one, types.CodeActionKind) else one for one in only or ()]
    return not asked or any(one in ("", kind) or kind.startswith(f"{one}.") for one in asked)
