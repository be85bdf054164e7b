"""Texts as they are written in YAML."""

_FREE = frozenset(("description", "owner"))


def in_quotes(text: str) -> str:
    """The text in the quotes that it reads best in."""
    return f'"{text}"' if "'" in text and '"' not in text and "\\" not in text else in_single_quotes(text)


def in_single_quotes(text: str) -> str:
    """The text in single quotes, in which only a quote needs to be doubled."""
    return "'" + text.replace("'", "''") + "'"


def is_free_text(key: str | None) -> bool:
    """Whether whatever stands behind a key is a text for people: it can have meant nothing else."""
    return key in _FREE
