"""# FileUnreadable

## What was found

A file of the project is not UTF-8 text, is larger than 10 MB, is no regular file, may not be read, or has a name that
is not UTF-8 or holds a control character. The message says which, and for a text in another encoding where its first
foreign byte stands.

## Why it blocks

What cannot be read cannot be judged, and a guess at the encoding would change names in silence.

## Refused

A model saved as Latin-1: `SELECT 'Zürich' AS city` then holds the byte `FC`, which is no UTF-8.

## Accepted

The same text saved as UTF-8, with or without a byte order mark.
"""

from collections.abc import Iterator, Mapping

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.text.spans import Span

CODE = Code(
    name="FileUnreadable",
    severity=Severity.ERROR,
    message="this file cannot be read: {problem}",
    help="save it as UTF-8 text of less than 10 MB that you may read, under a name without control characters",
    stage="fault",
    witness="none can show it: nothing can be built from such a file",
)


def findings(unreadable: Mapping[str, str]) -> Iterator[Diagnostic]:
    """One finding for each file; its text is missing, so all of them stand at its beginning."""
    for path, problem in sorted(unreadable.items()):
        yield report(CODE, Location(path, Span(0, 0)), problem=problem)
