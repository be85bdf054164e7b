"""What an editor asks about a place in a file: each request answered from the editor layer.

What brings the parser along is imported by the handler that needs it: a client waits for the first answer.
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from smelt.editor.actions import FIX_ALL, QUICK_FIX, Action, fix_all, quick_fixes
from smelt.text.spans import Span
from smelt_lsp import navigation, parts
from smelt_lsp.asking import Asked, Server

if TYPE_CHECKING:  # it brings the parser along
    from smelt.editor.completion import Completion

_TRIGGERS = [".", "{"]
_KINDS = {
    "model": types.CompletionItemKind.Class,
    "source": types.CompletionItemKind.Interface,
    "seed": types.CompletionItemKind.Value,
    "column": types.CompletionItemKind.Field,
    "alias": types.CompletionItemKind.Variable,
    "keyword": types.CompletionItemKind.Keyword,
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "snippet": types.CompletionItemKind.Snippet,
}


def register(server: Server) -> None:
    """Offer every feature that answers about a place in a file."""
    navigation.register(server)
    parts.register(server)
    feature = server.feature
    feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    kinds = types.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL])
    feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_actions)
    feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))(_completions)
    feature(types.TEXT_DOCUMENT_INLAY_HINT)(_hints)
    feature(types.TEXT_DOCUMENT_CODE_LENS)(_lenses)


async def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    from smelt.editor.data_files import count_files, pattern_at
    from smelt.editor.hover import hover

    asked = await server.asked(params.text_document.uri, params.position)
    if asked is None:
        return None
    pattern = pattern_at(asked.snapshot, asked.file, asked.offset)
    matching = await asyncio.to_thread(count_files, asked.snapshot.root, pattern) if pattern is not None else None
    told = hover(asked.snapshot, asked.file, asked.offset, matching)
    return asked.converter.hover(asked.file, told) if told is not None else None


async def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    found = await server.judged(params.text_document.uri)
    if found is None or not server.client.actions:
        return []
    place, snapshot, converter = found
    only = params.context.only
    actions: list[Action] = []
    if _wanted(QUICK_FIX, only):
        actions += quick_fixes(snapshot, place.file, converter.span(place.file, params.range))
    if _wanted(FIX_ALL, only) and (every := fix_all(snapshot, place.file)) is not None:
        actions.append(every)
    return [converter.action(one) for one in actions if one.creates is None or server.client.creates_files]


def _wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether the client asks for actions of a kind: all, this one, or one of the kinds above it."""
    asked = [one.value if isinstance(one, types.CodeActionKind) else one for one in only or ()]
    return not asked or any(one in ("", kind) or kind.startswith(f"{one}.") for one in asked)


async def _completions(server: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
    from smelt.editor.complete import completions

    asked = await server.asked(params.text_document.uri, params.position)
    if asked is None:
        return []
    found = completions(asked.snapshot, asked.file, asked.offset)
    ranges = {span: asked.converter.range(asked.file, span) for span in {one.span for one in found}}
    return [_completion(server, asked, one, ranges[one.span], place) for place, one in enumerate(found)]


def _completion(
    server: Server, asked: Asked, one: "Completion", where: types.Range, place: int
) -> types.CompletionItem:
    filled = server.client.fills_snippets and one.snippet
    return types.CompletionItem(
        label=one.label,
        kind=_KINDS[one.kind],
        detail=one.detail or None,
        documentation=asked.converter.prose(one.meaning) if one.meaning else None,
        sort_text=f"{place:04}",
        filter_text=one.label,
        insert_text_format=types.InsertTextFormat.Snippet if filled else types.InsertTextFormat.PlainText,
        text_edit=types.TextEdit(where, one.snippet if filled else one.text),
    )


async def _hints(server: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    from smelt.editor.hints import hints

    found = await server.snapshot(params.text_document.uri)
    if found is None:
        return []
    place, snapshot, converter = found
    return [
        types.InlayHint(
            position=converter.range(place.file, Span(one.offset, one.offset)).start,
            label=one.text,
            kind=types.InlayHintKind.Type,
            tooltip=one.meaning,
            padding_left=True,
        )
        for one in hints(snapshot, place.file, converter.span(place.file, params.range))
    ]


async def _lenses(server: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    from smelt.editor.lens import Past, lenses
    from smelt_lsp.past import past_of, target_of

    found = await server.snapshot(params.text_document.uri)
    if found is None:
        return []
    place, snapshot, converter = found
    target, model = target_of(snapshot, place.file), snapshot.addresses.get(place.file)
    past = Past()
    if target is not None and model is not None:
        config = snapshot.project.config if snapshot.project is not None else None
        default = config.default_target if config is not None else target
        past = await asyncio.to_thread(past_of, place.root, target, str(model), default)
    uri = params.text_document.uri
    return [
        types.CodeLens(
            range=converter.range(place.file, one.span),
            command=types.Command(one.title, one.command, arguments=[uri, one.model]),
        )
        for one in lenses(snapshot, place.file, past)
    ]
