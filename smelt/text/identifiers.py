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


_LETTERS = 3
"""Of fewer letters, one is too much of a name for another one to be a slip."""

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
    """Whether ``written`` can hardly be but ``name`` with a slip of the pen: near enough to be corrected unasked.

    One letter is missing, too many, another one, or has changed places with the next: ``teir`` is ``tier``. Two slips
    can be another word: ``updated_by`` is no ``updated_at``. So is another number: ``amount_1`` is no ``amount_2``.
    """
    one, other = _apart(fold(written), fold(name))
    one, other = (text[::-1] for text in _apart(one[::-1], other[::-1]))
    if any(map(str.isdigit, one + other)) or min(len(written), len(name)) < _LETTERS:
        return not one and not other
    return len(one) <= 1 >= len(other) or (len(one) == 2 and one == other[::-1])


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two texts without what both begin with."""
    same = 0
    while one[same : same + 1] == other[same : same + 1] != "":
        same += 1
    return one[same:], other[same:]


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """A help sentence that offers the nearest names, or the empty string."""
    close = nearest(name, candidates)
    if not close:
        return ""
    return "did you mean " + " or ".join(f"`{candidate}`" for candidate in close) + "?"
