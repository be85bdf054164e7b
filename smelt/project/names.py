"""Lists of which one element may be written without brackets."""

from collections.abc import Iterable


def listed(names: str | Iterable[str]) -> tuple[str, ...]:
    """``customer_id`` and ``[customer_id]`` are the same."""
    return (names,) if isinstance(names, str) else tuple(names)
