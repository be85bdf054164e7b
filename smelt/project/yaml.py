"""YAML with a place for every key and value.

Scalars are read as YAML 1.2 has them: ``no`` and ``on`` are texts, ``010`` is ten, ``12:30`` is a text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import yaml

from smelt.diagnostics.model import Diagnostic, Location, report
from smelt.project.model import KeyPath, Marks
from smelt.project.rules import yaml_duplicate_key, yaml_syntax
from smelt.text.spans import Span

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]

MAX_NODES = 200_000
MAX_DEPTH = 60

_NULL = {"", "~", "null", "Null", "NULL"}
_TRUE = {"true", "True", "TRUE"}
_FALSE = {"false", "False", "FALSE"}
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL_OR_HEX = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class YamlFile:
    """A mapping read from a text; ``values`` is empty if nothing could be read."""

    values: dict[str, Value]
    marks: Marks
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(slots=True)
class _Reader:
    """Walks the node tree of one document; the lists grow while it walks and are handed out once."""

    file: str
    shift: int
    text: str
    keys: dict[KeyPath, Span] = field(default_factory=dict)
    values: dict[KeyPath, Span] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    active: set[int] = field(default_factory=set)
    count: int = 0

    def span(self, node: yaml.Node) -> Span:
        start, end = node.start_mark.index, node.end_mark.index
        while end > start and self.text[end - 1 : end].isspace():
            end -= 1
        return Span(start + self.shift, end + self.shift)

    def refuse(self, node: yaml.Node, problem: str) -> None:
        self.found.append(report(yaml_syntax.CODE, Location(self.file, self.span(node)), problem=problem))

    def read(self, node: yaml.Node, path: KeyPath) -> Value:
        self.count += 1
        if self.count > MAX_NODES or len(path) > MAX_DEPTH:
            if self.count == MAX_NODES + 1 or len(path) > MAX_DEPTH:
                self.refuse(node, "the document is too large or nested too deeply")
            return None
        if id(node) in self.active:
            self.refuse(node, "an alias refers to a value that holds it")
            return None
        self.values[path] = self.span(node)
        self.active.add(id(node))
        try:
            return self._value(node, path)
        finally:
            self.active.discard(id(node))

    def _value(self, node: yaml.Node, path: KeyPath) -> Value:
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            items: list[Value] = []
            for index, item in enumerate(node.value):
                self.keys[(*path, index)] = self.span(item)
                items.append(self.read(item, (*path, index)))
            return items
        return _scalar(node)

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Value]:
        result: dict[str, Value] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.refuse(key_node, "a key must be a plain text")
                continue
            key = key_node.value
            if key == "<<":
                self.refuse(key_node, "merge keys are not part of YAML 1.2")
                continue
            if key in result:
                first = Location(self.file, self.keys[(*path, key)])
                self.found.append(
                    yaml_duplicate_key.finding(Location(self.file, self.span(key_node)), first, key),
                )
                continue
            self.keys[(*path, key)] = self.span(key_node)
            result[key] = self.read(value_node, (*path, key))
        return result


def _scalar(node: yaml.Node) -> Value:
    text: str = node.value
    if getattr(node, "style", None) in ("'", '"', "|", ">"):
        return text
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.fullmatch(text) and len(text) < 400:
        return int(text)
    if _OCTAL_OR_HEX.fullmatch(text):
        return int(text, 0)
    return float(text) if _FLOAT.fullmatch(text) else text


def read_mapping(file: str, text: str, span: Span) -> YamlFile:
    """The mapping written in ``span`` of the document ``text``.

    Never raises for any text. Positions are offsets into the whole document. An empty document is an empty
    mapping.
    """
    body = span.of(text)
    skip = 1 if body.startswith("\ufeff") else 0
    body = body[skip:]
    reader = _Reader(file, span.start + skip, body)
    whole = Span(span.start, max(span.end, span.start))
    try:
        node = yaml.compose(body, Loader=_Loader)
    except yaml.YAMLError as error:
        return YamlFile({}, Marks(file, whole=whole), (_syntax(file, body, reader.shift, error),))
    except (RecursionError, ValueError):
        problem = "the document cannot be read"
        return YamlFile(
            {}, Marks(file, whole=whole), (report(yaml_syntax.CODE, Location(file, whole), problem=problem),)
        )
    if node is None:
        return YamlFile({}, Marks(file, whole=whole))
    if not isinstance(node, yaml.MappingNode):
        reader.refuse(node, "the document is not a mapping of keys to values")
        return YamlFile({}, Marks(file, whole=whole), tuple(reader.found))
    values = reader.read(node, ())
    marks = Marks(file, reader.keys, reader.values, whole)
    return YamlFile(values if isinstance(values, dict) else {}, marks, tuple(_in_order(reader.found)))


def _in_order(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(found, key=lambda diagnostic: diagnostic.location.span)


def _syntax(file: str, body: str, shift: int, error: yaml.YAMLError) -> Diagnostic:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read")
    position = getattr(error, "position", None)
    at = mark.index if mark is not None else position if isinstance(position, int) else 0
    at = min(at, len(body))
    end = at
    while end < len(body) and body[end] not in "\r\n":
        end += 1
    while at > 0 and at == end and body[at - 1 : at].isspace():
        at = end = at - 1
    span = Span(min(at, end) + shift, max(end, min(at + 1, len(body))) + shift)
    return report(yaml_syntax.CODE, Location(file, span), problem=problem)
