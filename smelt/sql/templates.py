"""Templates, ``{{ ref('a') }}`` and ``{% if b %}``: a model has none, and what is in them is no SQL."""

from collections.abc import Iterator

from sqlglot.tokenizer_core import TokenType

from smelt.sql.tokens import SqlError, Tokens

_IN_BRACES = "write smelt.<model> or smelt.sources.<source> for a relation; settings go into the frontmatter"
_IN_BLOCK = "write the query over all rows: with `refresh: incremental`, a run reads the new ones alone"


def templates(tokens: Tokens) -> Iterator[SqlError]:
    """An error for each template, over all of it."""
    for index in tokens.of_kind(TokenType.BLOCK_START, TokenType.L_BRACE):
        close = tokens.partner[index]
        if tokens.kind(index) is TokenType.BLOCK_START:
            end = next((at for at in range(index, len(tokens)) if tokens.kind(at) is TokenType.BLOCK_END), index)
            yield SqlError(tokens.span(index, end + 1), "this is a template, not SQL", _IN_BLOCK)
        elif tokens.kind(index) is TokenType.L_BRACE and _is_doubled(tokens, index, close):
            yield SqlError(tokens.span(index, close + 1), "this is a template, not SQL", _IN_BRACES)


def _is_doubled(tokens: Tokens, opening: int, closing: int) -> bool:
    """Whether a pair of braces holds nothing but another: ``MAP {{'a': 1}: 2}`` is SQL."""
    return (
        closing > opening + 2
        and tokens.partner[opening + 1] == closing - 1
        and tokens[opening].end == tokens[opening + 1].start
        and tokens[closing - 1].end == tokens[closing].start
    )
