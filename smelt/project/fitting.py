"""Whether a mapping fits its grammar, and each thing in it that does not."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from smelt.project.model import KeyPath


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing in a mapping that its grammar does not allow.

    Attributes:
        kind: an unknown key, a missing key, or a value that does not fit.
        path: to the key or value; for a missing key, to the mapping that lacks it.
        key: the unknown or missing key; empty for a value.
        choices: the keys, or the values, that would do; empty if they cannot be listed.
        expected: what would do, in words; empty if ``choices`` say it.
    """

    kind: Literal["unknown_key", "missing_key", "value"]
    path: KeyPath
    key: str = ""
    choices: tuple[str, ...] = ()
    expected: str = ""


Grammar = TypeVar("Grammar", bound=BaseModel)

_EXPECTED = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "string_too_short": "a text that is not empty",
    "too_short": "at least one",
    "string_pattern_mismatch": "a number and a unit, such as 90 days",
}


def fit(kind: type[Grammar], values: Mapping[str, object]) -> tuple[Grammar | None, tuple[Problem, ...]]:
    """The mapping as its grammar reads it, or every problem with it."""
    try:
        return kind.model_validate(values), ()
    except ValidationError as error:
        problems = {_problem(kind, values, detail): None for detail in error.errors(include_url=False)}
        return None, _first_at_each_place(problems)


def _first_at_each_place(problems: Mapping[Problem, None]) -> tuple[Problem, ...]:
    """A value that fits none of several types is one fault, not one for each type."""
    first: dict[tuple[KeyPath, str], Problem] = {}
    for problem in problems:
        first.setdefault((problem.path, problem.key), problem)
    return tuple(first.values())


def _problem(kind: type[BaseModel], values: Mapping[str, object], detail: Any) -> Problem:
    location: KeyPath = detail["loc"]
    if detail["type"] == "missing":
        return Problem("missing_key", _path_in(values, location[:-1]), str(location[-1]))
    if detail["type"] == "extra_forbidden":
        parent = _path_in(values, location[:-1])
        return Problem("unknown_key", (*parent, location[-1]), str(location[-1]), _keys_at(kind, parent))
    path = _path_in(values, location)
    if detail["type"] == "literal_error":
        choices = re.findall(r"'([^']*)'|(\d+)", detail["ctx"]["expected"])
        return Problem("value", path, choices=tuple(text or number for text, number in choices))
    if detail["type"] in ("greater_than_equal", "less_than_equal"):
        word, bound = ("at least", "ge") if detail["type"] == "greater_than_equal" else ("at most", "le")
        return Problem("value", path, expected=f"a number of {word} {detail['ctx'][bound]}")
    expected = _EXPECTED.get(detail["type"]) or str(detail["msg"]).removeprefix("Value error, ")
    return Problem("value", path, expected=expected)


def _path_in(values: object, location: KeyPath) -> KeyPath:
    """pydantic's path without the steps it adds for the alternatives of a union."""
    path: list[str | int] = []
    here: Any = values
    for step in location:
        known = step in here if isinstance(here, dict) else isinstance(here, list) and step in range(len(here))
        if known:
            here = here[step]
            path.append(step)
    return tuple(path)


def _keys_at(kind: type[BaseModel], path: KeyPath) -> tuple[str, ...]:
    """The keys that the grammar has for the mapping at a path."""
    annotations: list[object] = [kind]
    for step in path:
        annotations = [inner for annotation in annotations for inner in _inside(annotation, step)]
    models = [model for annotation in annotations for model in _alternatives(annotation) if _is_model(model)]
    return tuple(info.alias or name for model in models for name, info in model.model_fields.items())


def _inside(annotation: object, step: str | int) -> list[object]:
    found: list[object] = []
    for one in _alternatives(annotation):
        if _is_model(one):
            found += [info.annotation for name, info in one.model_fields.items() if (info.alias or name) == step]
        elif get_origin(one) in (list, dict):
            found.append(get_args(one)[-1])
    return found


def _alternatives(annotation: object) -> list[Any]:
    """The types an annotation allows, without ``Annotated`` and unions."""
    if get_origin(annotation) in (None, list, dict, Literal):
        return [annotation]
    parts = get_args(annotation)[:1] if get_origin(annotation) is Annotated else get_args(annotation)
    return [one for part in parts for one in _alternatives(part)]


def _is_model(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
