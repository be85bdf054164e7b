"""The statements by which a run keeps a model, as a script to read: rendered without opening anything.

Where a run reads what it finds (a table's columns, files), the statements have the source's address in quotes.
"""

import re
from collections.abc import Iterable, Iterator

from smelt.analysis.model import ModelAnalysis
from smelt.engines.duckdb.render import build_statements, fold_statements
from smelt.engines.duckdb.render_events import bounds_of
from smelt.engines.duckdb.render_whole import create_table, create_view, physical_query
from smelt.engines.duckdb.statements import Statement, qualified
from smelt.plan.succession import SuccessionPlan, plan, staged_input
from smelt.project.model import Address, Project, Reference, Source, Target
from smelt.text.identifiers import quote
from smelt.text.intervals import Interval

Json = dict[str, object]

_BOUND = re.compile(r"\$(start|end)\b")


def statements_text(analysis: ModelAnalysis, source: Source, target: Target, window: Interval | None) -> str:
    """A SQL script: what a first run executes, then what each later window does.

    Args:
        analysis: an admitted succession model.
        source: what it reads; its address stands in the statements for what a run finds there.
        target: where the tables are.
        window: bounds to print in the place of ``$start`` and ``$end``.
    """
    steps = _plan(analysis, source, target)
    bounds = "$start and $end are the bounds of the window" if window is None else "one window"
    lines = [
        f"-- model {analysis.model.address}; {bounds}; each part is one transaction.",
        f"-- {source.address.sql} stands for the source as a run finds it: its declared columns in their types.",
        "",
        "-- the first run, or a rebuild",
        "",
        *script(build_statements(steps), window),
        "-- every window after it",
        "",
        *script(fold_statements(steps), window),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def statements_json(analysis: ModelAnalysis, source: Source, target: Target, window: Interval | None) -> Json:
    """The same as an object: ``build`` and ``fold``, each a list of ``label``, ``sql`` and ``guard``."""
    steps = _plan(analysis, source, target)
    return {
        "model": str(analysis.model.address),
        "build": [statement_object(statement, window) for statement in build_statements(steps)],
        "fold": [statement_object(statement, window) for statement in fold_statements(steps)],
    }


def whole_text(analysis: ModelAnalysis, project: Project, target: Target) -> str:
    """The SQL of a view or of a table that each run rebuilds.

    Args:
        analysis: an admitted model of one of these kinds.
        project: says what the query's addresses are.
        target: where the relations are.
    """
    sources = sorted({_relation(one.address) for one in analysis.model.references if _is_read_as_found(one, project)})
    lines = [f"-- model {analysis.model.address}; one transaction."]
    lines += [
        f"-- {name} stands for the source as a run finds it: its declared columns in their types." for name in sources
    ]
    return "\n".join([*lines, "", *script([whole_statement(analysis, project, target)], None)]).rstrip("\n") + "\n"


def whole_json(analysis: ModelAnalysis, project: Project, target: Target) -> Json:
    """The same as an object: ``build``, a list of ``label``, ``sql`` and ``guard``."""
    return {
        "model": str(analysis.model.address),
        "build": [statement_object(whole_statement(analysis, project, target), None)],
    }


def whole_statement(analysis: ModelAnalysis, project: Project, target: Target) -> Statement:
    """The statement that makes a view, or a table that each run rebuilds."""

    def relation(address: Address) -> str | None:
        if address in project.models:
            return qualified(target.schema, project.models[address].relation)
        if address in project.sources:
            return _relation(address)
        seed = project.seeds.get(address)
        return None if seed is None else qualified(target.schema, seed.relation or address.default_relation)

    create = create_view if analysis.kind == "view" else create_table
    return create(qualified(target.schema, analysis.model.relation), physical_query(analysis.model, relation))


def _is_read_as_found(reference: Reference, project: Project) -> bool:
    return reference.address in project.sources and reference.address not in project.models


def _relation(source: Address) -> str:
    return ".".join(quote(part) for part in ("smelt", *source.segments))


def _plan(analysis: ModelAnalysis, source: Source, target: Target) -> SuccessionPlan:
    if analysis.shape is None:
        raise ValueError(f"{analysis.model.address} is no succession model")
    return plan(
        analysis.shape,
        staged_input(analysis.shape, source, _relation(source.address)),
        target.schema,
        analysis.model.relation,
    )


def script(statements: Iterable[Statement], window: Interval | None) -> Iterator[str]:
    """The lines of a SQL script, with a window's bounds put in if there is one."""
    for statement in statements:
        guard = f"   (if {statement.guard})" if statement.guard else ""
        yield f"-- {statement.label}{guard}"
        yield f"{_bound(statement, window)};"
        yield ""


def statement_object(statement: Statement, window: Interval | None) -> Json:
    """A statement as an object: ``label``, ``sql`` and ``guard``."""
    return {"label": statement.label, "sql": _bound(statement, window), "guard": statement.guard or None}


def _bound(statement: Statement, window: Interval | None) -> str:
    if window is None or not statement.bounded:
        return statement.sql
    bounds = bounds_of(window)
    return _BOUND.sub(lambda found: f"TIMESTAMP '{bounds[found[1]]}'", statement.sql)
