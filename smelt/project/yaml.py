"""YAML with a place for every key and value.

Scalars are read as the core schema of YAML 1.2 has them, not as PyYAML's 1.1: ``no`` and ``on`` are texts,
``010`` is ten, ``12:30`` and ``2024-01-01`` are texts. Hence only the node tree is PyYAML's; values are made here.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import yaml
from yaml.reader import Reader

from smelt.diagnostics.model import Diagnostic, Location, Related
from smelt.project.model import KeyPath, Marks
from smelt.project.quoting import in_quotes
from smelt.project.rules import yaml_duplicate_key, yaml_syntax
from smelt.project.yaml_faults import fault, no_space, no_space_behind_dash
from smelt.project.yaml_stop import Fault, Repair, Stop
from smelt.text.edits import apply_edits
from smelt.text.spans import Span

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]

MAX_NODES = 100_000
"""More values than a file written by hand can have: an alias that doubles itself reaches it at once."""
_MAX_WRITTEN = 2 * MAX_NODES
"""Keys and values that are composed at most."""
_TOO_MANY = f"it holds more than {MAX_NODES} values, counting what aliases repeat"
MAX_DEPTH = 60
_LONGEST_CUT = 2000
"""Characters of a text that commas cut: each of its pieces is kept with all that stands before it."""

_UNTAGGED = "?"


class _Nodes:
    """What is different of PyYAML's loaders here: how nodes are tagged, and that there is a most of them.

    No implicit resolvers: a plain scalar keeps the tag ``?``, so that a tag the author wrote can be told from one that
    PyYAML made up.
    """

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, object]]]] = {}
    DEFAULT_SCALAR_TAG = _UNTAGGED
    DEFAULT_SEQUENCE_TAG = _UNTAGGED
    DEFAULT_MAPPING_TAG = _UNTAGGED
    count = 0

    def descend_resolver(self, parent: yaml.Node | None, index: object) -> None:
        """Called by the loader before each node that is written: a node takes a hundred times its text's room."""
        self.count += 1
        if self.count > _MAX_WRITTEN and parent is not None:
            raise yaml.MarkedYAMLError(problem=_TOO_MANY, problem_mark=parent.start_mark)


# libyaml's parser is ten times faster than the one in Python; both build the same nodes.
_Loader: type[yaml.SafeLoader] = type("_Loader", (_Nodes, getattr(yaml, "CSafeLoader", yaml.SafeLoader)), {})
_CORE = "tag:yaml.org,2002:"
_TAGS = {_UNTAGGED, *(f"{_CORE}{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map"))}

_NULL = {"", "~", "null", "Null", "NULL"}
_TRUE = {"true", "True", "TRUE"}
_FALSE = {"false", "False", "FALSE"}
_INT = re.compile(r"[-+]?[0-9]{1,400}")
_OCTAL_OR_HEX = re.compile(r"0o[0-7]{1,400}|0x[0-9a-fA-F]{1,400}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)")
_COLON = re.compile(r"\s*:")
_BREAK = re.compile(r"\r\n|\r|\n")
_NAN = {".nan", ".NaN", ".NAN"}


@dataclass(frozen=True, slots=True)
class Cut:
    """A text inside ``{}`` of which a comma made a value and keys: its key, and the whole of it."""

    path: KeyPath
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class YamlFile:
    """A mapping read from a text; ``values`` is empty if nothing could be read.

    ``broken`` tells a text that is no mapping at all from one that is merely empty. ``cuts`` are the keys without a
    colon that may be the rest of a text, and that text.
    """

    values: dict[str, Value]
    marks: Marks
    diagnostics: tuple[Diagnostic, ...] = ()
    broken: bool = False
    cuts: Mapping[KeyPath, Cut] = field(default_factory=dict)


def read_mapping(file: str, text: str, span: Span) -> YamlFile:
    """The mapping written in ``span`` of the document ``text``.

    Never raises, whatever the text. Positions are offsets into the whole document. An empty text is an empty
    mapping.
    """
    start = span.start + (1 if text.startswith("\ufeff", span.start, span.end) else 0)
    body = text[start : span.end]
    reader = _Reader(file, start, body)
    try:
        node = yaml.compose(body, Loader=_Loader)
    except yaml.YAMLError as error:
        return _nothing(file, span, _syntax(file, body, start, error))
    except UnicodeEncodeError as error:
        where = Location(file, Span(error.start, error.start + 1).shift(start))
        return _nothing(file, span, yaml_syntax.finding(where, "half a character stands here, which no file can hold"))
    except RecursionError:
        return _nothing(file, span, yaml_syntax.finding(Location(file, span), "it is nested too deeply"))
    if node is None:
        return YamlFile({}, Marks(file, whole=span))
    if not isinstance(node, yaml.MappingNode):
        return _nothing(file, span, _no_mapping(reader, node))
    values = reader.mapping(node, ())
    if reader.dashed is not None:
        return _nothing(file, span, yaml_syntax.explained(file, start, reader.dashed))
    if reader.count > MAX_NODES:
        return _nothing(file, span, *reader.found)
    return YamlFile(values, Marks(file, reader.keys, reader.values, span), tuple(reader.found), cuts=reader.cuts)


