"""Giving a model, a source, a column or a name of one query another name, everywhere at once.

What a query gives keeps its name unless it is that name which is changed: a renamed column that a SELECT passes on
gets its old name as an alias. So no table of the project changes but the one that was meant.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from smelt.diagnostics.model import FileEdit
from smelt.editor.definition import all_of, given_at, under
from smelt.editor.index import Index, is_sql
from smelt.editor.occurrences import names_in, occurrences
from smelt.editor.readdress import (
    FileRename,
    NoRename,
    Renaming,
    behind_smelt,
    inner,
    readdressed,
    readers_of,
    refuse_address,
    refuse_row,
    refuse_unread,
)
from smelt.editor.scope import Scope, given_by, origin, qualified
from smelt.editor.snapshot import Snapshot
from smelt.editor.targets import ColumnTarget, LocalTarget, Occurrence, RelationTarget, Role, Target
from smelt.project.addresses import address_of
from smelt.project.model import Address
from smelt.project.quoting import in_yaml
from smelt.sql.model import Name
from smelt.sql.names import written
from smelt.sql.outline import Item, Select
from smelt.sql.outlined_names import joined_by
from smelt.sql.scopes import known_as
from smelt.sql.unseen import Unseen, reach, unseen_names
from smelt.text.edits import Edit
from smelt.text.identifiers import fold
from smelt.text.spans import Span


@dataclass(frozen=True, slots=True)
class Renameable:
    """What can be renamed under a cursor: where its name stands, and the name as it is."""

    span: Span
    name: str


def prepare_rename(snapshot: Snapshot, file: str, offset: int) -> Renameable:
    """What a rename at ``offset`` would be of.

    Raises:
        NoRename: nothing there has a name of its own.
    """
    index, one = _meant(snapshot, file, offset)
    if not isinstance(one.target, RelationTarget):
        return Renameable(one.span, _called(index, one))
    in_query = one.address and not one.yaml
    start = behind_smelt(snapshot.texts[file], one.span) if in_query else one.span.start
    return Renameable(Span(start, one.span.end), str(one.target.address))


def rename(snapshot: Snapshot, file: str, offset: int, name: str) -> Renaming:
    """Give what is named at ``offset`` another name: a new address for a model, a source or a seed, a word else.

    Raises:
        NoRename: the name is taken or is none, or some file that may use the old one cannot be read.
    """
    index, one = _meant(snapshot, file, offset)
    found = all_of(index, {one.target})
    refuse_unread(index, {other.file for other in found} | set(readers_of(index, one.target)))
    if isinstance(one.target, RelationTarget):
        return _of_relation(index, one.target, found, name)
    _refuse_taken(index, one.target, name)
    _refuse_unseen(index, one.target)
    old = _called(index, one)
    _refuse_namesakes(index, one.target, old, name)
    for file in _read_in(index, one.target) if fold(name) != fold(old) else ():
        _refuse_captures(index, file, one.target, name)
    for other in found:
        _refuse_mixed_up(index, other, name)
    edits = tuple(edit for other in found for edit in _edits(other, name, old))
    return Renaming(edits, beyond=_beyond(index, one.target, old, name))


def _beyond(index: Index, target: Target, old: str, name: str) -> str:
    """A source's columns are found in its data by their names."""
    if not isinstance(target, ColumnTarget) or target.address in index.project.models:
        return ""
    source = index.project.sources.get(target.address)
    computed = (one.name for one in source.columns if one.expression is not None) if source is not None else ()
    if target.name in map(fold, computed):
        return ""
    return f"The data of {target.address} must have a column {name} in place of {old} now: no edit here gives it one."


def _meant(snapshot: Snapshot, file: str, offset: int) -> tuple[Index, Occurrence]:
    index = Index.of(snapshot)
    found = (given_at(index, file, offset) or under(index, file, offset)) if index is not None else ()
    if index is None or not found:
        raise NoRename("there is no model, source, column or alias here to rename")
    if len({one.target for one in found}) > 1:
        raise NoRename("this column belongs to both sides of a join; rename it where one of them defines it")
    return index, found[0]


