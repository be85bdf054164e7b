"""A normal form of SQL texts: equal for two spellings that differ in layout, comments, case or quotes only.

Stored with every maintained table, so it is made by our own lexer: a newer parser must not make every definition
look changed.
"""

from smelt.sql.lexer import Piece, PieceKind, pieces
from smelt.sql.names import written
from smelt.text.identifiers import fold

_FIELD_MARKS = (":=", "=>", ":")


def canonical(text: str) -> str:
    """The normal form: pieces joined by one space, names folded and quoted only if they must be.

    Strings and numbers stay as written, and so does the name of a struct's field, which is part of its type.
    """
    found = list(pieces(text))
    following = [*(text[after.start : after.end] for after in found[1:]), ""]
    return " ".join(_form(text, piece, behind) for piece, behind in zip(found, following, strict=False))


def _form(text: str, piece: Piece, behind: str) -> str:
    kind, start, end = piece
    spelled = text[start:end]
    if behind in _FIELD_MARKS and kind is not PieceKind.OPERATOR:
        return spelled
    if kind is PieceKind.WORD:
        return fold(spelled)
    if kind is PieceKind.NAME:
        return written(fold(spelled[1:-1].replace('""', '"')))
    return spelled
