"""A normal form of SQL texts: equal for two spellings that differ in layout, comments, case or quotes only.

Made from tokens, by our own rules, so that a newer parser does not change what is stored of a model.
"""

from sqlglot.tokenizer_core import TokenType

from smelt.sql.names import written as written_name
from smelt.sql.tokens import SqlError, tokenize
from smelt.text.identifiers import fold, quote_literal
from smelt.text.spans import Span


def canonical(text: str) -> str:
    """The normal form: tokens joined by one space, identifiers folded and quoted only if they must be.

    A text that cannot be read as tokens is returned as it is.
    """
    tokens = tokenize(text, Span(0, len(text)))
    if isinstance(tokens, SqlError):
        return text
    return " ".join(_form(token.kind, token.text, token.span.of(text)) for token in tokens.items)


def _form(kind: TokenType, text: str, written: str) -> str:
    if kind is TokenType.IDENTIFIER:
        return written_name(fold(text))
    if kind is TokenType.STRING:
        return quote_literal(text)
    if kind in (TokenType.NUMBER, TokenType.HEREDOC_STRING, TokenType.BYTE_STRING):
        return written
    return " ".join(fold(written).split())
