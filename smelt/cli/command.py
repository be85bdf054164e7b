"""How a command is declared: the options they all have, an example in its help, an exit code as its result."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

import click

from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.terminal import Terminal

P = ParamSpec("P")


@dataclass(slots=True)
class Globals:
    """What the options that all commands have were set to. Filled while arguments are read, then only read."""

    terminal: Terminal
    command_line: str
    project_dir: str | None = None
    target: str | None = None
    no_color: bool = False
    debug: bool = False


@dataclass(frozen=True, slots=True)
class Invocation:
    """What every command knows: who asked for what, and where to speak.

    Attributes:
        start: the folder from which the project is looked for.
        target: the target asked for, or None for the project's default.
        command_line: as it was typed, for the records of a run.
    """

    start: Path
    target: str | None
    terminal: Terminal
    command_line: str


def command(
    name: str, *, example: str, **attributes: Any
) -> Callable[[Callable[Concatenate[Invocation, P], Exit]], click.Command]:
    """Declare a command: its function takes an :class:`Invocation` and its own options, and returns an exit code.

    Args:
        name: as typed. One with an ``as_json`` option prints why it stopped as an object, too.
        example: command lines for the end of its help.
        attributes: whatever :func:`click.command` takes.
    """

    def declare(function: Callable[Concatenate[Invocation, P], Exit]) -> click.Command:
        def invoke(*args: P.args, **kwargs: P.kwargs) -> int:
            invocation = _invocation(click.get_current_context())
            try:
                return int(function(invocation, *args, **kwargs))
            except Stop as stop:
                if kwargs.get("as_json"):
                    # Whoever reads JSON gets an object in any case; a person reads the same on stderr.
                    invocation.terminal.result(_json(stop, invocation.terminal))
                raise

        invoke.__doc__ = function.__doc__
        # click collects the parameters of the decorators below this one on the function itself.
        invoke.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
        epilog = "\b\nExample:\n" + "\n".join(f"  {line}" for line in example.splitlines())
        declared = click.command(name, None, epilog=epilog, **attributes)(invoke)
        declared.params.extend(common_options())
        return declared

    return declare


def _json(stop: Stop, terminal: Terminal) -> str:
    import json

    from smelt.diagnostics.render_json import diagnostic_objects

    error = {"code": stop.code, "message": stop.message, "help": stop.help} if stop.message else None
    told = {
        "exit_code": int(stop.exit),
        "error": error,
        "diagnostics": diagnostic_objects(stop.diagnostics, stop.texts),
    }
    return terminal.redacted(json.dumps(told, indent=2, ensure_ascii=False)) + "\n"


def common_options() -> list[click.Parameter]:
    """The options that stand before a command's name or after it."""

    def option(*names: str, help: str, **attributes: Any) -> click.Option:  # noqa: A002 - click's word
        return click.Option(names, help=help, expose_value=False, callback=_remember, **attributes)

    return [
        option(
            "--project-dir",
            type=click.Path(file_okay=False),
            metavar="DIR",
            help="The project's folder; otherwise the nearest one above with a smelt.yml.",
        ),
        option("--target", metavar="NAME", help="The target to work on; otherwise the project's default."),
        option("--no-color", is_flag=True, help="No colours; NO_COLOR in the environment says the same."),
        option("--debug", is_flag=True, help="Show the traceback of a fault of smelt itself."),
    ]


def _remember(context: click.Context, parameter: click.Parameter, value: object) -> None:
    given = context.find_object(Globals)
    if given is None or not value or parameter.name is None:
        return
    setattr(given, parameter.name, value)
    if given.no_color:
        given.terminal.refuse_colours()


def _invocation(context: click.Context) -> Invocation:
    given = context.find_object(Globals)
    if given is None:
        raise LookupError("a command was called without the values that smelt.cli.main makes")
    return Invocation(Path(given.project_dir or "."), given.target, given.terminal, given.command_line)