def _refuse_taken(index: Index, target: Target, name: str) -> None:
    if not name.strip() or any(not char.isprintable() for char in name):
        raise NoRename("a name is a text on one line")
    if isinstance(target, ColumnTarget):
        taken = [one.name for one in given_by(index, target.address) if fold(one.name) != target.name]
        if fold(name) in map(fold, taken):
            raise NoRename(f"{target.address} has a column {name} already")
    if isinstance(target, LocalTarget):
        others = [one for one in occurrences(index, target.file) if isinstance(one.target, LocalTarget)]
        text = index.text(target.file)
        if any(one.target != target and fold(_unquoted(one, text)) == fold(name) for one in others):
            raise NoRename(f"the query uses the name {name} already")
        _refuse_namesake_relation(index, target, name)


def _refuse_namesake_relation(index: Index, target: LocalTarget, name: str) -> None:
    """What columns are qualified by is an alias, a query's own name, or the last part of an address."""
    queries = index.outline(target.file)
    relations = [relation for select in queries.selects for relation in select.relations]
    aliases = {relation.alias.span for relation in relations if relation.alias is not None}
    if target.span not in aliases | {cte.name.span for cte in queries.ctes}:
        return
    for relation in relations:
        if relation.alias is None and relation.is_address and fold(known_as(relation) or "") == fold(name):
            raise NoRename(f"{target.file} reads another {name} beside it: give that one an alias first")
    scope = Scope.of(index, target.file)
    for at, select in enumerate(queries.selects):
        if any(scope.relation(relation) == target for relation in select.relations):
            refuse_row(index, target.file, at, name)


def _refuse_unseen(index: Index, target: Target) -> None:
    """Some of SQL goes by the names of columns without spelling them where they could be changed."""
    carriers = _carriers(index, target) if isinstance(target, ColumnTarget) else ()
    for file in sorted({target.file} if isinstance(target, LocalTarget) else _given_to(index, carriers)):
        clauses = unseen_names(index.outline(file))
        clause = next((one for one in clauses if _may_use(index, file, one, target, carriers)), None)
        if clause is not None:
            raise NoRename(f"{file} uses names of columns by {clause.called}, where they cannot be followed")


def _may_use(index: Index, file: str, clause: Unseen, target: Target, carriers: Collection[Address]) -> bool:
    """Whether a query goes by the name of a column unseen, or the column is named beside what such a query gives."""
    queries, text = index.outline(file), index.text(file)
    reached = reach(queries, clause.span.start)
    for one in occurrences(index, file):
        start = one.span.start
        if isinstance(one.target, RelationTarget) and one.target.address in carriers and reached.holds(start):
            return True
        if one.target != target or one.yaml:
            continue
        is_qualified = text[:start].rstrip().endswith(".")
        if reached.holds(start) or (not is_qualified and reach(queries, start).holds(clause.span.start)):
            return True
    return False


def _read_in(index: Index, target: ColumnTarget | LocalTarget) -> tuple[str, ...]:
    """The queries that can see a name: its own, or those that read what gives the column."""
    if isinstance(target, LocalTarget):
        return (target.file,)
    return tuple(sorted({*_given_to(index, _carriers(index, target))}))


def _refuse_namesakes(index: Index, target: ColumnTarget | LocalTarget, old: str, name: str) -> None:
    """Of two columns of one name that a query gives, DuckDB renames one: what stars pass on must not enter or leave."""
    names = {fold(old), fold(name)}
    for file in _read_in(index, target):
        scope = Scope.of(index, file)
        for at, select in enumerate(scope.queries.selects):
            if not any(item.star for item in select.items):
                continue
            alike = [one for one in scope.outputs(at) if fold(one.name) in names]
            if len(alike) > 1 and any(origin(index, one.target) == target for one in alike):
                raise NoRename(f"{file} passes it on by a star beside another column {alike[1].name}")


