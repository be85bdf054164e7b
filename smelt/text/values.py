"""Values of data in messages."""


def on_one_line(value: object) -> str:
    """A value as text, its line ends and other control characters escaped; ``NULL`` for none."""
    text = "NULL" if value is None else str(value)
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
