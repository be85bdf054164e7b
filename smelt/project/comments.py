"""Comments in YAML, which its parser drops."""

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"(?:(?<=[\r\n \t])|\A)#[^\r\n]*")


def yaml_comments(text: str) -> Iterator[tuple[int, int]]:
    """The ranges ``[start, end)`` of the comments of a YAML text, in order; of a broken one those before the break.

    A ``#`` inside a quoted text or a block of text is none.
    """
    import yaml  # most checks meet no such comment

    loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    scalars: list[tuple[int, int]] = []
    stop = len(text)
    try:
        for token in yaml.scan(text, Loader=loader):
            if isinstance(token, yaml.ScalarToken):
                scalars.append((token.start_mark.index, token.end_mark.index))
    except (yaml.YAMLError, UnicodeError):
        stop = scalars[-1][1] if scalars else 0
    at = 0
    for start, end in (*scalars, (stop, stop)):
        while (comment := _COMMENT.search(text, at, stop)) is not None and comment.start() < start:
            yield comment.span()
            at = comment.end()
        at = max(at, end)
