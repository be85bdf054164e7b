"""``smelt schema``: the JSON Schemas of the YAML files, for editors and checks."""

import json
from typing import Literal

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop, not_available
from smelt.text.identifiers import did_you_mean

_KINDS: tuple[Literal["project", "model", "source"], ...] = ("project", "model", "source")


@command(
    "schema",
    example="smelt schema project > smelt.schema.json",
    short_help="Print the JSON Schema of a YAML file.",
)
@click.argument("kind")
def main(invocation: Invocation, kind: str) -> Exit:
    """Print the JSON Schema of a KIND of file: project (smelt.yml), model (frontmatter) or source."""
    if kind == "state":
        raise not_available("smelt schema state")
    known = next((known for known in _KINDS if known == kind), None)
    if known is None:
        raise Stop(Exit.USAGE, f"no such kind: {kind}", did_you_mean(kind, _KINDS) or f"one of {', '.join(_KINDS)}")
    from smelt.project.schemas import json_schema

    invocation.terminal.result(json.dumps(json_schema(known), indent=2) + "\n")
    return Exit.DONE
