"""What a measurement must come to: a row of the table of results, with its verdict."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Bar:
    """The most that something may cost, as a share of something else or in its own unit; ``stretch`` is the wish."""

    most: float
    stretch: float | None = None

    def verdict(self, found: float) -> str:
        """Met or missed, said so that nobody overlooks it."""
        if found > self.most:
            return f"MISSED by {found / self.most:.2f}×"
        return "stretch met" if self.stretch is not None and found <= self.stretch else "met"


AGAINST_RECOMPUTE = {
    1_000: Bar(1 / 35, 1 / 60),
    10_000: Bar(1 / 14, 1 / 30),
    100_000: Bar(1 / 6, 1 / 12),
    1_000_000: Bar(1.1),
}
"""By events in the window; for ten million events of history."""

AGAINST_FLOOR = {1_000: Bar(3.5, 2), 10_000: Bar(7.5, 3), 100_000: Bar(7.5, 3)}
"""By events in the window; for ten million events of history."""

DECIDING = Bar(0.060)
GROWTH_WITH_HISTORY = Bar(0.6)
GROWTH_WITH_WINDOW = Bar(0.45)
LONG_KEYS = Bar(1.3)
ONE_LONG_KEY = Bar(1.3)
LAST_WINDOWS = Bar(1.15)
FILE_GROWTH = Bar(1.8)
SAME_WINDOW = Bar(1.2)


def paired(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios within each round, which what else the machine does disturbs least."""
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def share(ratio: float) -> str:
    """A ratio as people say it: a fraction below one half."""
    return f"1/{1 / ratio:.1f}" if ratio < 0.5 else f"{ratio:.2f}"
