"""A lexer of our own: what is stored of a model must not change when the parser's tokenizer does.

It also says where something was opened and not closed, which sqlglot's tokenizer does not.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple


class PieceKind(StrEnum):
    """What a piece of SQL text is; an ``UNCLOSED_…`` runs to the text's end."""

    STRING = "string"
    NAME = "quoted name"
    NUMBER = "number"
    WORD = "word"
    OPERATOR = "operator"
    UNCLOSED_STRING = "unclosed string"
    UNCLOSED_NAME = "unclosed quoted name"
    UNCLOSED_COMMENT = "unclosed comment"


class Piece(NamedTuple):
    """A piece at ``[start, end)``, prefix and quotes included."""

    kind: PieceKind
    start: int
    end: int


_PIECE = re.compile(
    r"""
      (?P<space>[\s\u200b\ufeff]+|--[^\r\n]*)
    | (?P<comment>/\*)
    | (?P<escaped>[eE]'(?:[^'\\]|''|\\.)*(?P<escaped_end>'?))
    | (?P<string>(?:[xXbBnN](?='))?'(?:[^']|'')*(?P<string_end>'?))
    | (?P<name>"(?:[^"]|"")*(?P<name_end>"?))
    | (?P<dollar>\$(?P<tag>(?:[^\W\d]\w*)?)\$)
    | (?P<number>(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)
    | (?P<word>(?:[^\W\d]|[^\x00-\x7f])(?:\w|\$|[^\x00-\x7f\s\u200b\ufeff])*)
    | (?P<operator>->>|<=>|!~~\*|!~~|~~~|~~\*|~~|!~|\^@|@>|<@|&&|\|\||<<|>>|//|\*\*|::|:=|=>|->|<=|>=|<>|!=|==|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN = {"number": PieceKind.NUMBER, "word": PieceKind.WORD, "operator": PieceKind.OPERATOR}
"""What ends where its match does, whatever follows."""
_COMMENT_EDGE = re.compile(r"/\*|\*/")


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a text in order, without blanks and comments. Nothing is left over, whatever the text is."""
    at = 0
    while (match := _PIECE.match(text, at)) is not None:
        at, piece = _read(text, match)
        if piece is not None:
            yield piece


def line_comments(text: str) -> Iterator[tuple[int, int]]:
    """The ranges ``[start, end)`` of comments that run to their line's end, in order."""
    at = 0
    while (match := _PIECE.match(text, at)) is not None:
        if match["space"] is not None and text.startswith("--", match.start()):
            yield match.span()
        at, _ = _read(text, match)


def comments(text: str) -> Iterator[tuple[int, int]]:
    """The ranges ``[start, end)`` of comments of both kinds, in order; one that is not closed runs to the end."""
    at = 0
    while (match := _PIECE.match(text, at)) is not None:
        behind, _ = _read(text, match)
        if match["comment"] is not None or text.startswith("--", match.start(), match.end()):
            yield match.start(), behind
        at = behind


def _read(text: str, match: re.Match[str]) -> tuple[int, Piece | None]:
    """Where to go on behind a match, and the piece that it begins."""
    kind, (start, end) = match.lastgroup, match.span()
    if kind == "space":
        return end, None
    plain = _PLAIN.get(kind or "")
    if plain is not None:
        return end, Piece(plain, start, end)
    if kind == "comment":
        behind = _comment_end(text, end)
        return behind or len(text), None if behind else Piece(PieceKind.UNCLOSED_COMMENT, start, len(text))
    if kind == "dollar":
        close = text.find(match["dollar"], end)
        behind = close + len(match["dollar"]) if close >= 0 else len(text)
        return behind, Piece(PieceKind.STRING if close >= 0 else PieceKind.UNCLOSED_STRING, start, behind)
    if kind == "name":
        return end, Piece(PieceKind.NAME if match["name_end"] else PieceKind.UNCLOSED_NAME, start, end)
    closed = match["escaped_end"] or match["string_end"]
    return end, Piece(PieceKind.STRING if closed else PieceKind.UNCLOSED_STRING, start, end)


def _comment_end(text: str, at: int) -> int:
    """The offset behind a block comment whose inside begins at ``at``; 0 if it is not closed. Comments nest."""
    depth = 1
    for edge in _COMMENT_EDGE.finditer(text, at):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return 0
