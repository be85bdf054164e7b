"""# FileUnreadable

## What was found

A file of the project is not UTF-8 text, or is too large.

## Why it blocks

What cannot be read cannot be judged.

## Refused

The default project.

## Accepted

The default project.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="FileUnreadable",
    severity=Severity.ERROR,
    message="this file cannot be read: {problem}",
    help="save it as UTF-8 text of less than 10 MB",
    stage="fault",
    witness="none can show it: nothing can be built from such a file",
)