def _no_mapping(reader: "_Reader", node: yaml.Node) -> Diagnostic:
    """A text of one line without a space behind its colon is a text; a list is no slip."""
    found = no_space(Stop(reader.text, node.start_mark.index)) if isinstance(node, yaml.ScalarNode) else None
    if found is not None:
        return yaml_syntax.explained(reader.file, reader.shift, found)
    return reader.finding(node, "the document is not a mapping of keys to values", "write `key: value` on each line")


def _nothing(file: str, span: Span, *found: Diagnostic) -> YamlFile:
    return YamlFile({}, Marks(file, whole=span), found, broken=True)


@dataclass(slots=True)
class _Reader:
    """Walks the node tree of one document; what it gathers is handed out once, when the walk is over."""

    file: str
    shift: int
    text: str
    keys: dict[KeyPath, Span] = field(default_factory=dict)
    values: dict[KeyPath, Span] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    cuts: dict[KeyPath, Cut] = field(default_factory=dict)
    dashed: Fault | None = None
    active: set[int] = field(default_factory=set)
    count: int = 0

    def span(self, node: yaml.Node) -> Span:
        start, end = node.start_mark.index, _end(node)
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return Span(start + self.shift, end + self.shift)

    def finding(self, node: yaml.Node, problem: str, advice: str = "") -> Diagnostic:
        return yaml_syntax.finding(Location(self.file, self.span(node)), problem, advice=advice)

    def read(self, node: yaml.Node, path: KeyPath) -> Value:
        self.count += 1
        if self.count > MAX_NODES:
            if self.count == MAX_NODES + 1:
                where = Location(self.file, self.keys[path[:1]])
                self.found = [yaml_syntax.finding(where, _TOO_MANY)]
            return None
        if id(node) in self.active:
            self.found.append(self.finding(node, "an alias stands inside the value that it repeats"))
            return None
        if len(path) > MAX_DEPTH:
            self.found.append(self.finding(node, "it is nested too deeply"))
            return None
        self.values[path] = self.span(node)
        return self.value(node, path)

    def value(self, node: yaml.Node, path: KeyPath) -> Value:
        if node.tag not in _TAGS:
            advice = f"a text that begins with `!` needs quotes: {in_quotes(node.tag)}"
            self.found.append(self.finding(node, f"the tag `{node.tag}` has no meaning here", advice))
            return None
        if isinstance(node, yaml.ScalarNode):
            self.look_for_dash(node)
            return _scalar(node)
        self.active.add(id(node))
        try:
            return self.mapping(node, path) if isinstance(node, yaml.MappingNode) else self.sequence(node, path)
        finally:
            self.active.discard(id(node))

    def look_for_dash(self, node: yaml.Node) -> None:
        """A text that begins its line with a dash reads as a text, and was meant as an item."""
        if self.dashed is None and isinstance(node, yaml.ScalarNode) and not node.style and node.value[:1] == "-":
            self.dashed = no_space_behind_dash(Stop(self.text, node.start_mark.index))

    def sequence(self, node: yaml.Node, path: KeyPath) -> list[Value]:
        items: list[Value] = []
        for index, item in enumerate(node.value):
            self.keys[(*path, index)] = self.span(item)
            items.append(self.read(item, (*path, index)))
        return items

    def mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Value]:
        result: dict[str, Value] = {}
        if node.flow_style:
            self.cuts.update(self.cut(node, path))
        for key_node, value_node in node.value:
            self.look_for_dash(key_node)
            problem = _key_problem(key_node)
            if problem is not None:
                advice = "write a word before the colon, and quotes around a text that begins with `{` or `[`"
                self.found.append(self.finding(key_node, problem, advice))
                continue
            key, span = key_node.value, self.span(key_node)
            if key in result:
                first = Location(self.file, self.keys[(*path, key)])
                self.found.append(yaml_duplicate_key.finding(Location(self.file, span), first, key))
                continue
            self.keys[(*path, key)] = span
            result[key] = self.read(value_node, (*path, key))
        return result

    def cut(self, node: yaml.MappingNode, path: KeyPath) -> Iterator[tuple[KeyPath, Cut]]:
        """The keys of a flow mapping that no colon stands behind, if a plain text stands before them."""
        of: tuple[yaml.Node, yaml.Node] | None = None
        for key, value in node.value:
            alone = value.end_mark.index == value.start_mark.index
            alone = alone and _COLON.match(self.text, key.end_mark.index) is None
            if not alone:
                of = (key, value) if isinstance(value, yaml.ScalarNode) and not value.style and value.value else None
            elif of is not None and isinstance(key, yaml.ScalarNode):
                span = Span(of[1].start_mark.index, key.end_mark.index)
                if len(span) > _LONGEST_CUT:
                    return
                yield (*path, key.value), Cut((*path, of[0].value), span.shift(self.shift), span.of(self.text))


