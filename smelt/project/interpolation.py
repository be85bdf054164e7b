"""``${NAME}`` in ``smelt.yml``: the environment's value, and where a name is not set."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from smelt.diagnostics.model import Diagnostic, Location
from smelt.project.model import KeyPath
from smelt.project.rules import invalid_value, undefined_variable
from smelt.project.yaml import Value, YamlFile
from smelt.text.spans import Span

_DOLLAR = re.compile(r"\$\$|\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}|(?P<odd>\$\{[^}]*\}?)")


@dataclass(frozen=True, slots=True)
class Interpolated:
    """The values with variables replaced. ``secrets`` are those that came in, never to be printed."""

    values: dict[str, Value]
    secrets: frozenset[str]
    diagnostics: tuple[Diagnostic, ...]


def interpolate(file: YamlFile, text: str, environment: Mapping[str, str]) -> Interpolated:
    """Replace ``${NAME}`` in every text value, and ``$$`` by a dollar.

    Args:
        file: the document as read.
        text: its text, in which the exact place of a variable is looked up.
        environment: names to values. A name that is missing is a finding, and stays as it is written.
    """
    walk = _Walk(file, text, environment)
    values = {key: walk.value(value, (key,)) for key, value in file.values.items()}
    return Interpolated(values, frozenset(walk.secrets), tuple(walk.found))


@dataclass(slots=True)
class _Walk:
    file: YamlFile
    text: str
    environment: Mapping[str, str]
    secrets: set[str] = field(default_factory=set)
    found: list[Diagnostic] = field(default_factory=list)

    def value(self, value: Value, path: KeyPath) -> Value:
        if isinstance(value, dict):
            return {key: self.value(inner, (*path, key)) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.value(inner, (*path, index)) for index, inner in enumerate(value)]
        if isinstance(value, str) and "$" in value:
            return self.replaced(value, path)
        return value

    def replaced(self, value: str, path: KeyPath) -> str:
        where = self.file.marks.at(*path)
        places = self.places(where.span)

        def replacement(match: re.Match[str]) -> str:
            place = next(places, where.span)
            name = match["name"]
            if name is not None and name in self.environment:
                if self.environment[name]:
                    self.secrets.add(self.environment[name])
                return self.environment[name]
            if match[0] == "$$":
                return "$"
            location = Location(where.file, place)
            self.found.append(
                undefined_variable.finding(location, name, path)
                if name is not None
                else invalid_value.finding(location, path, match[0], "a variable such as ${NAME}, or $$ for a dollar")
            )
            return match[0]

        return _DOLLAR.sub(replacement, value)

    def places(self, span: Span) -> Iterator[Span]:
        """Where the document has them, in order."""
        return (Span(*match.span()) for match in _DOLLAR.finditer(self.text, span.start, span.end))
