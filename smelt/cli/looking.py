"""One part of a check looked at: the findings that comments leave, before anything is filtered."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from smelt.cli.checking import Judged, judged
from smelt.cli.scope import Part


@dataclass(frozen=True, slots=True)
class Look:
    """A part as it was looked at.

    Attributes:
        seen: its project; ``findings`` are those that no comment allows.
        allowed: how many a comment does allow.
    """

    part: Part
    seen: Judged
    allowed: int


def look_at(part: Part, overlay: Mapping[str, str] | None = None) -> Look:
    """Judge the project of a part; see :func:`smelt.cli.checking.judged` for ``overlay``."""
    from smelt.analysis.reported import reported

    seen = judged(part.root, overlay)
    shown = reported(seen.findings, seen.texts)
    return Look(part, replace(seen, findings=shown.findings), shown.allowed)
