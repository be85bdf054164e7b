"""Paths of keys as messages print them."""

from smelt.project.model import KeyPath


def shown(path: KeyPath) -> str:
    """``columns[2].type``; ``the document`` for the empty path."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "the document"
