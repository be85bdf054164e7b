"""# UnknownReference

## What was found

A query reads something that is neither an address of this project nor made by the query itself.

## Why it blocks

A run would fail, or read a relation whose facts nobody declared.

## Refused

```sql models/m.sql
SELECT customer_id FROM smelt.sources.customer_change
```

## Accepted

```sql models/m.sql
SELECT customer_id FROM smelt.sources.customer_changes
```
"""

from smelt.diagnostics.model import Code, Diagnostic, FileEdit, Fix, Location, Severity, report
from smelt.project.addresses import AddressBook
from smelt.project.model import Address
from smelt.project.quoting import in_yaml
from smelt.sql.model import Relation
from smelt.sql.names import written
from smelt.text.edits import Edit
from smelt.text.identifiers import is_slip, nearest

CODE = Code(
    name="UnknownReference",
    severity=Severity.ERROR,
    message="`{name}` is no {kinds} of this project",
    help="{suggestion}",
    witness="none can show it: there is no relation to read",
)
_ANY = "model, source or seed"


def in_query(file: str, relation: Relation, book: AddressBook, own: Address) -> Diagnostic:
    """A relation in ``FROM`` of the model ``own`` that is neither an address nor made by the query.

    A near address is offered, but never the model's own: it cannot read itself. Writing it is safe if an address was
    meant, else it may read something else.
    """
    location = Location(file, relation.name_span)
    name = ".".join(relation.parts)
    if relation.kind == "function":
        suggestion = "declare a source with `files:`, and read it as smelt.<address>"
        return report(CODE, location, name=name, kinds=_ANY, suggestion=suggestion)
    wanted = ".".join(relation.parts[1:]) if relation.is_address else name
    close = [address for address in _near(wanted, book) if address != own]
    suggestion = _did_you_mean([address.sql for address in close])
    return report(
        CODE,
        location,
        name=name,
        kinds=_ANY,
        suggestion=suggestion or "declare a source, and read it as smelt.<address>",
        fixes=_fix(location, [_written(one) for one in close], safe=relation.is_address and _is_slip(wanted, close)),
    )


def in_declaration(location: Location, name: str, book: AddressBook, kinds: str = _ANY) -> Diagnostic:
    """An address in YAML that nothing has; ``kinds`` are those that could stand there."""
    close = [str(address) for address in _near(name.removeprefix("smelt."), book)]
    suggestion = _did_you_mean(close) or "`smelt list` shows the addresses there are"
    return report(
        CODE,
        location,
        name=name,
        kinds=kinds,
        suggestion=suggestion,
        fixes=_fix(location, [in_yaml(one) for one in close], safe=True),
    )


def _near(name: str, book: AddressBook) -> list[Address]:
    found = (book.find(close) for close in nearest(name, book.names()))
    return [address for address in found if address is not None]


def _is_slip(written: str, close: list[Address]) -> bool:
    """Whether the last segments are alike too: ``sources.b`` is near ``sources.a``, but no slip of the pen for it."""
    return any(is_slip(written.rpartition(".")[2], address.segments[-1]) for address in close)


def _did_you_mean(names: list[str]) -> str:
    return "did you mean " + " or ".join(f"`{name}`" for name in names) + "?" if names else ""


def _fix(location: Location, close: list[str], *, safe: bool) -> list[Fix]:
    if len(close) != 1:
        return []
    return [Fix(f"Write {close[0]}", safe, (FileEdit(location.file, Edit(location.span, close[0])),))]


def _written(address: Address) -> str:
    """The address as a query has to write it."""
    return ".".join(written(part) for part in ("smelt", *address.segments))
