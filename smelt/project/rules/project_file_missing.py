"""# ProjectFileMissing

## What was found

The folder has no `smelt.yml`.

## Why it blocks

A project is a folder with that file.

## Refused

The default project.

## Accepted

The default project.
"""

from smelt.diagnostics.model import Code, Severity

CODE = Code(
    name="ProjectFileMissing",
    severity=Severity.ERROR,
    message="there is no `smelt.yml`",
    help="run `smelt init` to make a project",
    stage="fault",
    witness="none can show it: nothing can be built from such a file",
)
