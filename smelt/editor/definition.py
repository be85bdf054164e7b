"""From a name to where it comes from, and to everywhere else it stands."""

from collections.abc import Iterable

from smelt.diagnostics.model import Location
from smelt.editor.index import Index, is_sql
from smelt.editor.occurrences import at, occurrences
from smelt.editor.scope import Scope
from smelt.editor.snapshot import Snapshot
from smelt.editor.targets import ColumnTarget, LocalTarget, Occurrence, RelationTarget, Role, Target
from smelt.project.layout import PROJECT_FILE
from smelt.text.identifiers import fold
from smelt.text.spans import Span


def definition(snapshot: Snapshot, file: str, offset: int) -> tuple[Location, ...]:
    """Where what is named at ``offset`` is made: a file for an address, a declaration, an item or an alias else."""
    index = Index.of(snapshot)
    if index is None:
        return ()
    found = (place_of(index, one.target) for one in under(index, file, offset))
    return tuple(dict.fromkeys(place for place in found if place is not None))


def references(snapshot: Snapshot, file: str, offset: int) -> tuple[Occurrence, ...]:
    """Every place that means what is named at ``offset``, where it is defined included, by file."""
    index = Index.of(snapshot)
    if index is None:
        return ()
    targets: set[Target] = {one.target for one in under(index, file, offset)}
    own = snapshot.addresses.get(file)
    if not targets and own is not None and _stands_for_all(index, file, offset):
        targets = {RelationTarget(own)}
    return all_of(index, targets)


def _stands_for_all(index: Index, file: str, offset: int) -> bool:
    """Whether a place stands for its whole file: a query's first word, a key at the top of its YAML."""
    tokens = index.outline(file).tokens.items if is_sql(file) else ()
    places = [span for path, span in index.marks(file).keys.items() if len(path) == 1]
    places += [token.span for token in tokens[:1]]
    return any(span.contains(offset) for span in places)


def highlights(snapshot: Snapshot, file: str, offset: int) -> tuple[Occurrence, ...]:
    """The places of this file that mean what is named at ``offset``."""
    index = Index.of(snapshot)
    if index is None:
        return ()
    wanted = {one.target for one in under(index, file, offset)}
    return _apart(one for one in occurrences(index, file) if one.target in wanted)


def under(index: Index, file: str, offset: int) -> tuple[Occurrence, ...]:
    """What is named at ``offset``: several occurrences only where joins share a column."""
    here = at(index, file, offset)
    reads = [one for one in here if one.span == here[0].span and one.role is here[0].role]
    return tuple(reads)


def given_at(index: Index, file: str, offset: int) -> tuple[Occurrence, ...]:
    """The output that a select item names by passing a column on, at ``offset``; nothing elsewhere."""
    here = at(index, file, offset)
    return tuple(one for one in here if one.shows and one.role is Role.DEFINES and one.span == here[0].span)


def all_of(index: Index, targets: set[Target]) -> tuple[Occurrence, ...]:
    """Every occurrence of targets in the project."""
    files: dict[str, None] = {}
    for target in targets:
        files.update(dict.fromkeys(_files(index, target)))
    return _apart(one for file in files for one in occurrences(index, file) if one.target in targets)


def _files(index: Index, target: Target) -> Iterable[str]:
    """The files that may name a target."""
    if isinstance(target, LocalTarget):
        address = index.snapshot.addresses.get(target.file)
        yield target.file
    else:
        address = target.address
        home = index.file_of(address)
        yield from [home] if home is not None else []
    if address is None:
        return
    only_named = isinstance(target, RelationTarget)
    read = index.readers.get(address, ()) if only_named else index.downstream(address)
    yield from (model.file for model in read)
    yield from index.naming()
    yield PROJECT_FILE


def place_of(index: Index, target: Target) -> Location | None:
    """Where a target is made."""
    if isinstance(target, LocalTarget):
        return Location(target.file, target.span)
    file = index.file_of(target.address)
    if file is None or isinstance(target, RelationTarget):
        return Location(file, Span(0, 0)) if file is not None else None
    if target.address in index.project.models:
        return Location(file, _output(index, file, target) or Span(0, 0))
    made = [one.span for one in occurrences(index, file) if one.target == target and one.role is Role.DEFINES]
    return Location(file, made[0] if made else Span(0, 0))


def _output(index: Index, file: str, target: ColumnTarget) -> Span | None:
    """The item of a model's select list that gives a column; a star if it can only come by it."""
    items = Scope.of(index, file).items
    for item in items:
        for name in item.names:
            if fold(name.text) == target.name:
                return name.span
    return next((item.span for item in items if item.star), None)


def _apart(found: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """Each place once."""
    first: dict[tuple[str, Span], Occurrence] = {}
    for one in found:
        first.setdefault((one.file, one.span), one)
    return tuple(first.values())