def _carriers(index: Index, target: ColumnTarget) -> tuple[Address, ...]:
    """What gives a column under the name that is changed: stars pass it on."""
    passing = (model.address for model in index.downstream(target.address))
    found = (one for one in passing if any(origin(index, given.target) == target for given in given_by(index, one)))
    return (target.address, *found)


def _given_to(index: Index, carriers: Iterable[Address]) -> Iterator[str]:
    """The models among them, and those that read them."""
    for address in carriers:
        if address in index.project.models:
            yield index.project.models[address].file
        yield from (model.file for model in index.readers.get(address, ()))


def _refuse_mixed_up(index: Index, one: Occurrence, name: str) -> None:
    """Where the column is read it must not become another's namesake, nor lose one it is joined by."""
    if one.embedded and written(name) != name:
        raise NoRename(f"{one.file} reads it in an expression, where only a name without quotes can be written")
    if not is_sql(one.file) or one.yaml:
        return
    replaced = any(one.span == name.span for name in _replaced(index, one.file))
    if one.role is not Role.READS:
        if replaced:
            raise NoRename(f"{one.file} gives it by REPLACE in a star, under the name of the column it replaces")
        return
    if one.span in {joined.span for joined in joined_by(index.outline(one.file))}:
        raise NoRename(f"{one.file} joins by USING of this column, so both sides must have one name")
    if replaced:
        raise NoRename(f"{one.file} replaces this column in a star, which would rename what it gives")
    text = index.text(one.file)
    if not text[: one.span.start].rstrip().endswith(".") and fold(_unquoted(one, text)) != fold(name):
        _refuse_read(index, one, name)


def _refuse_read(index: Index, one: Occurrence, name: str) -> None:
    """What is read without a qualifier must still be found by the new name, and nothing else before it."""
    scope = Scope.of(index, one.file)
    old = Name(_unquoted(one, index.text(one.file)), one.span)
    for at in scope.searched((old,), scope.queries.at(one.span.start)):
        select = scope.queries.selects[at]
        found = (scope.column(relation, name) for relation in select.relations)
        if any(column is not None and column != one.target for column in found):
            raise NoRename(f"{one.file} reads another column {name} beside it")
        is_relation = any(scope.relation(relation) == one.target for relation in select.relations)
        is_column = any(True for _ in _giving(index, scope, select, one.target))
        if qualified(select, name) is not None and not is_column and not is_relation:
            raise NoRename(f"{one.file} reads it where {name} is a relation")
        taken = _aliased(scope, at, name) if select.clause_at(one.span.start) == "ORDER BY" else None
        if taken is not None and not is_relation and not _passes_on(index, scope, taken, one.target):
            raise NoRename(f"{one.file} orders by it, where its own output {name} would be meant")


def _refuse_captures(index: Index, file: str, target: Target, name: str) -> None:
    """What is read by the new name already must go on meaning what it means."""
    scope = Scope.of(index, file)
    selects = scope.queries.selects
    giving = {at: [*_giving(index, scope, select, target)] for at, select in enumerate(selects)}
    naming = {at for at, select in enumerate(selects) for item in select.items if _is_named(scope, at, item, target)}
    for names in names_in(index, file, scope):
        first = names[0]
        if fold(first.text) != fold(name):
            continue
        own = scope.queries.at(first.span.start)
        searched = scope.searched(names, own)
        if len(names) > 1 and any(qualified(selects[at], first.text) is not None for at in searched):
            continue
        for at in searched:
            if any(not span.covers(first.span) for span in giving[at]):
                if at == searched[-1] and _aliased(scope, at, name) is not None:
                    raise NoRename(f"{file} reads its own output {name}, which the column would take the place of")
                raise NoRename(f"{file} reads another {name} beside it")
        if own in naming and selects[own].clause_at(first.span.start) == "ORDER BY":
            raise NoRename(f"{file} orders by another {name} beside it")