def _key_problem(node: yaml.Node) -> str | None:
    if not isinstance(node, yaml.ScalarNode) or node.tag not in _TAGS:
        return "a key must be a plain text"
    if node.value == "<<" and not node.style:
        return "merge keys are not part of YAML 1.2"
    return None


def _end(node: yaml.Node) -> int:
    """Where the text of a node ends. PyYAML lets a block collection run on to the next token, over comments."""
    last = node
    while isinstance(last, yaml.CollectionNode) and not last.flow_style and last.value:
        child = last.value[-1]
        inner = child[1] if isinstance(child, tuple) else child
        if inner.start_mark.index < node.start_mark.index:  # an alias: its node stands where the anchor is
            return int(node.end_mark.index)
        last = inner
    return int(last.end_mark.index)


def _scalar(node: yaml.ScalarNode) -> Value:
    """The value of a scalar: quoted and block ones are texts; the style of a plain one is None or empty."""
    text: str = node.value
    if node.style or node.tag == f"{_CORE}str":
        return text
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL_OR_HEX.fullmatch(text):
        return int(text, 0)
    if _INFINITE.fullmatch(text):
        return -math.inf if text.startswith("-") else math.inf
    if text in _NAN:
        return math.nan
    return float(text) if _FLOAT.fullmatch(text) else text


def _syntax(file: str, body: str, shift: int, error: yaml.YAMLError) -> Diagnostic:
    """What is wrong there; else where PyYAML stopped, to the end of that line, or the last character of the text."""
    mark = getattr(error, "problem_mark", None)
    context, context_mark = getattr(error, "context", None), getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or "it cannot be read"
    if mark is None:
        odd = Reader.NON_PRINTABLE.search(body)
        at, problem = (odd.start(), f"the character U+{ord(odd[0]):04X} is not allowed") if odd else (0, problem)
        return yaml_syntax.finding(Location(file, Span(at, min(at + 1, len(body))).shift(shift)), problem)
    found = None
    if problem != _TOO_MANY:
        found = fault(Stop(body, mark.index, context_mark.index if context_mark is not None else None))
    if found is not None:
        repair = _worthwhile(body, mark.index, found.repair)
        return yaml_syntax.explained(file, shift, replace(found, repair=repair))
    related = []
    if context is not None and context_mark is not None and context_mark.index != mark.index:
        opened = Span(context_mark.index, min(context_mark.index + 1, len(body))).shift(shift)
        related.append(Related(Location(file, opened), f"{context} that begins here"))
    return yaml_syntax.finding(Location(file, _rest_of_line(body, mark.index).shift(shift)), problem, related)


def _worthwhile(body: str, stopped: int, repair: Repair | None) -> Repair | None:
    """A repair, if it gets the reader past the place where it stopped; not certain if the reader stops there again."""
    if repair is None:
        return None
    passed = stopped + sum(len(edit.text) - len(edit.span) for edit in repair.edits if edit.span.start <= stopped)
    try:
        yaml.compose(apply_edits(body, repair.edits), Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        if mark is None or mark.index <= passed:
            return None
        above = _BREAK.findall(body, 0, max(edit.span.end for edit in repair.edits))
        return replace(repair, certain=repair.certain and mark.line > len(above))
    except RecursionError:
        return None
    return repair


def _rest_of_line(body: str, at: int) -> Span:
    rest = re.compile(r"[^\r\n]*").match(body, at)
    end = rest.end() if rest is not None else len(body)
    end = at + len(body[at:end].rstrip())
    if end > at:
        return Span(at, end)
    last = len(body[:at].rstrip())
    return Span(max(last - 1, 0), last)
