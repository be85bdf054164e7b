"""What an editor asks about a place in a file: each request answered from the editor layer.

What brings the parser along is imported by the handler that needs it: a client waits for the first answer.
"""

from collections.abc import Sequence

from lsprotocol import types

from smelt.editor.actions import FIX_ALL, QUICK_FIX, Action, fix_all, quick_fixes
from smelt_lsp import navigation, parts
from smelt_lsp.asking import Server


def register(server: Server) -> None:
    """Offer every feature that answers about a place in a file."""
    navigation.register(server)
    parts.register(server)
    feature = server.feature
    feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    kinds = types.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL])
    feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_actions)


async def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    from smelt.editor.hover import hover

    asked = await server.asked(params.text_document.uri, params.position)
    told = hover(asked.snapshot, asked.file, asked.offset) if asked is not None else None
    return asked.converter.hover(asked.file, told) if asked is not None and told is not None else None


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
