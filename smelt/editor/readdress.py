"""What renames of every kind share, and giving every place that names an address another one."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from smelt.diagnostics.model import FileEdit
from smelt.editor.index import Index, is_sql
from smelt.editor.occurrences import names_in
from smelt.editor.scope import Scope, qualified
from smelt.editor.targets import LocalTarget, Occurrence, RelationTarget, Target
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Address
from smelt.project.quoting import in_yaml
from smelt.sql.names import written
from smelt.sql.scopes import known_as
from smelt.text.edits import Edit
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_SEGMENT = re.compile(r"[^\W\d]\w*")


class NoRename(Exception):
    """Why a name cannot be given; the message is for the user."""


@dataclass(frozen=True, slots=True)
class FileRename:
    """A file that gets another path; both are relative to the project's root."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Renaming:
    """All that a rename changes.

    Attributes:
        edits: of the files under their old paths.
        files: the files that move.
        beyond: what has to change besides, which no edit can; empty if nothing has.
    """

    edits: tuple[FileEdit, ...]
    files: tuple[FileRename, ...] = ()
    beyond: str = ""


def readers_of(index: Index, target: Target) -> Iterator[str]:
    """The files that may name a target although it cannot be seen."""
    if not isinstance(target, LocalTarget):
        yield PROJECT_FILE
        yield from (model.file for model in index.readers.get(target.address, ()))


def refuse_unread(index: Index, files: Iterable[str]) -> None:
    """A query that cannot be read may use the name in a way that cannot be seen."""
    for file in sorted(files):
        if is_sql(file) and index.query(file) is None:
            raise NoRename(f"{file} cannot be read: mend its syntax first")
        if index.yaml(file).broken:
            raise NoRename(f"{file} cannot be read: mend its YAML first")


def refuse_address(index: Index, new: Address, free: Iterable[Address]) -> None:
    """An address is made of words, and no other's; those in ``free`` are given up."""
    if not all(_SEGMENT.fullmatch(segment) for segment in new.segments):
        raise NoRename(f"{new} is no address: its parts are words, with dots between")
    taken = index.book.find(str(new))
    if taken is not None and taken not in free:
        raise NoRename(f"there is a {taken} already")


def readdressed(index: Index, found: Iterable[Occurrence], moved: Mapping[Address, Address]) -> tuple[FileEdit, ...]:
    """The edits that make every place name the new address in place of the old one; those that change nothing left out.

    Raises:
        NoRename: two relations of one query would go by one name.
    """
    places = [(one, moved[one.target.address]) for one in found if isinstance(one.target, RelationTarget)]
    _refuse_twins(index, places)
    edits = (_readdressed(index, one, new) for one, new in places)
    return tuple(edit for edit in edits if edit.edit.text != edit.edit.span.of(index.text(edit.file)))


def _readdressed(index: Index, one: Occurrence, new: Address) -> FileEdit:
    if one.yaml:
        prefix = "smelt." if inner(one, index.text(one.file)).startswith("smelt.") else ""
        return FileEdit(one.file, Edit(one.span, in_yaml(f"{prefix}{new}")))
    if not one.address:  # the last part of the address, before a column
        return FileEdit(one.file, Edit(one.span, written(new.segments[-1])))
    start = behind_smelt(index.text(one.file), one.span)
    text = ".".join(written(segment) for segment in new.segments)
    return FileEdit(one.file, Edit(Span(start, one.span.end), text))


def _refuse_twins(index: Index, places: Iterable[tuple[Occurrence, Address]]) -> None:
    """Two relations of one FROM cannot go by the same last part."""
    by_file: dict[str, dict[Span, str]] = {}
    for one, new in places:
        if one.address and not one.yaml:
            by_file.setdefault(one.file, {})[one.span] = new.segments[-1]
    for file, last in by_file.items():
        for at, select in enumerate(index.outline(file).selects):
            changed = [last[one.name_span] for one in select.relations if one.alias is None and one.name_span in last]
            kept = [known_as(one) or "" for one in select.relations if one.alias or one.name_span not in last]
            names = Counter(fold(name) for name in (*changed, *kept))
            for name in changed:
                if names[fold(name)] > 1:
                    raise NoRename(f"{file} reads another {name} beside it: give one of them an alias first")
                refuse_row(index, file, at, name)


def refuse_row(index: Index, file: str, at: int, name: str) -> None:
    """A relation's name means its row or qualifies, in its SELECT and those inside, unless a column there has it."""
    scope = Scope.of(index, file)
    selects = scope.queries.selects
    has_column = any(scope.column(relation, name) is not None for relation in selects[at].relations)
    for names in names_in(index, file, scope):
        if fold(names[0].text) != fold(name) or (has_column and len(names) == 1):
            continue
        searched = scope.searched(names, scope.queries.at(names[0].span.start))
        qualifies = len(names) > 1 and any(qualified(selects[level], name) is not None for level in searched)
        if at in searched and not qualifies:
            raise NoRename(f"{file} reads its own {name}, which would mean the relation")


def behind_smelt(text: str, span: Span) -> int:
    """Where the parts of an address begin that a query writes with ``smelt.`` before."""
    dot = text.find(".", span.start, span.end)
    return dot + 1 if dot >= 0 else span.start


def inner(one: Occurrence, text: str) -> str:
    """The text of a place in YAML, without quotes."""
    return one.span.of(text).strip("\"'")
