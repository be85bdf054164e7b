"""``smelt explain``: what a model is and how it will be maintained."""

import json

import click

from smelt.analysis.model import ModelAnalysis
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.opening import Opened, analysed, model_named, open_project, target_of, usable
from smelt.cli.window import check_bounds, parse_window
from smelt.engines.duckdb.script import statements_json, statements_text, whole_json, whole_text
from smelt.explain.graph import graph_json, graph_text
from smelt.explain.model import explain_json, explain_text
from smelt.project.model import Target
from smelt.text.intervals import Interval


@command(
    "explain",
    example="smelt explain\nsmelt explain customer_history --json\nsmelt explain customer_history --sql",
    short_help="Say what a model is and how it will be maintained.",
)
@click.argument("model", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--sql", "as_sql", is_flag=True, help="Print the statements by which a run keeps it.")
@click.option("--window", metavar="A..B", help="With --sql: the bounds to print in the statements.")
def main(invocation: Invocation, model: str | None, as_json: bool, as_sql: bool, window: str | None) -> Exit:
    """Say what MODEL is and how it will be maintained; without MODEL: what there is, and what reads what.

    Opens no database. A refused model is shown by its refusals, and the exit code is 1.
    """
    bounds = _window(window, as_sql=as_sql, model=model)
    opened = open_project(invocation)
    config = usable(opened)
    if model is None:
        return _graph(invocation, opened, as_json=as_json)
    found = model_named(analysed(opened), model)
    if as_sql and found.kind != "refused":
        return _statements(invocation, opened, found, target_of(config, invocation.target), bounds, as_json=as_json)
    texts, terminal = opened.project.texts, invocation.terminal
    if as_json:
        terminal.result(json.dumps(explain_json(found, texts), indent=2, ensure_ascii=False) + "\n")
    else:
        terminal.result(explain_text(found, texts, terminal.out_palette, terminal.out_width))
    return Exit.FAILED if found.kind == "refused" else Exit.DONE


def _window(written: str | None, *, as_sql: bool, model: str | None) -> Interval | None:
    if as_sql and model is None:
        raise Stop(Exit.USAGE, "--sql needs a model", "name one: `smelt explain MODEL --sql`")
    if written is None:
        return None
    if not as_sql:
        raise Stop(Exit.USAGE, "--window does nothing alone", "write --sql --window A..B")
    start, dots, end = written.partition("..")
    if not dots:
        raise Stop(Exit.USAGE, f"--window: no two bounds: {written}", "write it as 2025-01-01..2025-02-01")
    return parse_window(start, end)


def _statements(
    invocation: Invocation,
    opened: Opened,
    found: ModelAnalysis,
    target: Target,
    window: Interval | None,
    *,
    as_json: bool,
) -> Exit:
    if found.shape is None:
        if window is not None:
            raise Stop(Exit.USAGE, f"--window: a {found.kind} is built whole", "leave --window out")
        as_object, as_text = whole_json(found, opened.project, target), whole_text(found, opened.project, target)
    else:
        if window is not None:
            check_bounds(window, (found,))
        source = opened.project.sources[found.shape.source]
        as_object = statements_json(found, source, target, window)
        as_text = statements_text(found, source, target, window)
    written = json.dumps(as_object, indent=2, ensure_ascii=False) + "\n" if as_json else as_text
    invocation.terminal.result(written)
    return Exit.DONE


def _graph(invocation: Invocation, opened: Opened, *, as_json: bool) -> Exit:
    analysis = analysed(opened)
    if as_json:
        invocation.terminal.result(json.dumps(graph_json(analysis), indent=2, ensure_ascii=False) + "\n")
    else:
        invocation.terminal.result(graph_text(analysis))
    return Exit.DONE
