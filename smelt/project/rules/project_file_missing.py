"""# ProjectFileMissing

## What was found

Neither the folder nor any above it has a `smelt.yml`.

## Why it blocks

That file makes a folder a project: it says where models lie and where to build.

## Refused

A folder with nothing but `models/customer_history.sql`.

## Accepted

The same folder with a `smelt.yml` of three lines:

    name: shop
    targets:
      dev: {type: duckdb, database: target/dev.duckdb}
"""

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.project.layout import PROJECT_FILE
from smelt.text.spans import Span

CODE = Code(
    name="ProjectFileMissing",
    severity=Severity.ERROR,
    message="there is no `smelt.yml`",
    help="run `smelt init` to make a project",
    stage="fault",
    witness="none can show it: nothing can be built from such a folder",
)


def finding() -> Diagnostic:
    """A folder that is no project."""
    return report(CODE, Location(PROJECT_FILE, Span(0, 0)))
