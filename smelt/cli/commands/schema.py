"""``smelt schema``: the JSON Schemas of the YAML files and of the state, for editors and checks."""

import json
from collections.abc import Mapping
from typing import Literal

import click

from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.text.identifiers import did_you_mean

_KINDS: tuple[Literal["project", "model", "source"], ...] = ("project", "model", "source")


@command(
    "schema",
    example="smelt schema project > smelt.schema.json\nsmelt schema state",
    short_help="Print the JSON Schema of a kind of file.",
)
@click.argument("kind")
def main(invocation: Invocation, kind: str) -> Exit:
    """Print the JSON Schema of a KIND of file: project (smelt.yml), model (frontmatter), source or state (.smelt/).

    Or of the events that `smelt run --log-format json` prints.
    """
    if kind == "state":
        from smelt.state.schemas import state_schema

        return _print(invocation, state_schema())
    if kind == "events":
        from smelt.run.events import events_schema

        return _print(invocation, events_schema())
    known = next((known for known in _KINDS if known == kind), None)
    if known is None:
        kinds = (*_KINDS, "state", "events")
        raise Stop(Exit.USAGE, f"no such kind: {kind}", did_you_mean(kind, kinds) or f"one of {', '.join(kinds)}")
    from smelt.project.schemas import json_schema

    return _print(invocation, json_schema(known))


def _print(invocation: Invocation, schema: Mapping[str, object]) -> Exit:
    invocation.terminal.result(json.dumps(schema, indent=2) + "\n")
    return Exit.DONE
