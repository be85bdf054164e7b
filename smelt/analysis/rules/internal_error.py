"""# InternalError

## What was found

smelt itself failed while it looked at a project. It is no fault of the file that shows it.

## Why it blocks

What could not be looked at is not known to be right, so it must not look clean: this finding stands in for all others
until smelt can read the project again.

## Refused

```console
error[InternalError]: smelt failed while it looked at this project: RecursionError
```

## Accepted

Any later edit is looked at anew. The log of the language server has the traceback to report.
"""

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.text.spans import Span

CODE = Code(
    name="InternalError",
    severity=Severity.ERROR,
    message="smelt failed while it looked at this project: {fault}",
    help="report it with the traceback from the language server's log",
    stage="fault",
    witness="no data shows it: it takes a fault of smelt itself",
)


def finding(file: str, fault: Exception) -> Diagnostic:
    """The finding at the start of a file whose project could not be looked at."""
    return report(CODE, Location(file, Span(0, 0)), fault=type(fault).__name__)
