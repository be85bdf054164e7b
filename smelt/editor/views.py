"""What an editor shows in views of its own: a model explained, its statements, the project's graph, its check.

Plain records, ready to be drawn: what stands where and what is said are decided here, and a client only paints it.
The picture of a fold is in :mod:`smelt.editor.timeline`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from smelt.analysis.model import ModelAnalysis
from smelt.editor.snapshot import Snapshot
from smelt.engines.duckdb.script import statements_text, whole_text
from smelt.explain.model import explain_text
from smelt.project.layout import PROJECT_FILE
from smelt.project.model import Address, Model, Project, Source, Target

NodeKind = Literal["source", "seed", "succession", "table", "view", "refused"]


@dataclass(frozen=True, slots=True)
class Explained:
    """A model as ``smelt explain`` tells it; a refused one by its refusals."""

    model: str
    text: str
    refused: bool


@dataclass(frozen=True, slots=True)
class CompiledSql:
    """The statements that keep a model, as ``smelt explain --sql`` prints them; of a refused one its refusals."""

    model: str
    text: str
    refused: bool


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A relation of the project.

    Attributes:
        name: its address.
        kind: what it is; a model's is how it is kept.
        detail: one line about it: the identity of a history, the codes of a refusal, the facts of a source.
        file: where it is written, below the project's folder; of a seed without a sidecar its CSV file.
        layer: one more than the highest of those it reads; inputs are at 0.
        place: its position within its layer, from 0.
    """

    name: str
    kind: NodeKind
    detail: str
    file: str
    layer: int
    place: int


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """``to`` reads ``source``; both are names of nodes."""

    source: str
    to: str


@dataclass(frozen=True, slots=True)
class Graph:
    """A project's relations, and which reads which."""

    project: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of a project found, in numbers."""

    project: str
    models: int
    errors: int
    warnings: int
    files: int


def explained(snapshot: Snapshot, file: str) -> Explained | None:
    """The explanation of the model in a file; None if it holds none."""
    found = snapshot.model(file)
    if found is None:
        return None
    return Explained(str(found.model.address), explain_text(found, snapshot.texts), found.kind == "refused")


def compiled_sql(snapshot: Snapshot, file: str) -> CompiledSql | None:
    """The statements of the model in a file, for the default target; None if it holds none."""
    found, analysis = snapshot.model(file), snapshot.analysis
    if found is None or analysis is None:
        return None
    name, project = str(found.model.address), analysis.project
    config = project.config
    target = config.targets.get(config.default_target) if config is not None else None
    if found.kind == "refused" or target is None:
        told = explain_text(found, snapshot.texts).splitlines()
        return CompiledSql(name, "".join(f"{f'-- {line}'.rstrip()}\n" for line in told), refused=True)
    return CompiledSql(name, _statements(found, project, target), refused=False)


def _statements(found: ModelAnalysis, project: Project, target: Target) -> str:
    if found.shape is None:
        return whole_text(found, project, target)
    return statements_text(found, project.sources[found.shape.source], target, None)


def graph(snapshot: Snapshot) -> Graph:
    """The graph of a project; without a node if it could not be looked at. Judges no model."""
    project = snapshot.project
    if project is None:
        return Graph(_name(snapshot), (), ())
    told = {**_inputs(project), **{address: _model(snapshot, model) for address, model in project.models.items()}}
    below = {address: _reads(project.models.get(address)) for address in told}
    edges = tuple(
        GraphEdge(str(read), str(address)) for address, among in below.items() for read in among if read in below
    )
    nodes = []
    for layer, addresses in enumerate(_layers(project, below)):
        for place, address in enumerate(addresses):
            kind, detail, file = told[address]
            nodes.append(GraphNode(str(address), kind, detail, file, layer, place))
    return Graph(_name(snapshot), tuple(nodes), edges)


def checked(snapshot: Snapshot) -> Checked:
    """How many findings a look at a project had."""
    found = [finding for findings in snapshot.findings.values() for finding in findings]
    errors = sum(finding.is_error for finding in found)
    warnings = sum(finding.severity.value == "warning" for finding in found)
    models = len(snapshot.project.models) if snapshot.project is not None else 0
    return Checked(_name(snapshot), models, errors, warnings, len(snapshot.findings))


def project_file(root: Path) -> Path:
    """The file that makes a folder a project: it stands for the project where no other file is named."""
    return root / PROJECT_FILE


def _name(snapshot: Snapshot) -> str:
    config = snapshot.project.config if snapshot.project is not None else None
    return config.name if config is not None else snapshot.root.name


_Told = tuple[NodeKind, str, str]


def _inputs(project: Project) -> dict[Address, _Told]:
    """The sources and seeds, by address in order; a model of the same address goes before them."""
    told: dict[Address, _Told] = {}
    for address in sorted({*project.sources, *project.seeds} - set(project.models)):
        source, seed = project.sources.get(address), project.seeds.get(address)
        file = source.marks.file if source is not None else seed.file if seed is not None else ""
        told[address] = ("seed" if seed is not None else "source", _facts(source), file)
    return told


def _facts(source: Source | None) -> str:
    if source is None:
        return ""
    profile = [source.mutation_profile.kind.replace("_", "-")] if source.mutation_profile is not None else []
    clock = [f"clock {source.timeseries.event_time_column}"] if source.timeseries is not None else []
    return ", ".join((*profile, *clock))


def _model(snapshot: Snapshot, model: Model) -> _Told:
    codes = dict.fromkeys(finding.code.name for finding in snapshot.of(model.file) if finding.is_error)
    summary = snapshot.summaries.get(model.address)
    if codes or summary is None or summary.kind == "refused":
        return "refused", ", ".join(codes), model.file
    detail = _BUILT.get(summary.kind) or f"identity {', '.join(summary.identity)}"
    return summary.kind, detail, model.file


_BUILT = {"view": "computed when read", "table": "rebuilt by each run"}


def _reads(model: Model | None) -> tuple[Address, ...]:
    return tuple(dict.fromkeys(reference.address for reference in model.references)) if model is not None else ()


def _layers(project: Project, below: Mapping[Address, tuple[Address, ...]]) -> list[list[Address]]:
    """Every relation by layer, each near those it reads; models on a cycle stand above what the others need."""
    depth: dict[Address, int] = {}
    for address in dict.fromkeys((*(one for one in below if one not in project.models), *project.order, *below)):
        if address in below:
            depth[address] = 1 + max((depth.get(read, -1) for read in below[address]), default=-1)
    layers: list[list[Address]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for address, layer in depth.items():
        layers[layer].append(address)
    placed: dict[Address, int] = {}
    for layer_of in layers:
        layer_of.sort(key=lambda one: (_middle(placed.get(read) for read in below[one]), one))
        placed.update({one: place for place, one in enumerate(layer_of)})
    return layers


def _middle(places: Iterable[int | None]) -> float:
    """Where the things a relation reads stand on average."""
    known = [place for place in places if place is not None]
    return sum(known) / len(known) if known else 0.0
