"""Replacing parts of a text."""

from collections.abc import Iterable
from dataclasses import dataclass

from smelt.text.spans import Span


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Put ``text`` in the place of ``span``; an empty span inserts."""

    span: Span
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; what lies outside them stays as it is.

    Raises:
        ValueError: two edits overlap, or one lies outside the text.
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(set(edits)):
        if edit.span.start < at or edit.span.end > len(text) or edit.span.end < edit.span.start:
            raise ValueError(f"edit {edit.span} overlaps another or lies outside the text")
        pieces += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    pieces.append(text[at:])
    return "".join(pieces)
