"""From a YAML mapping to a spec of its grammar, with one finding for each thing that does not fit."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Generic

from smelt.diagnostics.model import Diagnostic, Location
from smelt.project.fitting import Grammar, Problem, fit
from smelt.project.model import KeyPath
from smelt.project.quoting import is_free_text
from smelt.project.rules import invalid_value, missing_key, unknown_key
from smelt.project.yaml import Cut, YamlFile
from smelt.text.identifiers import nearest


@dataclass(frozen=True, slots=True)
class Validated(Generic[Grammar]):
    """What could be read of a mapping.

    Attributes:
        spec: the mapping without what does not fit; None if what is left is no whole.
        dropped: the top-level keys whose values did not fit.
    """

    spec: Grammar | None
    diagnostics: tuple[Diagnostic, ...]
    dropped: frozenset[str] = frozenset()


def validate(
    kind: type[Grammar],
    file: YamlFile,
    values: Mapping[str, object],
    *,
    droppable: Collection[str] = (),
    safe: bool = True,
) -> Validated[Grammar]:
    """Read a mapping by its grammar.

    An unknown key is a finding and is left out, so that one typing error does not hide the rest of a file. So is a
    value that does not fit, if its top-level key can be done without.

    Args:
        kind: the grammar.
        file: the document as written: places, and the values that messages may show.
        values: what to read, with variables replaced.
        droppable: the top-level keys that can be done without.
        safe: whether a fix may be safe; not where values state facts about the world.
    """
    spec, problems = fit(kind, values)
    if not problems:
        return Validated(spec, ())
    cuts = _cuts(file, problems)
    if cuts:
        whole = validate(kind, file, _joined(values, cuts), droppable=droppable, safe=safe)
        return replace(whole, diagnostics=(*_rests(file, cuts), *whole.diagnostics))
    found = tuple(_finding(file, problem, safe=safe) for problem in _causes(problems, values))
    unfit = {str(problem.path[0]) for problem in problems if problem.kind != "unknown_key" and problem.path}
    at_top = any(problem.kind == "missing_key" and not problem.path for problem in problems)
    if at_top or not unfit <= set(droppable):
        return Validated(None, found)
    unwanted = [problem.path for problem in problems if problem.kind == "unknown_key"]
    healthy = {key: value for key, value in _without(values, unwanted).items() if key not in unfit}
    return Validated(fit(kind, healthy)[0], found, frozenset(unfit))


def _cuts(file: YamlFile, problems: Iterable[Problem]) -> dict[KeyPath, Cut]:
    """The unknown keys that are the rest of a text, and no slip of a key that could stand there."""
    return {
        one.path: file.cuts[one.path]
        for one in problems
        if one.kind == "unknown_key" and one.path in file.cuts and not _is_meant(one.key, one.choices)
    }


def _is_meant(key: str, choices: Collection[str]) -> bool:
    return key.partition(":")[0] in choices or bool(nearest(key, choices))


def _joined(values: Mapping[str, object], cuts: Mapping[KeyPath, Cut]) -> dict[str, object]:
    """A copy in which texts that a comma cut are whole."""
    result = deepcopy(_without(values, cuts))
    for cut in sorted(cuts.values(), key=lambda one: one.span):
        holder = _at(result, cut.path[:-1])
        if isinstance(holder, dict):
            holder[cut.path[-1]] = cut.text
    return result


def _rests(file: YamlFile, cuts: Mapping[KeyPath, Cut]) -> Iterator[Diagnostic]:
    """One finding for each text, in however many pieces it was cut."""
    last = {cut.path: cut for cut in sorted(cuts.values(), key=lambda one: one.span)}
    first = {cut.path: key for key, cut in sorted(cuts.items(), key=lambda one: one[1].span, reverse=True)}
    for path, cut in last.items():
        begun = str(_at(file.values, path))
        certain = is_free_text(str(path[-1])) or (begun.count("(") > begun.count(")") and _is_closed(cut.text))
        yield unknown_key.cut(Location(file.marks.file, cut.span), str(first[path][-1]), cut.text, certain=certain)


def _is_closed(text: str) -> bool:
    return text.count("(") == text.count(")")


def _causes(problems: Iterable[Problem], values: Mapping[str, object]) -> list[Problem]:
    """The problems without the missing keys that are only written wrongly: one cause, one finding."""
    problems = tuple(problems)
    meant = {
        (problem.path[:-1], name)
        for problem in problems
        if problem.kind == "unknown_key"
        for name in nearest(problem.key, _absent(problem, values))[:1]
    }
    return [
        problem for problem in problems if problem.kind != "missing_key" or (problem.path, problem.key) not in meant
    ]


def _absent(problem: Problem, values: object) -> tuple[str, ...]:
    """The keys that could stand there: those of the grammar that are not there already."""
    return tuple(choice for choice in problem.choices if choice not in _keys(values, problem.path[:-1]))


def _keys(values: object, path: KeyPath) -> Collection[object]:
    inner = _at(values, path)
    return inner if isinstance(inner, dict) else ()


def _finding(file: YamlFile, problem: Problem, *, safe: bool) -> Diagnostic:
    marks = file.marks
    if problem.kind == "unknown_key":
        taken = {str(key) for key in _keys(file.values, problem.path[:-1])}
        return unknown_key.finding(marks.key(*problem.path), problem.key, problem.choices, taken)
    if problem.kind == "missing_key":
        return missing_key.finding(marks, problem.path, problem.key)
    written = _at(file.values, problem.path)
    if problem.choices:
        return invalid_value.choice(marks.at(*problem.path), problem.path, written, problem.choices, safe=safe)
    return invalid_value.finding(marks.at(*problem.path), problem.path, written, problem.expected)


def _at(values: object, path: KeyPath) -> object:
    here = values
    for step in path:
        if isinstance(here, dict):
            here = here.get(step)
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            here = here[step]
    return here


def _without(values: Mapping[str, object], paths: Iterable[KeyPath]) -> dict[str, object]:
    """A copy without the keys at some paths."""
    result = dict(values)
    for path in paths:
        _remove(result, path)
    return result


def _remove(values: dict[str, object] | list[object], path: KeyPath) -> None:
    """Take one key out; the containers on the way to it are copied, so that what was given stays as it is."""
    step, rest = path[0], path[1:]
    if not rest:
        if isinstance(values, dict):
            values.pop(str(step), None)
        return
    inner = values[str(step)] if isinstance(values, dict) else values[int(step)]
    copy = dict(inner) if isinstance(inner, dict) else list(inner) if isinstance(inner, list) else None
    if copy is None:
        return
    if isinstance(values, dict):
        values[str(step)] = copy
    else:
        values[int(step)] = copy
    _remove(copy, rest)
