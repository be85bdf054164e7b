"""What can be written in frontmatter, in a source's file and in ``smelt.yml``."""

from collections.abc import Iterable, Iterator

from smelt.editor.completion import Completion, CompletionKind
from smelt.editor.index import Index, is_sql
from smelt.editor.schema import Key, Schema
from smelt.editor.scope import given_by
from smelt.editor.yaml_place import YamlPlace, place_in
from smelt.project import quoting
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Address, KeyPath
from smelt.project.schemas import GrammarKind
from smelt.text.spans import Span

_REFUSED = "not available yet"
_LAST = 6
_TYPES = (
    "BIGINT", "BLOB", "BOOLEAN", "DATE", "DECIMAL(18, 2)", "DOUBLE", "FLOAT", "HUGEINT", "INTEGER", "JSON", "SMALLINT",
    "TIME", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TINYINT", "UBIGINT", "UINTEGER", "UUID", "VARCHAR",
)  # fmt: skip


def in_yaml(index: Index, file: str, span: Span, offset: int) -> tuple[Completion, ...]:
    """The keys or values that fit at a cursor in the YAML in ``span``."""
    place = place_in(index.text(file), span, offset)
    if place is None:
        return ()
    schema = Schema.of(index.snapshot, grammar_of(file))
    if place.in_value:
        return tuple(_values(index, file, schema, place, place.path, place.word))
    keys = _keys(index, file, schema, place)
    plain = _values(index, file, schema, place, place.path, place.word) if place.item else ()
    return (*keys, *plain)


def grammar_of(file: str) -> GrammarKind:
    """The grammar that a file's YAML follows."""
    if file == PROJECT_FILE:
        return "project"
    return "model" if is_sql(file) else "source"


def _keys(index: Index, file: str, schema: Schema, place: YamlPlace) -> Iterator[Completion]:
    listed = schema.is_list(place.path) and not place.item
    path = (*place.path, 0) if listed else place.path
    lead = "- " if listed else ""
    for key in schema.keys(path):
        if key.name not in place.used:
            yield _key(schema, (*path, key.name), key, place.word, lead)
    if file == PROJECT_FILE and place.path == ("models",):
        for address in index.project.models:
            if str(address) not in place.used:
                text = f"{quoting.in_yaml(str(address))}:"
                yield Completion(str(address), CompletionKind.MODEL, text, place.word, "model")


def _key(schema: Schema, path: KeyPath, key: Key, word: Span, lead: str) -> Completion:
    value = schema.value(path)
    detail = "" if value is None else ", ".join(value.accepted) or value.form
    if value is not None and value.default is not None:
        detail += f"; {value.default} if left out"
    if not key.available:
        detail = _REFUSED
    text = f"{lead}{key.name}:" if key.nested and not (value and value.words) else f"{lead}{key.name}: "
    rank = 1 if key.required else 2 if key.available else _LAST
    return Completion(key.name, CompletionKind.KEY, text, word, detail, key.meaning, rank=rank)


def _values(
    index: Index, file: str, schema: Schema, place: YamlPlace, path: KeyPath, word: Span
) -> Iterator[Completion]:
    value = schema.value(path)
    for name in value.words if value is not None else ():
        if value is not None and name in value.refused:
            yield Completion(name, CompletionKind.VALUE, name, word, _REFUSED, rank=_LAST)
            continue
        default = value is not None and name == value.default
        yield Completion(name, CompletionKind.VALUE, name, word, "the default" if default else "", rank=3)
    for name, kind, detail in _named(index, file, path, place):
        text = name if name in _TYPES else quoting.in_yaml(name)
        yield Completion(name, kind, text, word, detail, rank=2)


def _named(index: Index, file: str, path: KeyPath, place: YamlPlace) -> Iterable[tuple[str, CompletionKind, str]]:
    """Names of the project that can be the value at a path."""
    config = index.project.config
    targets = [(name, CompletionKind.VALUE, "target") for name in config.targets] if config is not None else []
    address = index.snapshot.addresses.get(file)
    inner = path
    if file == PROJECT_FILE:
        if path == ("default_target",):
            return targets
        if len(path) < 3 or path[0] != "models":
            return ()
        address, inner = index.book.find(str(path[1])), path[2:]
    match inner:
        case ("target",):
            return targets
        case ("columns", int(), "type") if not is_sql(file):
            return [(name, CompletionKind.VALUE, "type") for name in _TYPES]
        case ("columns", int(), "tests", int(), "relationships", "to"):
            return [(str(one), kind_of(index, one), "") for one in index.project.addresses()]
        case ("columns", int(), "tests", int(), "relationships", "field"):
            return _columns(index, _tested_against(index, file, path))
        case ("timeseries", "event_time_column" | "partition_column") if not is_sql(file) and file != PROJECT_FILE:
            return _declared(index, file)
        case ("columns", int(), "name") if is_sql(file) or file == PROJECT_FILE:
            return _columns(index, address)
        case ("timeseries", "event_time_column" | "partition_column") | ("unique_key",) | ("unique_key", int()):
            return _columns(index, address)
    return ()


def _columns(index: Index, address: Address | None) -> list[tuple[str, CompletionKind, str]]:
    given = given_by(index, address) if address is not None else ()
    return [(one.name, CompletionKind.COLUMN, one.type) for one in given]


def _declared(index: Index, file: str) -> list[tuple[str, CompletionKind, str]]:
    """The columns of a source, which itself may not be usable yet."""
    listed = index.yaml(file).values.get("columns")
    columns = [column for column in listed if isinstance(column, dict)] if isinstance(listed, list) else []
    return [(name, CompletionKind.COLUMN, "") for column in columns if isinstance(name := column.get("name"), str)]


def _tested_against(index: Index, file: str, path: KeyPath) -> Address | None:
    """What the ``to`` beside a ``field`` names; known while the YAML can be read."""
    value: object = index.yaml(file).values
    for segment in (*path[:-1], "to"):
        if isinstance(value, dict) and isinstance(segment, str):
            value = value.get(segment)
        elif isinstance(value, list) and isinstance(segment, int) and segment < len(value):
            value = value[segment]
        else:
            return None
    return index.book.find(value) if isinstance(value, str) else None


def kind_of(index: Index, address: Address) -> CompletionKind:
    """The sort of thing that an address names."""
    if address in index.project.models:
        return CompletionKind.MODEL
    return CompletionKind.SEED if address in index.project.seeds else CompletionKind.SOURCE
