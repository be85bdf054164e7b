"""``smelt check``: what is wrong with the files, without a database."""

from dataclasses import dataclass
from typing import Literal

import click

from smelt.cli import mending
from smelt.cli.checking import Judged, judged
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop, not_available
from smelt.cli.reporting import FORMATS, redacted
from smelt.cli.scope import Codes, Part, codes_named, parts_of, root_of
from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Severity

_EXAMPLE = """\
smelt check
smelt check models/customer_history.sql --fix
smelt check --format json --fail-on warning"""

_FAILING = {"error": (Severity.ERROR,), "warning": (Severity.ERROR, Severity.WARNING)}


@dataclass(frozen=True, slots=True)
class _Request:
    """What was asked for.

    Attributes:
        paths: as typed.
        format: a key of :data:`FORMATS`.
        failing: the severities that give exit code 1.
        fixes: whether fixes are written, shown, or neither.
        may_apply: whether safe fixes alone, or all.
    """

    paths: tuple[str, ...]
    codes: Codes
    format: str
    failing: tuple[Severity, ...]
    fixes: Literal["none", "write", "show"]
    may_apply: Literal["safe", "any"]


@command("check", example=_EXAMPLE, short_help="Find what is wrong, without a database.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--format", "format_", default="text", metavar="|".join(FORMATS), help="How to print the findings.")
@click.option("--select", multiple=True, metavar="CODE", help="Report only this code; may be repeated.")
@click.option("--ignore", multiple=True, metavar="CODE", help="Do not report this code; may be repeated.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    help="The least severity that gives exit code 1.",
)
@click.option("--fix", is_flag=True, help="Apply the safe fixes: those that keep the table as it is.")
@click.option("--unsafe", is_flag=True, help="With --fix or --diff: apply those too that change what is meant.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing.")
@click.option("--baseline", hidden=True)
@click.option("--changed-since", hidden=True)
@click.option("--watch", is_flag=True, hidden=True)
def main(
    invocation: Invocation,
    paths: tuple[str, ...],
    format_: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    fix: bool,
    unsafe: bool,
    diff: bool,
    baseline: str | None,
    changed_since: str | None,
    watch: bool,
) -> Exit:
    """Parse, resolve and judge the whole project, and report what was found in PATHs, or everywhere.

    No database of the project is opened. Exit code 1 means that something was found, 2 that the arguments are wrong
    or that there is no project.
    """
    for option, value in {"--baseline": baseline, "--changed-since": changed_since, "--watch": watch}.items():
        if value:
            raise not_available(f"smelt check {option}")
    if unsafe and not (fix or diff):
        raise Stop(Exit.USAGE, "--unsafe does nothing alone", "write --fix --unsafe or --diff --unsafe")
    if format_ not in FORMATS:
        raise Stop(Exit.USAGE, f"no such format: {format_}", f"one of {', '.join(FORMATS)}")
    request = _Request(
        paths=paths,
        codes=codes_named(select, ignore),
        format=format_,
        failing=_FAILING[fail_on],
        fixes="show" if diff else "write" if fix else "none",
        may_apply="any" if unsafe else "safe",
    )
    return _check(invocation, request)


def _check(invocation: Invocation, request: _Request) -> Exit:
    terminal = invocation.terminal
    parts = tuple(parts_of(root_of(invocation.start), request.paths, request.codes))
    if request.fixes != "none":
        may_apply = mending.safe if request.may_apply == "safe" else mending.any_fix
        mended = [mending.mended(part.root, part.name, part.reported, may_apply) for part in parts]
        if request.fixes == "show":
            return mending.show(terminal, mended)
        mending.write(terminal, mended)
    looked = [(part, judged(part.root)) for part in parts]
    terminal.hide(value for _, seen in looked for value in seen.hidden)
    report = tuple(_checked(invocation, part, seen) for part, seen in looked)
    FORMATS[request.format](terminal, report, request.failing)
    severities = {finding.severity for one in report for finding in one.findings}
    return Exit.FAILED if severities & set(request.failing) else Exit.DONE


def _checked(invocation: Invocation, part: Part, seen: Judged) -> Checked:
    """What is reported of a project, as the formats read it."""
    files = tuple(file for file in seen.files if part.has(file))
    return Checked(redacted(part.reported(seen), invocation.terminal), seen.texts, files, part.name, part.base)
