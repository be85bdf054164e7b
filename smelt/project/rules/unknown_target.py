"""# UnknownTarget

## What was found

`default_target:` or a model's `target:` names a target that `targets:` lacks.

## Why it blocks

A run would not know where to build.

## Refused

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: prod
```

## Accepted

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
```
"""

from collections.abc import Collection, Iterator

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.project.quoting import in_yaml
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, is_slip, nearest

CODE = Code(
    name="UnknownTarget",
    severity=Severity.ERROR,
    message="there is no target `{target}`",
    help="{suggestion}",
    witness="none can show it: there is no place to build in",
)


def check(location: Location, target: str, written: object, targets: Collection[str]) -> Iterator[Diagnostic]:
    """The name of a target that ``targets:`` lacks; ``written`` is that name as messages may show it."""
    if target in targets:
        return
    suggestion = did_you_mean(target, targets) or "known targets: " + ", ".join(targets)
    close = nearest(target, targets)
    fixes = []
    if len(close) == 1:
        fixes.append(
            Fix(
                f"Write {close[0]}",
                is_slip(target, close[0]),
                (FileEdit(location.file, Edit(location.span, in_yaml(close[0]))),),
            )
        )
    yield report(CODE, location, target=written, suggestion=suggestion, fixes=fixes)
