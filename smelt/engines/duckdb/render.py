"""Steps to SQL. Pure: the same step always gives the same texts.

Identifiers are always quoted. Work tables live in the temporary schema and never outlive a transaction.
"""

from smelt.engines.duckdb import render_events as events
from smelt.engines.duckdb import render_patch as patch
from smelt.engines.duckdb.statements import Statement
from smelt.plan import succession as steps
from smelt.plan.succession import Clear, Step, SuccessionPlan


def render(step: Step) -> tuple[Statement, ...]:
    """The statements of a step, in order."""
    match step:
        case steps.Clear():
            return events.clear()
        case steps.Stage():
            return events.stage(step)
        case steps.StageWindow():
            return events.stage_window(step)
        case steps.Inspect():
            return events.inspect(step)
        case steps.Collapse():
            return events.collapse(step)
        case steps.CheckBatchTies():
            return patch.check_batch_ties(step)
        case steps.Build():
            return patch.build(step)
        case steps.Locate():
            return patch.locate(step)
        case steps.CheckTies():
            return patch.check_ties(step)
        case steps.Derive():
            return patch.derive(step)
        case steps.Write():
            return patch.write(step)


def fold_statements(plan: SuccessionPlan) -> tuple[Statement, ...]:
    """What one fold of one window runs into tables that exist, in order."""
    order = (*plan.stage, plan.stage_window, plan.inspect, *plan.patch, Clear())
    return tuple(statement for step in order for statement in render(step))


def build_statements(plan: SuccessionPlan) -> tuple[Statement, ...]:
    """What a first fold or a rebuild runs, in order."""
    order = (*plan.stage, plan.stage_window, plan.inspect, *plan.build, Clear())
    return tuple(statement for step in order for statement in render(step))
