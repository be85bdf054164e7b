"""Where what a query gives depends on columns' names that it does not spell, or spells where they are no columns."""

from sqlglot.tokenizer_core import TokenType

from smelt.sql.outline import Outline
from smelt.sql.tokens import Tokens

_WORDS = {
    "PIVOT": "PIVOT",
    "PIVOT_WIDER": "PIVOT",
    "UNPIVOT": "UNPIVOT",
    "PIVOT_LONGER": "UNPIVOT",
    "NATURAL": "NATURAL JOIN",
}
_PATTERNS = {"LIKE", "ILIKE", "GLOB", "SIMILAR", "NOT"}


def unseen_names(queries: Outline) -> str | None:
    """The first part of a query that uses names in such a way, as SQL calls it; None if there is none."""
    found = (_at(queries.tokens, index) for index in range(len(queries.tokens)))
    return next((one for one in found if one is not None), None)


def _at(tokens: Tokens, index: int) -> str | None:
    word = _word(tokens, index)
    if word in _WORDS:
        return _WORDS[word]
    if word == "COLUMNS" and tokens.kind(index + 1) is TokenType.L_PAREN:
        return None if tokens.kind(index + 2) is TokenType.STAR else "COLUMNS"
    if word == "NAME" and _word(tokens, index - 1) == "BY":
        return "UNION BY NAME" if {_word(tokens, index - 2), _word(tokens, index - 3)} & {"UNION"} else None
    if tokens.kind(index) is TokenType.STAR and _word(tokens, index + 1) in _PATTERNS:
        return "a star with a pattern"
    return None


def _word(tokens: Tokens, index: int) -> str:
    """A word in upper case; empty where there is none, or one in quotes."""
    if not 0 <= index < len(tokens):
        return ""
    token = tokens[index]
    return token.upper if token.end - token.start == len(token.text) else ""
