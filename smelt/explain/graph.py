"""The whole project at a glance: what there is, and what reads what."""

from collections.abc import Iterator

from smelt.analysis.model import Analysis, ModelAnalysis
from smelt.diagnostics.cells import one_line
from smelt.explain.model import Json, explain_json, reads, refusals, technique
from smelt.project.model import Address, Project, Source


def graph_text(analysis: Analysis) -> str:
    """One line for each source, seed and model, every model below what it reads; a refused one with its codes."""
    found = [*_inputs(analysis.project), *(_model(analysis.models[address]) for address in _order(analysis))]
    rows = [tuple(map(one_line, row)) for row in found]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
    lines = (f"{name:<{widths[0]}}  {kind:<{widths[1]}}  {detail}".rstrip() for name, kind, detail in rows)
    return "".join(f"{line}\n" for line in lines)


def graph_json(analysis: Analysis) -> Json:
    """Every model as :func:`smelt.explain.model.explain_json` has it, the sources, and the edges between them."""
    project = analysis.project
    models = [analysis.models[address] for address in _order(analysis)]
    return {
        "models": [explain_json(model, project.texts) for model in models],
        "sources": [str(address) for address in sorted(_input_addresses(project))],
        "edges": [
            {"from": str(address), "to": str(model.model.address)} for model in models for address in reads(model)
        ],
    }


def _order(analysis: Analysis) -> tuple[Address, ...]:
    """Every model once: in build order, those on a cycle after the rest."""
    return tuple(dict.fromkeys((*(a for a in analysis.project.order if a in analysis.models), *analysis.models)))


def _input_addresses(project: Project) -> set[Address]:
    return {*project.sources, *project.seeds}


def _inputs(project: Project) -> Iterator[tuple[str, str, str]]:
    for address in sorted(_input_addresses(project)):
        kind = "seed" if address in project.seeds else "source"
        source = project.sources.get(address)
        yield str(address), kind, _facts(source) if source else ""


def _facts(source: Source) -> str:
    facts = []
    if source.mutation_profile:
        facts.append(source.mutation_profile.kind.replace("_", "-"))
    if source.timeseries:
        series = source.timeseries
        facts.append(f"clock {series.event_time_column}")
        facts.append(f"one partition a {series.granularity} of {series.partition_column}")
    return ", ".join(facts)


def _model(analysis: ModelAnalysis) -> tuple[str, str, str]:
    kind = technique(analysis) or "refused"
    inputs = ", ".join(map(str, reads(analysis)))
    codes = ", ".join(dict.fromkeys(finding.code.name for finding in refusals(analysis)))
    details = (codes, f"reads {inputs}" if inputs else "")
    return str(analysis.model.address), kind, "; ".join(detail for detail in details if detail)
