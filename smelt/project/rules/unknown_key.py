"""# UnknownKey

## What was found

A key that the grammar of this file does not have. Inside `{}` that may be the rest of a text: a comma ends a text that
has no quotes.

## Why it blocks

A key that nobody reads is a wish that nobody hears: most are typing errors.

## Refused

```sql models/m.sql
---
refesh: full
---
SELECT 1 AS one
```

## Accepted

```sql models/m.sql
---
refresh: full
---
SELECT 1 AS one
```
"""

from collections.abc import Collection, Iterable

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.project.quoting import in_quotes
from smelt.project.yaml_stop import excerpt
from smelt.text.edits import Edit
from smelt.text.identifiers import did_you_mean, is_slip, nearest
from smelt.text.spans import Span

CODE = Code(
    name="UnknownKey",
    severity=Severity.ERROR,
    message="there is no key `{key}` here",
    help="{suggestion}",
    witness="none can show it: nothing can be built from such a file",
)


def finding(location: Location, key: str, known: Iterable[str], taken: Collection[str] = ()) -> Diagnostic:
    """An unknown key, with the nearest known one.

    Args:
        location: the key.
        key: as written.
        known: the keys that could stand there.
        taken: those that already do; they are not what was meant.
    """
    free = [name for name in known if name not in taken]
    name, colon, rest = key.partition(":")
    if colon and rest and name in free:
        at = location.span.start + len(name) + 1
        space = FileEdit(location.file, Edit(Span(at, at), " "))
        suggestion = f"a colon needs a space behind it: `{name}: {rest}`"
        fix = Fix("Put a space behind the colon", True, (space,))
        return report(CODE, location, key=key, suggestion=suggestion, fixes=(fix,))
    suggestion = did_you_mean(key, free) or "known keys: " + ", ".join(free)
    return report(CODE, location, key=key, suggestion=suggestion, fixes=_fix(location, key, free))


def cut(location: Location, key: str, written: str, *, certain: bool) -> Diagnostic:
    """A key that is the rest of a text, cut off by a comma.

    Args:
        location: the whole text.
        key: the rest of it.
        written: the whole text.
        certain: whether it can have meant nothing else.
    """
    suggestion = f"inside `{{}}` a text with a comma needs quotes: {in_quotes(excerpt(written))}"
    edit = FileEdit(location.file, Edit(location.span, in_quotes(written)))
    return report(
        CODE, location, key=key, suggestion=suggestion, fixes=(Fix("Put the text in quotes", certain, (edit,)),)
    )


def _fix(location: Location, key: str, free: Iterable[str]) -> tuple[Fix, ...]:
    close = nearest(key, free)
    if len(close) != 1:
        return ()
    return (
        Fix(f"Write {close[0]}", is_slip(key, close[0]), (FileEdit(location.file, Edit(location.span, close[0])),)),
    )
