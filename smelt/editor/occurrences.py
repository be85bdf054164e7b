"""Every place of a file that means something which other places mean too."""

from collections.abc import Iterable, Iterator

from smelt.editor.index import Index, is_sql
from smelt.editor.scope import Scope, origin, qualified
from smelt.editor.targets import ColumnTarget, LocalTarget, Occurrence, RelationTarget, Role, Target
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Address, KeyPath
from smelt.project.yaml import Value
from smelt.sql.model import Name, Relation
from smelt.sql.outline import outline
from smelt.sql.outlined_names import joined_by, names_by_tokens, names_by_tree
from smelt.sql.relations import all_relations
from smelt.text.spans import Span


def occurrences(index: Index, file: str) -> tuple[Occurrence, ...]:
    """The occurrences in a file, in text order; at one place what is read stands before what is defined."""
    name = f"occurrences of {file}"
    kept = index.snapshot.kept.get(name)
    if isinstance(kept, tuple):
        return kept
    found = tuple(sorted(_found(index, file), key=lambda one: (one.span, one.role is Role.DEFINES)))
    index.snapshot.kept[name] = found
    return found


def at(index: Index, file: str, offset: int) -> tuple[Occurrence, ...]:
    """The occurrences under a cursor, the narrowest first; of equal ones what is read."""
    here = [one for one in occurrences(index, file) if one.span.contains(offset)]
    return tuple(sorted(here, key=lambda one: (len(one.span), one.span.start > offset or one.span.end <= offset)))


def _found(index: Index, file: str) -> Iterator[Occurrence]:
    if file == PROJECT_FILE:
        yield from _in_project_file(index)
        return
    address = index.snapshot.addresses.get(file)
    if is_sql(file):
        yield from _in_query(Scope.of(index, file), index)
        if address is not None:
            yield from _declared(index, file, address, (), index.yaml(file).values)
    elif address is not None and not file.lower().endswith(".csv"):
        yield from _in_source(index, file, address)


def _in_query(scope: Scope, index: Index) -> Iterator[Occurrence]:
    file = scope.file
    for relation in all_relations(scope.queries.tokens):
        named = scope.named(relation) if relation.is_address else None
        if named is not None:
            yield Occurrence(file, relation.name_span, named, Role.READS, address=True)
    for cte in scope.queries.ctes:
        for name in (cte.name, *cte.columns):
            yield Occurrence(file, name.span, LocalTarget(file, name.span), Role.DEFINES)
    shown: set[Span] = set()
    for number, select in enumerate(scope.queries.selects):
        for relation in select.relations:
            names = relation.alias_columns if relation.alias is None else (relation.alias, *relation.alias_columns)
            for name in names:
                yield Occurrence(file, name.span, LocalTarget(file, name.span), Role.DEFINES)
            target = scope.named(relation) if relation.kind == "cte" else None
            if target is not None:
                yield Occurrence(file, relation.name_span, target, Role.READS)
        for item in select.items:
            starred = qualified(select, item.qualifier.text) if item.qualifier is not None else None
            if item.qualifier is not None and starred is not None:
                yield from _qualifier(scope, item.qualifier, starred)
            for name in item.names:
                shows = item.name is not None and not item.aliased
                yield Occurrence(file, name.span, scope.defined(number, name), Role.DEFINES, shows=shows)
                if shows:
                    shown.add(name.span)
    for names in names_in(index, file, scope):
        for meaning in scope.resolve(names, scope.queries.at(names[0].span.start)):
            for target in meaning.targets:
                yield Occurrence(file, meaning.name.span, target, Role.READS, shows=meaning.name.span in shown)


def _qualifier(scope: Scope, name: Name, relation: Relation) -> Iterator[Occurrence]:
    target = scope.relation(relation)
    if target is not None:
        yield Occurrence(scope.file, name.span, target, Role.READS)


def names_in(index: Index, file: str, scope: Scope) -> Iterable[tuple[Name, ...]]:
    """What a query names as columns, at every depth, as dotted names."""
    query = index.query(file)
    named = names_by_tree(query) if query is not None else names_by_tokens(scope.queries)
    known = {names[0].span for names in named}
    stars = (name for select in scope.queries.selects for item in select.items for name in item.left_out)
    lone = (*joined_by(scope.queries), *stars)
    return (*named, *((name,) for name in lone if name.span not in known))


def _in_project_file(index: Index) -> Iterator[Occurrence]:
    overrides = index.yaml(PROJECT_FILE).values.get("models")
    for key, values in overrides.items() if isinstance(overrides, dict) else ():
        address = index.book.find(key)
        if address is not None:
            span = index.marks(PROJECT_FILE).keys[("models", key)]
            yield Occurrence(PROJECT_FILE, span, RelationTarget(address), Role.READS, address=True, yaml=True)
            yield from _declared(index, PROJECT_FILE, address, ("models", key), values)


def _declared(index: Index, file: str, address: Address, path: KeyPath, values: Value) -> Iterator[Occurrence]:
    """The columns and addresses that a model's declarations name."""
    for found, text in _texts(values):
        span = index.marks(file).values.get((*path, *found))
        if span is None:
            continue
        target: Target | None = None
        match found:
            case ("columns", int(), "name") | ("unique_key",) | ("unique_key", int()):
                target = ColumnTarget.of(address, text)
            case ("timeseries", "event_time_column" | "partition_column"):
                target = ColumnTarget.of(address, text)
            case ("columns", int(), "tests", int(), "relationships", "to"):
                to = index.book.find(text)
                if to is not None:
                    yield Occurrence(file, span, RelationTarget(to), Role.READS, address=True, yaml=True)
            case ("columns", int() as column, "tests", int() as test, "relationships", "field"):
                to_path = ("columns", column, "tests", test, "relationships", "to")
                to = index.book.find(dict(_texts(values)).get(to_path, ""))
                target = ColumnTarget.of(to, text) if to is not None else None
        if target is not None:
            yield Occurrence(file, span, origin(index, target), Role.READS, yaml=True)


def _in_source(index: Index, file: str, address: Address) -> Iterator[Occurrence]:
    marks = index.marks(file)
    for path, text in _texts(index.yaml(file).values):
        span = marks.values.get(path)
        if span is None:
            continue
        match path:
            case ("columns", int(), "name"):
                yield Occurrence(file, span, ColumnTarget.of(address, text), Role.DEFINES, yaml=True)
            case ("timeseries", "event_time_column" | "partition_column"):
                yield Occurrence(file, span, ColumnTarget.of(address, text), Role.READS, yaml=True)
            case ("columns", int(), "expression"):
                for name in _in_expression(index.text(file), span, text):
                    yield Occurrence(file, name.span, ColumnTarget.of(address, name.text), Role.READS, embedded=True)


def _in_expression(text: str, span: Span, expression: str) -> Iterator[Name]:
    """The columns of an expression that stands in YAML as it is, without escapes."""
    start = text.find(expression, span.start, span.end)
    if start >= 0:
        for names in names_by_tokens(outline(text, Span(start, start + len(expression)))):
            yield names[0]


def _texts(value: Value, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Every text in a value, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _texts(inner, (*path, number))
