"""Which models and seeds a command is about: names, graph operators, tags, paths, globs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    """What the selectors name, all together; without ``include`` everything.

    A selector is a name, a glob over names, ``tag:x`` or ``path:folder``; a ``+`` before it adds what it reads, a
    ``+`` behind it what reads it, each over any distance. Names may begin with ``smelt.``; upper and lower case do
    not count. Sources are not built, but what reads one can be selected by ``source+``.
    """
    graph = _Graph.of(project)
    errors: list[SelectorError] = []
    chosen: set[Address] = set() if include else set(graph.built)
    for selector in include:
        chosen |= _matched(project, graph, selector, errors)
    for selector in exclude:
        chosen -= _matched(project, graph, selector, errors)
    return Selection(tuple(address for address in graph.built if address in chosen), tuple(errors))


@dataclass(frozen=True, slots=True)
class _Graph:
    """``built``: what can be selected, in order. ``reads`` and ``readers``: the edges, both ways."""

    built: tuple[Address, ...]
    reads: Mapping[Address, frozenset[Address]]
    readers: Mapping[Address, frozenset[Address]]

    @classmethod
    def of(cls, project: Project) -> "_Graph":
        on_cycles = sorted(set(project.models) - set(project.order))
        reads = {
            address: frozenset(reference.address for reference in model.references)
            for address, model in project.models.items()
        }
        readers: dict[Address, set[Address]] = {}
        for address, sources in reads.items():
            for source in sources:
                readers.setdefault(source, set()).add(address)
        return cls(
            (*sorted(project.seeds), *project.order, *on_cycles),
            reads,
            {address: frozenset(found) for address, found in readers.items()},
        )


def _matched(project: Project, graph: _Graph, selector: str, errors: list[SelectorError]) -> set[Address]:
    core = selector.removeprefix("+").removesuffix("+")
    matches = _matcher(project, core)
    named = {address for address in (*graph.built, *project.sources) if matches(address)}
    found = set(named)
    if selector.startswith("+"):
        found |= _closure(named, graph.reads)
    if selector.endswith("+"):
        found |= _closure(named, graph.readers)
    found &= set(graph.built)
    if not found and not (named and core != selector):
        message, help_text = _nothing(project, graph, core)
        errors.append(SelectorError(selector, message, help_text))
    return found


def _matcher(project: Project, core: str) -> Callable[[Address], bool]:
    if core.startswith("tag:"):
        wanted = core.removeprefix("tag:")
        tagged = {address for address, model in project.models.items() if wanted in model.frontmatter.tags}
        return tagged.__contains__
    if core.startswith("path:"):
        path = core.removeprefix("path:").removeprefix("./").rstrip("/")
        return lambda address: any(_lies_at(file, path) for file in _files(project, address))
    name = fold(core)
    patterns = (name, name.removeprefix("smelt."))
    if any(mark in name for mark in "*?["):
        return lambda address: any(fnmatchcase(fold(str(address)), pattern) for pattern in patterns)
    return lambda address: fold(str(address)) in patterns


def _files(project: Project, address: Address) -> Iterable[str]:
    if address in project.models:
        yield project.models[address].file
    if address in project.seeds:
        yield project.seeds[address].file
    if address in project.sources:
        yield project.sources[address].marks.file


def _lies_at(file: str, path: str) -> bool:
    return path in ("", ".", file) or file.startswith(f"{path}/") or fnmatchcase(file, path)


def _closure(start: Iterable[Address], edges: Mapping[Address, frozenset[Address]]) -> set[Address]:
    reached: set[Address] = set()
    waiting = list(start)
    while waiting:
        address = waiting.pop()
        if address not in reached:
            reached.add(address)
            waiting += edges.get(address, ())
    return reached


def _nothing(project: Project, graph: _Graph, core: str) -> tuple[str, str]:
    if core.startswith("tag:"):
        tag = core.removeprefix("tag:")
        tags = sorted({tag for model in project.models.values() for tag in model.frontmatter.tags})
        known = f"tags in use: {', '.join(tags)}" if tags else "no model has a tag"
        return (f"nothing has the tag `{tag}`", did_you_mean(tag, tags) or known)
    if core.startswith("path:"):
        path = core.removeprefix("path:")
        return (f"nothing lies at `{path}`", "give a folder or a file, relative to the project")
    matches = _matcher(project, core)
    source = next((address for address in project.sources if matches(address)), None)
    if source is not None:
        message = f"`{source}` is a source, which others load"
        return (message, f"`{source}+` selects the models that read it")
    names = [str(address) for address in graph.built]
    name = core.removeprefix("smelt.")
    return (f"nothing is called `{name}`", did_you_mean(name, names) or "`smelt list` lists them")
