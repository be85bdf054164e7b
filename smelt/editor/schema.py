"""What the published schemas say of a place in a YAML file: the same that other editors read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from smelt.editor.snapshot import Snapshot
from smelt.project.model import KeyPath
from smelt.project.schemas import GrammarKind, json_schema

_Node = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Key:
    """A key that may stand in a mapping."""

    name: str
    meaning: str
    required: bool
    nested: bool


@dataclass(frozen=True, slots=True)
class Value:
    """What may stand at a place.

    Attributes:
        meaning: a sentence; may be empty.
        form: its type, such as ``text`` or ``list of mapping``.
        words: the words it may be.
        only: whether it can be nothing else.
        default: what counts where it is left out; None if that is nothing.
    """

    meaning: str
    form: str
    words: tuple[str, ...] = ()
    only: bool = False
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """One grammar."""

    root: _Node

    @classmethod
    def of(cls, snapshot: Snapshot, kind: GrammarKind) -> "Schema":
        """The grammar of a kind of file, made once for a look."""
        name = f"schema of {kind}"
        kept = snapshot.kept.get(name)
        made = kept if isinstance(kept, Schema) else cls(json_schema(kind))
        snapshot.kept[name] = made
        return made

    def keys(self, path: KeyPath) -> tuple[Key, ...]:
        """The keys that may stand in the mapping at a path, those that must first."""
        found: dict[str, Key] = {}
        for node in self._at(path):
            required = node.get("required")
            for name, described in _mapping(node.get("properties")).items():
                must = isinstance(required, list) and name in required
                options = self._options(described)
                nested = any(option.get("type") in ("object", "array") for option in options)
                found.setdefault(name, Key(name, _meaning(described, options), must, nested))
        return tuple(sorted(found.values(), key=lambda key: not key.required))

    def value(self, path: KeyPath) -> Value | None:
        """What may stand at a path; None if nothing may."""
        described = self._described(path)
        if described is None:
            return None
        options = [option for one in described for option in self._options(one)]
        words = tuple(dict.fromkeys(word for option in options for word in _words(option)))
        forms = dict.fromkeys(self._form(option) for option in options if option.get("type") != "null")
        default = next((one["default"] for one in described if one.get("default") not in (None, "", {})), None)
        meaning = next((said for one in described if (said := _meaning(one, self._options(one)))), "")
        only = bool(words) and all(any(_words(option)) or option.get("type") == "null" for option in options)
        return Value(meaning, " or ".join(forms), words, only, _shown(default) if default is not None else None)

    def is_list(self, path: KeyPath) -> bool:
        """Whether a list of mappings stands at a path."""
        return any(node.get("type") == "array" for node in self._at(path)) and bool(self.keys((*path, 0)))

    def _at(self, path: KeyPath) -> tuple[_Node, ...]:
        described = self._described(path)
        return tuple(option for one in described or () for option in self._options(one))

    def _described(self, path: KeyPath) -> tuple[_Node, ...] | None:
        """The schemas of a place as they are written there, references unresolved."""
        nodes: tuple[_Node, ...] = (self.root,)
        for segment in path:
            options = [option for node in nodes for option in self._options(node)]
            nodes = tuple(found for option in options if (found := _inside(option, segment)) is not None)
            if not nodes:
                return None
        return nodes

    def _options(self, node: _Node) -> tuple[_Node, ...]:
        """The alternatives of a schema, references resolved."""
        reference = node.get("$ref")
        if isinstance(reference, str):
            target = _mapping(self.root.get("$defs")).get(reference.rpartition("/")[2], {})
            return self._options(target)
        for word in ("anyOf", "oneOf"):
            listed = node.get(word)
            if isinstance(listed, list):
                return tuple(option for one in listed if isinstance(one, Mapping) for option in self._options(one))
        return (node,)

    def _form(self, option: _Node) -> str:
        kind = option.get("type")
        if kind == "array":
            items = option.get("items")
            inner = self._options(items) if isinstance(items, Mapping) else ()
            return "list of " + (" or ".join(dict.fromkeys(_several(self._form(one)) for one in inner)) or "values")
        names = {"string": "text", "object": "mapping", "integer": "whole number", "boolean": "true or false"}
        kinds = kind if isinstance(kind, list) else [kind]
        return " or ".join(names.get(str(one), str(one)) for one in kinds if one is not None) or "value"


def _several(form: str) -> str:
    return form if form == "true or false" else f"{form}s"


def _inside(option: _Node, segment: str | int) -> _Node | None:
    if isinstance(segment, int):
        items = option.get("items")
        return items if isinstance(items, Mapping) else None
    found = _mapping(option.get("properties")).get(segment)
    if found is not None:
        return found
    other = option.get("additionalProperties")
    return other if isinstance(other, Mapping) else None


def _mapping(value: object) -> Mapping[str, _Node]:
    return value if isinstance(value, Mapping) else {}


def _words(option: _Node) -> Iterator[str]:
    listed = option.get("enum")
    yield from (_shown(word) for word in (listed if isinstance(listed, list) else ()))
    if "const" in option:
        yield _shown(option["const"])
    if option.get("type") == "boolean":
        yield from ("true", "false")


def _meaning(described: _Node, options: tuple[_Node, ...]) -> str:
    """What a schema says of itself, else what the one it refers to says."""
    for one in (described, *options):
        said = one.get("description")
        if isinstance(said, str):
            return said
    return ""


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(_shown, value)) if isinstance(value, list) else str(value)
