"""What the names in one query mean: which relation, and which column of it.

A star is looked through: a column that comes by ``SELECT *`` is the column it comes from, in whatever file.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from smelt.editor.index import Index
from smelt.editor.targets import ColumnTarget, LocalTarget, RelationTarget, Target
from smelt.project.model import Address
from smelt.sql.model import Name, Relation
from smelt.sql.outline import Cte, Item, Outline, Select
from smelt.sql.scopes import known_as
from smelt.text.identifiers import fold
from smelt.text.spans import Span

_MAX_DEPTH = 100
"""Nested queries and stars that are looked through at most: what lies deeper stays unknown."""
_MAX_COLUMNS = 10_000
"""Columns of one query that are known at most: stars over joins of stars double them each time."""


@dataclass(frozen=True, slots=True)
class Given:
    """A column that a relation or a query gives; ``type`` is empty where it is not known."""

    name: str
    target: Target
    type: str = ""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A name, and all that it means: more than one thing only for a column that joins share."""

    name: Name
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """One file's query. ``address`` is that of its model, if it is one.

    What its parts give is worked out once: each name is asked for in the same few relations.
    """

    index: Index
    file: str
    address: Address | None
    queries: Outline
    _given: dict[Span, tuple[Given, ...]] = field(init=False, default_factory=dict, repr=False, compare=False)
    _named: dict[Span, dict[str, Given]] = field(init=False, default_factory=dict, repr=False, compare=False)
    _outputs: dict[int, tuple[Given, ...]] = field(init=False, default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, index: Index, file: str) -> "Scope":
        """The scope of a model's file."""
        name = f"scope of {file}"
        kept = index.snapshot.kept.get(name)
        if isinstance(kept, Scope):
            return kept
        model = index.model_at(file)
        made = cls(index, file, model.address if model is not None else None, index.outline(file))
        index.snapshot.kept[name] = made
        return made

    @property
    def main(self) -> int | None:
        """The SELECT that gives the model's columns."""
        return self.queries.main

    @property
    def items(self) -> tuple[Item, ...]:
        """The select list that gives the model's columns."""
        return self.queries.selects[self.main].items if self.main is not None else ()

    def resolve(self, names: tuple[Name, ...], at: int | None) -> tuple[Meaning, ...]:
        """What each part of a dotted name means in a SELECT, and in those around it; struct fields mean nothing."""
        return next((found for _, found in self._levels(names, at) if found), ())

    def searched(self, names: tuple[Name, ...], at: int | None) -> tuple[int, ...]:
        """The SELECTs in which a dotted name is looked for: from its own up to the one where it means something."""
        return tuple(level for level, _ in self._levels(names, at))

    def _levels(self, names: tuple[Name, ...], at: int | None) -> Iterator[tuple[int, tuple[Meaning, ...]]]:
        while at is not None:
            select = self.queries.selects[at]
            found = tuple(self._resolved(names, at, select))
            yield at, found
            if found:
                return
            at = select.parent

    def _resolved(self, names: tuple[Name, ...], at: int, select: Select) -> Iterator[Meaning]:
        first = names[0]
        relation = qualified(select, first.text) if len(names) > 1 else None
        if relation is not None:
            target = self.relation(relation)
            if target is not None:
                yield Meaning(first, (target,))
            column = self.column(relation, names[1].text)
            if column is not None:
                yield Meaning(names[1], (column,))
            return
        if select.clause_at(first.span.start) == "ORDER BY":
            by_alias = self._alias(at, select, first)
            if by_alias is not None:
                yield Meaning(first, (by_alias,))
                return
        found = (self.column(relation, first.text) for relation in select.relations)
        columns = tuple(dict.fromkeys(target for target in found if target is not None))
        if columns:
            yield Meaning(first, columns)
        elif (by_alias := self._alias(at, select, first)) is not None:
            yield Meaning(first, (by_alias,))

    def _alias(self, at: int, select: Select, name: Name) -> Target | None:
        """The item of the same SELECT whose alias a name repeats."""
        for item in select.items:
            own = item.name
            if item.aliased and own is not None and fold(own.text) == fold(name.text) and own.span != name.span:
                return self.defined(at, own)
        return None

    def relation(self, relation: Relation) -> Target | None:
        """What qualifies the columns of something in FROM: its alias, else what it names."""
        if relation.alias is not None:
            return LocalTarget(self.file, relation.alias.span)
        return self.named(relation)

    def named(self, relation: Relation) -> Target | None:
        """The address or common table expression that something in FROM names."""
        if relation.is_address:
            address = self.index.book.find(".".join(relation.parts))
            return RelationTarget(address) if address is not None else None
        cte = self._cte(relation)
        return LocalTarget(self.file, cte.name.span) if cte is not None else None

    def _cte(self, relation: Relation) -> Cte | None:
        known = relation.kind == "cte" and len(relation.parts) == 1
        return self.queries.cte(relation.parts[0], relation.name_span.start) if known else None

    def defined(self, at: int, name: Name) -> Target:
        """What an output name of a SELECT stands for."""
        if self.address is not None and at == self.main:
            return ColumnTarget.of(self.address, name.text)
        return LocalTarget(self.file, name.span)

    def column(self, relation: Relation, name: str, depth: int = 0) -> Target | None:
        """The column of a relation that a name means."""
        named = self._named.get(relation.span)
        if named is None:
            named = {}
            for one in self.given(relation, depth):
                named.setdefault(fold(one.name), one)
            self._named[relation.span] = named
        found = named.get(fold(name))
        return origin(self.index, found.target, depth) if found is not None else None

    def given(self, relation: Relation, depth: int = 0) -> tuple[Given, ...]:
        """The columns of something in FROM, as far as they are known."""
        known = self._given.get(relation.span)
        if known is not None or depth > _MAX_DEPTH:
            return known or ()
        self._given[relation.span] = ()  # what a recursive query gives itself
        renamed = tuple(Given(name.text, LocalTarget(self.file, name.span)) for name in relation.alias_columns)
        found = self._given[relation.span] = (*renamed, *self._base(relation, depth)[len(renamed) :])
        return found

    def _base(self, relation: Relation, depth: int) -> tuple[Given, ...]:
        if relation.is_address:
            target = self.named(relation)
            return given_by(self.index, target.address, depth) if isinstance(target, RelationTarget) else ()
        cte = self._cte(relation)
        if cte is None:
            inner = self.queries.inside(relation.name_span) if relation.kind == "subquery" else None
            return self.outputs(inner, depth + 1) if inner is not None else ()
        inner = self.queries.inside(cte.body)
        columns = tuple(Given(name.text, LocalTarget(self.file, name.span)) for name in cte.columns)
        return (*columns, *(self.outputs(inner, depth + 1) if inner is not None else ())[len(columns) :])

    def outputs(self, at: int, depth: int = 0) -> tuple[Given, ...]:
        """The columns that a SELECT gives; those whose name only DuckDB could tell are left out."""
        known = self._outputs.get(at)
        if known is not None or depth > _MAX_DEPTH:
            return known or ()
        select = self.queries.selects[at]
        found = tuple(given for item in select.items for given in self._of_item(at, select, item, depth))
        self._outputs[at] = found[:_MAX_COLUMNS]
        return self._outputs[at]

    def _of_item(self, at: int, select: Select, item: Item, depth: int) -> Iterator[Given]:
        if item.name is not None:
            yield Given(item.name.text, self.defined(at, item.name))
        if not item.star:
            return
        qualifier = item.qualifier
        read = select.relations if qualifier is None else filter(None, [qualified(select, qualifier.text)])
        for relation in read:
            yield from (one for one in self.given(relation, depth + 1) if item.passes(fold(one.name)))
        for name in item.own:
            yield Given(name.text, self.defined(at, name))


