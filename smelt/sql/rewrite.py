"""Texts of a document with parts of them replaced."""

from collections.abc import Iterable

from smelt.text.edits import Edit, apply_edits
from smelt.text.spans import Span


def rewrite(text: str, span: Span, replacements: Iterable[tuple[Span, str]]) -> str:
    """The text of ``span`` with each given part of it replaced.

    Raises:
        ValueError: a part lies outside the span, or two overlap.
    """
    edits = [Edit(part.shift(-span.start), new) for part, new in replacements]
    return apply_edits(span.of(text), edits)
