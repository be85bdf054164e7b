"""The parts of files and projects, by name and by line: each request answered from the editor layer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from smelt_lsp.asking import Server
from smelt_lsp.convert import Converter

if TYPE_CHECKING:  # it brings the parser along, and a client waits for the first answer
    from smelt.editor.symbols import Symbol

_KINDS = {
    "model": types.SymbolKind.Class,
    "source": types.SymbolKind.Interface,
    "seed": types.SymbolKind.Array,
    "column": types.SymbolKind.Field,
    "cte": types.SymbolKind.Struct,
    "key": types.SymbolKind.Key,
}
_FOLDS = {"comment": types.FoldingRangeKind.Comment, "region": None}


def register(server: Server) -> None:
    """Offer the features of this module."""
    feature = server.feature
    feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(_symbols)
    feature(types.WORKSPACE_SYMBOL)(_project_symbols)
    feature(types.TEXT_DOCUMENT_FOLDING_RANGE)(_folds)
    feature(types.TEXT_DOCUMENT_SELECTION_RANGE)(_selections)


async def _symbols(
    server: Server, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    from smelt.editor.symbols import document_symbols

    found = await server.snapshot(params.text_document.uri)
    if found is None:
        return []
    place, snapshot, converter = found
    symbols = document_symbols(snapshot, place.file)
    if server.client.nests_symbols:
        return [_symbol(converter, place.file, symbol) for symbol in symbols]
    return list(_flat(converter, place.file, symbols, None))


def _symbol(converter: Converter, file: str, symbol: "Symbol") -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=converter.range(file, symbol.span),
        selection_range=converter.range(file, symbol.name_span),
        detail=symbol.detail or None,
        children=[_symbol(converter, file, child) for child in symbol.children],
    )


def _flat(
    converter: Converter, file: str, symbols: Sequence["Symbol"], container: str | None
) -> list[types.SymbolInformation]:
    listed: list[types.SymbolInformation] = []
    for symbol in symbols:
        place = converter.place(file, symbol.name_span)
        listed.append(types.SymbolInformation(place, symbol.name, _KINDS[symbol.kind], container_name=container))
        listed += _flat(converter, file, symbol.children, symbol.name)
    return listed


async def _project_symbols(server: Server, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    from smelt.editor.symbols import project_symbols

    return [
        types.SymbolInformation(
            converter.location(symbol.location),
            symbol.name,
            _KINDS[symbol.kind],
            container_name=symbol.container or None,
        )
        for snapshot, converter in await server.snapshots()
        for symbol in project_symbols(snapshot, params.query)
    ]


async def _folds(server: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    from smelt.editor.ranges import folds

    found = await server.snapshot(params.text_document.uri)
    if found is None:
        return []
    place, snapshot, _ = found
    return [
        types.FoldingRange(one.first - 1, one.last - 1, kind=_FOLDS[one.kind]) for one in folds(snapshot, place.file)
    ]


async def _selections(server: Server, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    from smelt.editor.ranges import selections

    found = await server.snapshot(params.text_document.uri)
    if found is None:
        return []
    place, snapshot, converter = found
    answers: list[types.SelectionRange] = []
    for position in params.positions:
        around: types.SelectionRange | None = None
        for span in reversed(selections(snapshot, place.file, converter.offset(place.file, position))):
            around = types.SelectionRange(converter.range(place.file, span), around)
        if around is not None:
            answers.append(around)
    return answers