def qualified(select: Select, name: str) -> Relation | None:
    """The relation in FROM whose columns a name qualifies."""
    wanted = fold(name)
    for relation in select.relations:
        known = known_as(relation)
        if known is not None and fold(known) == wanted:
            return relation
    return None


def given_by(index: Index, address: Address, depth: int = 0) -> tuple[Given, ...]:
    """The columns of a model, source or seed."""
    columns = index.columns(address)
    if columns is not None:
        return tuple(Given(one.name, ColumnTarget.of(address, one.name), one.type) for one in columns)
    source = index.project.sources.get(address)
    if source is not None:
        return tuple(Given(one.name, ColumnTarget.of(address, one.name), one.type) for one in source.columns)
    model = index.project.models.get(address)
    if model is None or depth > _MAX_DEPTH:
        return ()
    scope = Scope.of(index, model.file)
    outputs = scope.outputs(scope.main, depth + 1) if scope.main is not None else ()
    return tuple(Given(one.name, ColumnTarget.of(address, one.name)) for one in outputs)


def origin(index: Index, target: Target, depth: int = 0) -> Target:
    """The column that a column is, looked at through the stars it came by."""
    if not isinstance(target, ColumnTarget) or depth > _MAX_DEPTH:
        return target
    model = index.project.models.get(target.address)
    if model is None:
        return target
    scope = Scope.of(index, model.file)
    select = scope.queries.selects[scope.main] if scope.main is not None else None
    for item in select.items if select is not None else ():
        if select is None or any(fold(name.text) == target.name for name in item.names):
            return target
        if item.passes(target.name):
            read = select.relations if item.qualifier is None else [qualified(select, item.qualifier.text)]
            for relation in read:
                found = scope.column(relation, target.name, depth + 1) if relation is not None else None
                if found is not None:
                    return found
    return target
