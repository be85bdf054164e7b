"""Where a model's frontmatter ends and its query begins."""

import re
from dataclasses import dataclass

from smelt.text.spans import Span

_LINE_END = r"(?:\r\n|\r|\n)"
# Possessive: of millions of blank lines no way back is kept in memory.
_OPENING = re.compile(rf"\ufeff?(?:[ \t]*+{_LINE_END})*+(?P<fence>---)[ \t]*(?P<end>{_LINE_END}|\Z)")
_CLOSING = re.compile(rf"(?:\A|(?<=[\r\n]))---[ \t]*(?:{_LINE_END}|\Z)")


@dataclass(frozen=True, slots=True)
class Split:
    """A model's text in two.

    ``yaml`` is None without frontmatter; ``unclosed`` is the opening fence of one without an end, and then there is
    no query either: where it begins cannot be told.
    """

    yaml: Span | None
    sql: Span
    unclosed: Span | None = None


def split(text: str) -> Split:
    """The spans of frontmatter and query.

    Frontmatter stands between two lines ``---``, the first of which is the first line that is not blank. A byte order
    mark at the start belongs to neither part.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return Split(None, Span(1 if text.startswith("\ufeff") else 0, len(text)))
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return Split(None, Span(len(text), len(text)), Span(*opening.span("fence")))
    return Split(Span(opening.end(), closing.start()), Span(closing.end(), len(text)))
