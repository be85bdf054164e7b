"""The ``smelt`` program: finds the command, runs it, and is the one place that catches everything.

Only click is imported before a command is known: each command's module, and what it needs, on first use.
"""

import importlib
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from smelt.cli.catalog import LATER, TASKS, entries, find
from smelt.cli.command import Globals, common_options
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop, not_available
from smelt.cli.terminal import standard
from smelt.text.identifiers import did_you_mean
from smelt.version import VERSION

_EPILOG = """\
\b
Examples:
  smelt init demo && cd demo && smelt run
  smelt show customer_history --key 1
  smelt check

\b
`smelt COMMAND --help` says more about a command. Shell completion:
  eval "$(_SMELT_COMPLETE=bash_source smelt)"      (also zsh_source, fish_source)
"""


class Commands(click.Group):
    """The group of all commands: loads each on first use, and turns every way to fail into an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the tasks."""
        return [entry.name for entry in entries()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; one of a later release answers so."""
        entry = find(cmd_name)
        if entry is not None:
            loaded: click.Command = importlib.import_module(entry.module).main
            return loaded
        return _later(cmd_name) if cmd_name in LATER else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that ``args`` name; an unknown one is answered with the nearest names."""
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            help_text = did_you_mean(name, self.list_commands(ctx)) or "`smelt --help` lists the commands"
            raise Stop(Exit.USAGE, f"no such command: {name}", help_text)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by task, without importing one."""
        for task in TASKS:
            with formatter.section(task.title):
                formatter.write_dl([(entry.name, entry.summary) for entry in task.entries])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run the command line and end the process with its exit code."""
        arguments = list(sys.argv[1:] if args is None else args)
        given = Globals(standard(), " ".join(["smelt", *arguments]))
        if "--no-color" in arguments:
            # A fault while arguments are read must honour it too.
            given.terminal.refuse_colours()
        sys.exit(_ended(self, arguments, given, complete_var))


def _ended(group: Commands, arguments: list[str], given: Globals, complete_var: str | None) -> int:
    """Run one command; every exception ends here."""
    try:
        result = click.Group.main(
            group, arguments, prog_name="smelt", complete_var=complete_var, standalone_mode=False, obj=given
        )
        return int(result or Exit.DONE)
    except Stop as stop:
        given.terminal.stop(stop)
        return stop.exit
    except click.UsageError as error:
        given.terminal.stop(Stop(Exit.USAGE, error.format_message(), _usage_help(error)))
        return Exit.USAGE
    except click.ClickException as error:
        given.terminal.stop(Stop(Exit.USAGE, error.format_message()))
        return Exit.USAGE
    except (click.Abort, KeyboardInterrupt):
        given.terminal.say("interrupted")
        return Exit.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the boundary: no traceback reaches a user
        return _own_fault(error, given)


def _own_fault(error: Exception, given: Globals) -> int:
    import traceback

    told = given.terminal.redacted("".join(traceback.format_exception(error)))
    if given.debug:
        given.terminal.say(told.rstrip())
        return Exit.FAULT
    given.terminal.stop(
        Stop(
            Exit.FAULT,
            f"smelt itself failed: {type(error).__name__}; {_kept(given.terminal.redacted(given.command_line), told)}",
            "please report it with the traceback; --debug shows it here",
            code="InternalFault",
        )
    )
    return Exit.FAULT


def _kept(command_line: str, told: str) -> str:
    """Write a traceback to a new file, and say where it is."""
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="backslashreplace", prefix="smelt-", suffix=".txt", delete=False
        ) as file:
            file.write(f"{command_line}\n\n{told}")
    except OSError as error:
        return f"its traceback could not be written: {error.strerror}"
    return f"the traceback is in {file.name}"


def _usage_help(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx is not None else "smelt"
    return f"`{path} --help` shows the options"


def _later(name: str) -> click.Command:
    """A command that a later release brings: whatever follows its name, it says so."""

    def answer() -> None:
        raise not_available(f"smelt {name}")

    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    return click.Command(name, callback=answer, context_settings=settings, add_help_option=False, hidden=True)


def _show_version(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(f"smelt {VERSION}")
        context.exit()


def _help_if_alone() -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


cli = Commands(
    "smelt",
    callback=_help_if_alone,
    help="SQL models that stay right at the cost of what changed.",
    epilog=_EPILOG,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Show the version.",
        ),
        *common_options(),
    ],
)


def main() -> NoReturn:
    """The console script."""
    cli.main()
