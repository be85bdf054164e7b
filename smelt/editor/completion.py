"""One thing that an editor can offer to write."""

from dataclasses import dataclass
from enum import StrEnum

from smelt.text.spans import Span


class CompletionKind(StrEnum):
    """What sort of thing is offered."""

    MODEL = "model"
    SOURCE = "source"
    SEED = "seed"
    COLUMN = "column"
    ALIAS = "alias"
    KEYWORD = "keyword"
    KEY = "key"
    VALUE = "value"
    SNIPPET = "snippet"


@dataclass(frozen=True, slots=True)
class Completion:
    """One thing to write.

    Attributes:
        label: what the list shows.
        text: what takes the place of ``span``.
        span: what is written of it already, up to the cursor.
        detail: a few words behind the label.
        meaning: a sentence or more, as Markdown.
        snippet: the same text with places to fill in, in the protocol's notation; empty if it has none.
        rank: lower ones come first.
    """

    label: str
    kind: CompletionKind
    text: str
    span: Span
    detail: str = ""
    meaning: str = ""
    snippet: str = ""
    rank: int = 5
