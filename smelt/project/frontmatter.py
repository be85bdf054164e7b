"""Where a model's frontmatter ends and its query begins."""

import re
from dataclasses import dataclass

from smelt.text.spans import Span

_FENCE = re.compile(r"---[ \t]*(?=\r\n|\r|\n|\Z)")
_LINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Split:
    """A model's text in two.

    ``yaml`` is None without frontmatter; ``unclosed`` is the opening fence of one without an end.
    """

    yaml: Span | None
    sql: Span
    unclosed: Span | None = None


def split(text: str) -> Split:
    """The spans of frontmatter and query; a byte order mark at the start belongs to neither."""
    start = 1 if text.startswith("\ufeff") else 0
    opening = _FENCE.match(text, start)
    if opening is None:
        return Split(None, Span(start, len(text)))
    line = _LINE.match(text, opening.end())
    if line is None:
        return Split(None, Span(len(text), len(text)), Span(start, opening.end()))
    body = at = line.end()
    while at <= len(text):
        closing = _FENCE.match(text, at)
        if closing is not None:
            end = _LINE.match(text, closing.end())
            return Split(Span(body, at), Span(end.end() if end else len(text), len(text)))
        following = _LINE.search(text, at)
        if following is None:
            break
        at = following.end()
    return Split(None, Span(len(text), len(text)), Span(start, opening.end()))