def _giving(index: Index, scope: Scope, select: Select, target: Target) -> Iterator[Span]:
    """The relations of a SELECT that give a column under the name that is changed."""
    for relation in select.relations:
        if any(origin(index, one.target) == target for one in scope.given(relation)):
            yield relation.span


def _is_named(scope: Scope, at: int, item: Item, target: Target) -> bool:
    return item.name is not None and scope.defined(at, item.name) == target


def _aliased(scope: Scope, at: int, name: str) -> Item | None:
    """The item of a SELECT that has a name as its alias."""
    for item in scope.queries.selects[at].items:
        if item.aliased and item.name is not None and fold(item.name.text) == fold(name):
            return item
    return None


def _passes_on(index: Index, scope: Scope, item: Item, target: Target) -> bool:
    """Whether an item is a column and nothing else."""
    text = index.text(scope.file)
    read = [one.span for one in occurrences(index, scope.file) if one.target == target and item.span.covers(one.span)]
    if len(read) != 1 or item.name is None:
        return False
    before, behind = text[item.span.start : read[0].start].rstrip(), text[read[0].end : item.name.span.start].strip()
    return (not before or before.endswith(".")) and behind.upper() in ("", "AS")


def _replaced(index: Index, file: str) -> Iterator[Name]:
    for select in index.outline(file).selects:
        for item in select.items:
            yield from (name for name in item.own if name in item.left_out)


def _edits(one: Occurrence, name: str, old: str) -> Iterator[FileEdit]:
    """How one place changes. A select item that only passed the old name on keeps it as its alias."""
    new = in_yaml(name) if one.yaml else written(name)
    if not one.shows:
        yield FileEdit(one.file, Edit(one.span, new))
    elif one.role is Role.READS:
        yield FileEdit(one.file, Edit(one.span, f"{new} AS {written(old)}"))
    else:
        yield FileEdit(one.file, Edit(Span(one.span.end, one.span.end), f" AS {new}"))


def _of_relation(index: Index, target: RelationTarget, found: tuple[Occurrence, ...], name: str) -> Renaming:
    new = Address(tuple(name.removeprefix("smelt.").split(".")))
    files = tuple(_moved(index, target.address, new))
    return Renaming(readdressed(index, found, {target.address: new}), files)


def _moved(index: Index, old: Address, new: Address) -> Iterator[FileRename]:
    """The files of an address under a new one."""
    refuse_address(index, new, {old})
    config = index.project.config
    prefixes = config.paths if config is not None else ("models",)
    of_old = [file for file in _files_of(index, old) if address_of(file, prefixes) == old]
    if not of_old:
        raise NoRename(f"the file of {old} is not known")
    for file in of_old:
        stem, _, extension = file.rpartition(".")
        folder = stem.removesuffix("/".join(old.segments))
        if folder == stem:
            raise NoRename(f"the path {file} does not spell its address: rename the file itself")
        path = f"{folder}{'/'.join(new.segments)}.{extension}"
        if path in index.snapshot.texts:
            raise NoRename(f"there is a file {path} already")
        yield FileRename(file, path)


def _files_of(index: Index, address: Address) -> Iterator[str]:
    file = index.file_of(address)
    yield from [file] if file is not None else []
    seed = index.project.seeds.get(address)
    if seed is not None and seed.file != file:
        yield seed.file


def _unquoted(one: Occurrence, text: str) -> str:
    shown = one.span.of(text)
    if one.yaml:
        return inner(one, text)
    return shown[1:-1].replace('""', '"') if len(shown) > 1 and shown.startswith('"') else shown


def _called(index: Index, one: Occurrence) -> str:
    """The name as it is declared, whichever way this place spells it."""
    target = one.target
    given = given_by(index, target.address) if isinstance(target, ColumnTarget) else ()
    declared = (each.name for each in given if isinstance(target, ColumnTarget) and fold(each.name) == target.name)
    return next(declared, None) or _unquoted(one, index.text(one.file))
