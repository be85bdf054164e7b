"""Which models and seeds a command is about: names, graph operators, tags, paths, globs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from smelt.project.model import Address, Project
from smelt.text.identifiers import did_you_mean, fold


@dataclass(frozen=True, slots=True)
class SelectorError:
    """A selector that matches nothing; ``help`` offers the nearest names."""

    selector: str
    message: str
    help: str


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected models and seeds: seeds first, then models in build order."""

    addresses: tuple[Address, ...]
    errors: tuple[SelectorError, ...] = ()


def select(project: Project, include: Sequence[str], exclude: Sequence[str]) -> Selection:
    """What the selectors name; without ``include`` everything.

    A selector is a name, a glob, ``tag:x`` or ``path:folder``; ``+`` before it adds what it reads, ``+`` behind
    it what reads it. Names may begin with ``smelt.``; upper and lower case do not count.
    """
    errors: list[SelectorError] = []
    universe = _universe(project)
    chosen: set[Address] = set() if include else set(universe)
    for selector in include:
        chosen |= _matched(project, universe, selector, errors)
    for selector in exclude:
        chosen -= _matched(project, universe, selector, errors)
    return Selection(tuple(address for address in universe if address in chosen), tuple(errors))


def _universe(project: Project) -> tuple[Address, ...]:
    rest = tuple(address for address in project.models if address not in project.order)
    return (*sorted(project.seeds), *project.order, *sorted(rest))


def _matched(project: Project, universe: Sequence[Address], selector: str, errors: list[SelectorError]) -> set[Address]:
    core = selector.removeprefix("+").removesuffix("+")
    found = {address for address in universe if _matches(project, address, core)}
    if not found:
        message, help_text = _nothing(project, universe, core)
        errors.append(SelectorError(selector, message, help_text))
        return set()
    up = _closure(found, _reads(project)) if selector.startswith("+") else set()
    down = _closure(found, _readers(project)) if selector.endswith("+") else set()
    return (found | up | down) & set(universe)


def _nothing(project: Project, universe: Sequence[Address], core: str) -> tuple[str, str]:
    name = core.removeprefix("smelt.")
    if any(fold(str(address)) == fold(name) for address in project.sources):
        return f"`{name}` is a source, which others load", "select the models that read it: " + f"`{name}+` is not one"
    candidates = [str(address) for address in universe]
    if core.startswith("tag:"):
        tags = sorted({tag for model in project.models.values() for tag in model.frontmatter.tags})
        return f"nothing has the tag `{core[4:]}`", did_you_mean(core[4:], tags) or "tags: " + (
            ", ".join(tags) or "none"
        )
    if core.startswith("path:"):
        return f"nothing lies under `{core[5:]}`", "give a folder or file under the project's root"
    return f"nothing is called `{core}`", did_you_mean(name, candidates) or "see `smelt list`"


def _matches(project: Project, address: Address, core: str) -> bool:
    model = project.models.get(address)
    if core.startswith("tag:"):
        return model is not None and core[4:] in model.frontmatter.tags
    if core.startswith("path:"):
        file = model.file if model is not None else project.seeds[address].file
        wanted = core[5:].strip("/")
        return file == wanted or file.startswith(wanted + "/") or fnmatchcase(file, wanted)
    name = fold(core.removeprefix("smelt."))
    return fnmatchcase(fold(str(address)), name) if any(mark in name for mark in "*?[") else fold(str(address)) == name


def _reads(project: Project) -> Mapping[Address, tuple[Address, ...]]:
    return {
        address: tuple(reference.address for reference in model.references) for address, model in project.models.items()
    }


def _readers(project: Project) -> Mapping[Address, tuple[Address, ...]]:
    readers: dict[Address, list[Address]] = {}
    for address, reads in _reads(project).items():
        for read in reads:
            readers.setdefault(read, []).append(address)
    return {address: tuple(found) for address, found in readers.items()}


def _closure(start: Iterable[Address], edges: Mapping[Address, tuple[Address, ...]]) -> set[Address]:
    reached: set[Address] = set()
    waiting = list(start)
    while waiting:
        address = waiting.pop()
        if address not in reached:
            reached.add(address)
            waiting += edges.get(address, ())
    return reached
