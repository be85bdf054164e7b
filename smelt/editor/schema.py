"""What the published schemas say of a place in a YAML file: the same that other editors read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from smelt.editor.snapshot import Snapshot
from smelt.project.model import KeyPath
from smelt.project.schemas import NOT_YET, GrammarKind, json_schema

_Node = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Key:
    """A key that may stand in a mapping; it is refused today if it is not ``available``."""

    name: str
    meaning: str
    required: bool
    nested: bool
    available: bool = True


@dataclass(frozen=True, slots=True)
class Value:
    """What may stand at a place.

    Attributes:
        meaning: a sentence; may be empty.
        form: its type, such as ``text`` or ``list of mapping``.
        words: the words it may be.
        only: whether it can be nothing else.
        default: what counts where it is left out; None if that is nothing.
        refused: the words among ``words`` that are not available yet.
    """

    meaning: str
    form: str
    words: tuple[str, ...] = ()
    only: bool = False
    default: str | None = None
    refused: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[str, ...]:
        """The words that are available."""
        return tuple(word for word in self.words if word not in self.refused)


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
                refused = described.get(NOT_YET) is True
                found.setdefault(name, Key(name, _meaning(described, options), must, nested, not refused))
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
        shown = _shown(default) if default is not None else None
        return Value(meaning, _either(tuple(forms)), words, only, shown, tuple(_refused(described)))

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
        if option.get("type") != "array":
            return _either(tuple(_NAMES.get(kind, kind) for kind in _kinds(option))) or "value"
        items = option.get("items")
        inner = self._options(items) if isinstance(items, Mapping) else ()
        kinds = dict.fromkeys(kind for one in inner for kind in _kinds(one))
        if "number" in kinds:
            kinds.pop("integer", None)
        return "list of " + (_either(tuple(_NAMES_OF_SEVERAL.get(kind, kind) for kind in kinds)) or "values")


_NAMES = {"string": "text", "object": "mapping", "integer": "whole number", "boolean": "true or false"}
_NAMES_OF_SEVERAL = {
    "string": "texts", "object": "mappings", "integer": "whole numbers", "number": "numbers", "boolean": "true or false"
}  # fmt: skip


def _kinds(option: _Node) -> tuple[str, ...]:
    """The types that a schema names."""
    kind = option.get("type")
    return tuple(str(one) for one in (kind if isinstance(kind, list) else [kind]) if one is not None)


def _either(words: tuple[str, ...]) -> str:
    """The words as alternatives; `true or false` is two of them."""
    *most, last = words or ("",)
    if not most:
        return last
    return f"{', '.join(most)}{', ' if ' or ' in last else ' or '}{last}"


def _refused(described: tuple[_Node, ...]) -> Iterator[str]:
    for one in described:
        listed = one.get(NOT_YET)
        yield from map(str, listed if isinstance(listed, list) else ())


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
