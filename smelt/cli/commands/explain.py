"""``smelt explain``: what a model is and how it will be maintained."""

import json

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import not_available
from smelt.cli.opening import Opened, analysed, model_named, open_project, usable
from smelt.explain.graph import graph_json, graph_text
from smelt.explain.model import explain_json, explain_text


@command(
    "explain",
    example="smelt explain\nsmelt explain customer_history --json",
    short_help="Say what a model is and how it will be maintained.",
)
@click.argument("model", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--sql", "as_sql", is_flag=True, hidden=True)
@click.option("--window", hidden=True)
def main(invocation: Invocation, model: str | None, as_json: bool, as_sql: bool, window: str | None) -> Exit:
    """Say what MODEL is and how it will be maintained; without MODEL: what there is, and what reads what.

    Opens no database. A refused model is shown by its refusals, and the exit code is 1.
    """
    if as_sql or window is not None:
        raise not_available("smelt explain --sql")
    opened = open_project(invocation)
    usable(opened)
    if model is None:
        return _graph(invocation, opened, as_json=as_json)
    found = model_named(analysed(opened), model)
    texts = opened.project.texts
    if as_json:
        invocation.terminal.result(json.dumps(explain_json(found, texts), indent=2, ensure_ascii=False) + "\n")
    else:
        terminal = invocation.terminal
        terminal.result(explain_text(found, texts, terminal.out_palette, terminal.out_width))
    return Exit.FAILED if found.kind == "refused" else Exit.DONE


def _graph(invocation: Invocation, opened: Opened, *, as_json: bool) -> Exit:
    analysis = analysed(opened)
    if as_json:
        invocation.terminal.result(json.dumps(graph_json(analysis), indent=2, ensure_ascii=False) + "\n")
    else:
        invocation.terminal.result(graph_text(analysis))
    return Exit.DONE
