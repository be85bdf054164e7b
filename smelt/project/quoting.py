"""Texts as they are written in YAML."""

import re

_PLAIN = re.compile(r"[^\W\d][\w.-]*(?: [\w.-]+)*")
_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off"))
"""What some reader of YAML takes for something else than a text."""
_FREE = frozenset(("description", "owner"))


def in_yaml(name: str) -> str:
    """A name as YAML writes it, inside braces too: as it is, if every reader takes that for this text."""
    if _PLAIN.fullmatch(name) and name.lower() not in _WORDS:
        return name
    return '"' + "".join(map(_escaped, name)) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def in_quotes(text: str) -> str:
    """The text in the quotes that it reads best in."""
    return f'"{text}"' if "'" in text and '"' not in text and "\\" not in text else in_single_quotes(text)


def in_single_quotes(text: str) -> str:
    """The text in single quotes, in which only a quote needs to be doubled."""
    return "'" + text.replace("'", "''") + "'"


def is_free_text(key: str | None) -> bool:
    """Whether whatever stands behind a key is a text for people: it can have meant nothing else."""
    return key in _FREE
