"""The file of a source that a query reads and nobody declared: what the query needs of it, and no fact about it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from smelt.diagnostics.model import Diagnostic
from smelt.editor.index import Index
from smelt.editor.occurrences import names_in
from smelt.editor.scope import Scope, qualified
from smelt.project.model import Address, Refresh
from smelt.project.quoting import in_yaml
from smelt.sql.model import Name, Relation
from smelt.text.identifiers import fold

_SEGMENT = re.compile(r"[^\W\d]\w*")
_HEAD = """\
# {address}: what {model} needs of it is here, and what is true of it is yours to fill in.
# Where its rows are; one of the two:
# name: schema.table
# files: data/{last}/*.parquet
"""
_FACTS = """\
# A history needs both, if they are true:
# mutation_profile: append_only
# timeseries: {event_time_column: …, partition_column: …, granularity: day}
"""


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file to create, with its text."""

    file: str
    text: str


def missing_source(index: Index, found: Diagnostic) -> NewFile | None:
    """The file that would declare what an ``UnknownReference`` names; None where none can have the address."""
    file, model = found.location.file, index.model_at(found.location.file)
    if model is None:
        return None
    scope = Scope.of(index, file)
    relations = (relation for select in scope.queries.selects for relation in select.relations)
    relation = next((one for one in relations if one.name_span == found.location.span and one.is_address), None)
    config = index.project.config
    if relation is None or config is None or not all(_SEGMENT.fullmatch(part) for part in relation.parts):
        return None
    address = Address(relation.parts[1:])
    path = "/".join(part for part in (config.paths[0], *address.segments) if part) + ".yml"
    if path in index.snapshot.texts or index.book.find(str(address)) is not None:
        return None
    text = _HEAD.format(address=address, model=model.address, last=address.segments[-1])
    if model.frontmatter.refresh is Refresh.INCREMENTAL:
        text += _FACTS
    columns: dict[str, str] = {}
    for name in _used(index, file, scope, relation):
        columns.setdefault(fold(name.text), name.text)
    if columns:
        text += "# Each column needs a DuckDB type, and `nullable: false` where it never is NULL.\ncolumns:\n"
        text += "".join(f"  - name: {in_yaml(name)}\n    type:\n" for name in columns.values())
    return NewFile(path, text)


def _used(index: Index, file: str, scope: Scope, relation: Relation) -> Iterator[Name]:
    """The columns that can only be the relation's: qualified by it, or of no other relation in scope."""
    for names in names_in(index, file, scope):
        at = scope.queries.at(names[0].span.start)
        while at is not None:
            select = scope.queries.selects[at]
            by = qualified(select, names[0].text) if len(names) > 1 else None
            if by is not None:
                yield from (names[1],) if by is relation else ()
                break
            if relation in select.relations and not scope.resolve(names, at):
                yield names[0]
                break
            at = select.parent
