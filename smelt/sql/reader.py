"""The one place where sqlglot's parser is called, and where what it raises becomes an error with a position."""

import difflib
import sys

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokenizer_core import Token as RawToken
from sqlglot.tokenizer_core import TokenType

from smelt.sql.tokens import SqlError, Tokens
from smelt.text.spans import Span

_FRAMES = 10_000
"""The parser takes up to 28 frames for each bracket and 11 for each operator, of as many as
:mod:`smelt.sql.limits` lets pass: with Python's own 1,000 its answer would depend on who asks, from 18 calls in calls
on. So many frames take less than 2 MB of the stack."""
# Once, when this is imported, for the parser and every walk over its trees: to raise it for each query and lower it
# afterwards would pull the limit from under another thread.
sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))

_KEYWORDS = (
    "FROM", "WHERE", "QUALIFY", "WINDOW", "PARTITION", "OVER", "ORDER", "GROUP", "HAVING", "LIMIT", "OFFSET", "JOIN",
    "UNION", "EXCEPT", "INTERSECT", "BETWEEN", "DISTINCT",
)  # fmt: skip
_BEHIND_ALIAS = {"FROM", "WHERE", "QUALIFY", "WINDOW", "JOIN", "HAVING", "LIMIT"}


def tree_of(text: str, span: Span, raw: list[RawToken], tokens: Tokens) -> exp.Expression | SqlError:
    """sqlglot's tree of the query in ``span``; ``raw`` and ``tokens`` are the same tokens, and not empty."""
    try:
        trees = DuckDB().parser().parse(raw, span.of(text))
    except ParseError as error:
        return _parse_error(raw, tokens, error)
    except (SqlglotError, TypeError, ValueError, AttributeError, IndexError, KeyError):
        # The compiled parser raises these on broken text where the pure one raises a ParseError.
        return SqlError(tokens[len(tokens) - 1].span, "the query cannot be read")
    except RecursionError:
        return SqlError(tokens[0].span, "the query is nested too deeply")
    tree = trees[0] if trees else None
    if not isinstance(tree, exp.Expression):
        return SqlError(tokens.span(0, len(tokens)), "there is no query")
    return tree


def _parse_error(raw: list[RawToken], tokens: Tokens, error: ParseError) -> SqlError:
    detail = error.errors[0] if error.errors else {}
    place = (detail.get("line"), detail.get("col"))
    last = len(tokens) - 1
    index = next((i for i, token in enumerate(raw) if (token.line, token.col) == place), last)
    shown = tokens[index].text
    if index > 1 and tokens.kind(index - 2) is TokenType.ALIAS and tokens[index - 1].upper in _BEHIND_ALIAS:
        return SqlError(tokens[index - 2].span, "no name follows AS")
    typo = _misspelled(tokens, index) or _misspelled(tokens, index - 1)
    if typo is not None:
        return typo
    description = str(detail.get("description") or "").lower()
    if index == last and not description.startswith("invalid expression"):
        return SqlError(tokens[index].span, f"the query breaks off behind `{shown}`")
    if "expected table name" in description:
        return SqlError(tokens[index].span, f"a relation is missing before `{shown}`")
    return SqlError(tokens[index].span, f"`{shown}` cannot stand here")


def _misspelled(tokens: Tokens, index: int) -> SqlError | None:
    """An error on a name that looks like a keyword: ``FORM t``, ``WERE a = 1``."""
    if tokens.kind(index) is not TokenType.VAR or not 0 < index < len(tokens) - 1:
        return None
    if tokens[index].upper in _KEYWORDS:
        return SqlError(tokens[index - 1].span, f"no name stands behind `{tokens[index - 1].text}`")
    like = difflib.get_close_matches(tokens[index].upper, _KEYWORDS, n=1, cutoff=0.75)
    return (
        SqlError(tokens[index].span, f"`{tokens[index].text}` is no keyword; it looks like {like[0]}") if like else None
    )
