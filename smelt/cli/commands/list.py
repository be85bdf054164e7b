"""``smelt list``: every entity with its kind and address."""

import json
from collections.abc import Iterator

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.opening import open_project, usable
from smelt.cli.tables import plain_table
from smelt.project.model import Project


@command("list", example="smelt list\nsmelt list --json", short_help="List every model, source and seed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array of objects.")
def main(invocation: Invocation, as_json: bool) -> Exit:
    """List every model, source and seed with its address, what its relation is called, and its file.

    A relation is in the schema of its target, such as main.silver_orders for silver.orders. A source that is read from
    files has none.
    """
    opened = open_project(invocation)
    usable(opened)
    project = opened.project
    rows = sorted(_entities(project))
    if as_json:
        objects = [
            {"address": address, "kind": kind, "relation": relation or None, "file": file}
            for address, kind, relation, file in rows
        ]
        invocation.terminal.result(json.dumps(objects, indent=2) + "\n")
    else:
        invocation.terminal.result(plain_table(("address", "kind", "relation", "file"), rows))
    return Exit.DONE


def _entities(project: Project) -> Iterator[tuple[str, str, str, str]]:
    for address, model in project.models.items():
        yield str(address), "model", model.relation, model.file
    for address, seed in project.seeds.items():
        yield str(address), "seed", seed.relation or address.default_relation, seed.file
    for address, source in project.sources.items():
        if address not in project.seeds:
            yield str(address), "source", source.relation or "", source.marks.file
