"""# VersionUnsupported

## What was found

`require:` in `smelt.yml` does not admit the installed version.

## Why it blocks

Another version may read the project in another way.

## Refused

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
require: ">=99"
```

## Accepted

```yaml smelt.yml
name: shop
version: 1
paths: [models]
targets:
  dev: {type: duckdb, database: target/dev.duckdb}
default_target: dev
require: ">=0.1"
```
"""

import re
from collections.abc import Callable, Iterator, Mapping
from operator import eq, ge, gt, le, lt, ne

from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.project.rules import invalid_value

CODE = Code(
    name="VersionUnsupported",
    severity=Severity.ERROR,
    message="the project asks for smelt {wanted}, and this is {have}",
    help="install a version that fits, or change `require:`",
    witness="none can show it: another version may read the files differently",
)

Version = tuple[int, ...]
_CLAUSE = re.compile(r"\s*(>=|<=|==|!=|~=|>|<)\s*(\d+(?:\.\d+){0,2})\s*")
_COMPARE: Mapping[str, Callable[[Version, Version], bool]] = {
    ">=": ge, "<=": le, "==": eq, "!=": ne, ">": gt, "<": lt,
}  # fmt: skip


def check(location: Location, require: str, written: object, have: str) -> Iterator[Diagnostic]:
    """The range ``require:`` against the version of this build.

    Args:
        location: the value.
        require: clauses such as ``>=0.3``, separated by commas; all must hold.
        written: the value as messages may show it.
        have: this build's version.
    """
    clauses = [_CLAUSE.fullmatch(part) for part in require.split(",")]
    if not all(clauses):
        yield invalid_value.finding(location, ("require",), written, "a range such as >=0.3,<1")
        return
    if not all(_admits(_numbers(have), match[1], match[2]) for match in clauses if match is not None):
        yield report(CODE, location, wanted=written, have=have)


def _numbers(version: str) -> Version:
    numbers = [int(part) for part in re.findall(r"\d+", version)[:3]]
    return (*numbers, 0, 0, 0)[:3]


def _admits(have: Version, operator: str, wanted: str) -> bool:
    if operator == "~=":
        fixed = max(wanted.count("."), 1)
        return have >= _numbers(wanted) and have[:fixed] == _numbers(wanted)[:fixed]
    return _COMPARE[operator](have, _numbers(wanted))
