"""A project judged: one function for the command line, the language server and the documentation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from smelt.analysis import declared_columns
from smelt.analysis.binding import Binder, BoundColumn, Columns, beside
from smelt.analysis.definition import Definition, query_definition, succession_definition
from smelt.analysis.model import Analysis, Kind, ModelAnalysis
from smelt.diagnostics.model import Diagnostic, in_order
from smelt.facts.rules import source_expression_not_row_local
from smelt.grains.derive import grain_of
from smelt.grains.rules import grain_assertion_mismatch, grain_not_available
from smelt.grains.succession.classify import Verdict, classify
from smelt.grains.succession.proven import NOTHING_PROVEN, Proven
from smelt.project.model import Address, Model, Project
from smelt.text.spans import Span


def analyze(
    project: Project, binder: Binder | None = None, known: Mapping[Address, Columns | None] | None = None
) -> Analysis:
    """Judge every model of a project.

    Args:
        project: what the files say.
        binder: checks names and types against empty tables; left out, only what needs no engine is found.
        known: models that were judged before and are not judged again, with the columns that they gave.
    """
    judged = known or {}
    found: list[Diagnostic] = list(project.diagnostics)
    for source in project.sources.values():
        found += source_expression_not_row_local.findings(source)
    by_file: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        by_file.setdefault(diagnostic.location.file, []).append(diagnostic)
    models: dict[Address, ModelAnalysis] = {}
    refused: dict[Address, tuple[Span, ...]] = {}
    for address, model in project.models.items():
        if address in judged:
            continue
        verdict = _verdict(model, project, by_file.get(model.file, ()))
        found += verdict.diagnostics
        refused[address] = verdict.unknown
        models[address] = _analysis(model, project, verdict, by_file.get(model.file, ()))
    if binder is not None:
        for address, binding in binder.bind(project, judged, refused).items():
            further = beside(models[address].diagnostics, binding.diagnostics)
            found += further
            models[address] = _with(models[address], further, binding.columns)
    given = {address: columns for address, columns in judged.items() if columns is not None}
    given.update({address: one.columns for address, one in models.items() if one.columns is not None})
    for address, one in models.items():
        further = tuple(declared_columns.findings(project, one.model, given))
        found += further
        models[address] = _with_declared(one, further)
    return Analysis(project, models, in_order(found))


def judge(
    model: Model,
    project: Project,
    earlier: Sequence[Diagnostic],
    given: Mapping[Address, Columns],
    binder: Binder,
    proven: Proven = NOTHING_PROVEN,
) -> ModelAnalysis:
    """Judge one model, as :func:`analyze` does with all.

    Args:
        model: the model, linked.
        project: where what it reads stands; its order has the model unless it is part of a circle.
        earlier: what was found in the model's file before: findings of reading and linking.
        given: the columns of the models that it reads or is tested against, as far as they have any.
        binder: asked about the model.
        proven: what was proven of an earlier text of the model, to save time.
    """
    verdict = _verdict(model, project, earlier, proven)
    judged = _analysis(model, project, verdict, earlier)
    order = tuple(address for address in (model.address,) if address in project.order)
    alone = replace(project, models={model.address: model}, order=order, diagnostics=tuple(earlier))
    binding = binder.bind(alone, dict(given), {model.address: verdict.unknown}).get(model.address)
    if binding is not None:
        judged = _with(judged, beside(judged.diagnostics, binding.diagnostics), binding.columns)
    columns = dict(given)
    if judged.columns is not None:
        columns[model.address] = judged.columns
    declared = _with_declared(judged, tuple(declared_columns.findings(project, model, columns)))
    return replace(declared, row_local=verdict.row_local)


def _verdict(model: Model, project: Project, earlier: Sequence[Diagnostic], proven: Proven = NOTHING_PROVEN) -> Verdict:
    grain = grain_of(model)
    found: list[Diagnostic] = []
    asserted = model.frontmatter.grain
    if asserted is not None and grain is not None and asserted != grain:
        found.append(grain_assertion_mismatch.finding(model.marks.at("grain"), asserted, grain))
    if grain in ("partition", "key", "key_per_partition"):
        where = model.marks.key("unique_key" if model.frontmatter.unique_key else "timeseries")
        found.append(grain_not_available.finding(where, grain.replace("_", " ")))
    if grain != "succession" or any(diagnostic.is_error for diagnostic in earlier if _is_about_sql(model, diagnostic)):
        return Verdict(None, tuple(found), proven)
    verdict = classify(model, project, proven)
    return replace(verdict, diagnostics=(*found, *verdict.diagnostics))


def _is_about_sql(model: Model, diagnostic: Diagnostic) -> bool:
    return diagnostic.code.name == "SqlSyntax" and model.sql_span.covers(diagnostic.location.span)


def _analysis(model: Model, project: Project, verdict: Verdict, earlier: Sequence[Diagnostic]) -> ModelAnalysis:
    diagnostics = in_order((*earlier, *verdict.diagnostics))
    grain = grain_of(model)
    refused = any(diagnostic.is_error for diagnostic in diagnostics) or model.parsed.query is None
    kind: Kind = "refused"
    definition: Definition | None = None
    if not refused and grain is None:
        kind = model.frontmatter.materialization
        definition = Definition(partial(query_definition, model, kind))
    elif not refused and verdict.shape is not None:
        kind = "succession"
        source = project.sources[verdict.shape.source]
        definition = Definition(partial(succession_definition, verdict.shape, source))
    shape = verdict.shape if kind == "succession" else None
    return ModelAnalysis(model, kind, shape, definition, diagnostics, own=verdict.diagnostics)


def _with(one: ModelAnalysis, found: Sequence[Diagnostic], columns: tuple[BoundColumn, ...] | None) -> ModelAnalysis:
    """The model with what the binder says of it; an error refuses it."""
    both, own = in_order((*one.diagnostics, *found)), (*one.own, *found)
    if any(diagnostic.is_error for diagnostic in found):
        return ModelAnalysis(one.model, "refused", None, None, both, own=own)
    return replace(one, diagnostics=both, columns=columns, own=own)


def _with_declared(one: ModelAnalysis, found: Sequence[Diagnostic]) -> ModelAnalysis:
    """The model with what is wrong in its ``columns:``; refused then, though readers still see its columns."""
    if not found:
        return one
    both, own = in_order((*one.diagnostics, *found)), (*one.own, *found)
    return ModelAnalysis(one.model, "refused", None, None, both, one.columns, own)
