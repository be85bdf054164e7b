"""SQL identifiers as DuckDB treats them, and names that look alike."""

import difflib
import heapq
from collections.abc import Iterable

_ASCII_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def fold(name: str) -> str:
    """The name under which DuckDB compares it: ASCII letters in lower case, the rest as it is."""
    return name.lower() if name.isascii() else name.translate(_ASCII_LOWER)


def quote(name: str) -> str:
    """The name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(value: str) -> str:
    """The value as a SQL string literal."""
    return "'" + value.replace("'", "''") + "'"


_SLIP = 0.7
"""``teir`` is ``tier`` (0.75) and ``chnges`` is ``changes``; ``gone`` is no ``region`` (0.6)."""


_LOOKED_AT = 200
"""Of so many names each is compared letter by letter."""


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The candidates that look most like ``name``, best first; maybe none.

    Upper and lower case do not count, and a shared last dotted segment counts as alike.
    """
    folded: dict[str, str] = {}
    for candidate in candidates:
        folded.setdefault(fold(candidate), candidate)
    wanted = fold(name)
    close = difflib.get_close_matches(wanted, _promising(wanted, folded), n=limit, cutoff=0.6)
    tail = wanted.rpartition(".")[2]
    tails = [key for key in folded if key.rpartition(".")[2] == tail and key not in close]
    return tuple(folded[key] for key in (*close, *tails)[:limit])


def _promising(wanted: str, names: Iterable[str]) -> Iterable[str]:
    """Of very many names those that share most pairs of letters: to look closely at each costs too much."""
    listed = list(names)
    if len(listed) <= _LOOKED_AT:
        return listed
    pairs = {wanted[at : at + 2] for at in range(len(wanted) - 1)}
    return heapq.nlargest(_LOOKED_AT, listed, key=lambda name: sum(pair in name for pair in pairs))


def is_slip(written: str, name: str) -> bool:
    """Whether ``written`` can hardly be but ``name`` with a slip of the pen: near enough to be corrected unasked."""
    return difflib.SequenceMatcher(None, fold(written), fold(name)).ratio() >= _SLIP


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A help sentence that offers the nearest names, or the empty string."""
    close = nearest(name, candidates)
    if not close:
        return ""
    return "did you mean " + " or ".join(f"`{candidate}`" for candidate in close) + "?"
