"""``smelt check``: what is wrong with the files, without a database."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

import click

from smelt.cli import mending, watching
from smelt.cli.baseline import Baseline, read_baseline, write_baseline
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop
from smelt.cli.looking import Look, look_at
from smelt.cli.reporting import FORMATS, Report, redacted, show
from smelt.cli.scope import Codes, Part, codes_named, parts_of
from smelt.cli.terminal import Terminal
from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Severity
from smelt.text.counts import counted
from smelt.workspace.checking import Findings

_EXAMPLE = """\
smelt check
smelt check models/customer_history.sql --fix
smelt check --format json --fail-on warning
smelt check --changed-since origin/main --format github"""

_FAILING = {"error": (Severity.ERROR,), "warning": (Severity.ERROR, Severity.WARNING)}


@dataclass(frozen=True, slots=True)
class _Request:
    """What was asked for.

    Attributes:
        paths: as typed.
        since: the commit whose changes are looked at; None for all files.
        format: a key of :data:`FORMATS`.
        failing: the severities that give exit code 1.
        fixes: whether fixes are written, shown, or neither.
        may_apply: whether safe fixes alone, or all.
        baseline: the file of known findings, as typed.
        knows: whether the baseline is compared with or written.
    """

    paths: tuple[str, ...]
    codes: Codes
    since: str | None
    format: str
    failing: tuple[Severity, ...]
    fixes: Literal["none", "write", "show"]
    may_apply: Literal["safe", "any"]
    baseline: str | None
    knows: Literal["compare", "write"]


@command("check", example=_EXAMPLE, short_help="Find what is wrong, without a database.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--format", "format_", default="text", metavar="|".join(FORMATS), help="How to print the findings.")
@click.option("--select", multiple=True, metavar="CODE", help="Report only this code; may be repeated.")
@click.option("--ignore", multiple=True, metavar="CODE", help="Do not report this code; may be repeated.")
@click.option(
    "--fail-on",
    type=click.Choice(list(_FAILING)),
    default="error",
    help="The least severity that gives exit code 1.",
)
@click.option("--fix", is_flag=True, help="Apply the safe fixes: those that keep the table as it is.")
@click.option("--unsafe", is_flag=True, help="With --fix or --diff: apply those too that change what is meant.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing.")
@click.option("--baseline", metavar="FILE", help="Report only what this file of known findings does not hold.")
@click.option("--write-baseline", is_flag=True, help="Write what is found now to the --baseline file.")
@click.option(
    "--changed-since",
    metavar="REF",
    help="Report on what changed since this branch or commit of git, and on the models that read it.",
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
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
    write_baseline: bool,
    changed_since: str | None,
    watch: bool,
) -> Exit:
    """Parse, resolve and judge the whole project, and report what was found in PATHs, or everywhere.

    In a folder that is in no project, all projects below it are checked; PATHs may be of several. No database of a
    project is opened. Exit code 1 means an error in some file (with --fail-on warning: a warning, too), 2 that the
    arguments are wrong or that there is no project.
    """
    if format_ not in FORMATS:
        raise Stop(Exit.USAGE, f"no such format: {format_}", f"one of {', '.join(FORMATS)}")
    request = _Request(
        paths=paths,
        codes=codes_named(select, ignore),
        since=changed_since,
        format=format_,
        failing=_FAILING[fail_on],
        fixes="show" if diff else "write" if fix else "none",
        may_apply="any" if unsafe else "safe",
        baseline=baseline,
        knows="write" if write_baseline else "compare",
    )
    _refuse_senseless(request)
    return _watch(invocation, request) if watch else _check(invocation, request)


def _refuse_senseless(request: _Request) -> None:
    """Refuse options that say nothing together, before anything is read."""
    if request.may_apply == "any" and request.fixes == "none":
        raise Stop(Exit.USAGE, "--unsafe does nothing alone", "write --fix --unsafe or --diff --unsafe")
    if request.knows == "compare":
        return
    if request.baseline is None:
        raise Stop(Exit.USAGE, "--write-baseline does nothing alone", "--baseline FILE says where to write")
    if request.fixes != "none":
        raise Stop(Exit.USAGE, "--write-baseline changes no model", "run --fix first, then write the baseline")
    if request.paths or request.since is not None or request.codes != Codes():
        help_text = "leave out paths, --select, --ignore and --changed-since"
        raise Stop(Exit.USAGE, "a baseline holds all findings", help_text)


def _watch(invocation: Invocation, request: _Request) -> Exit:
    """Check, and check again whenever files change, until the user ends it."""
    if request.format != "text" or request.fixes != "none" or request.knows == "write":
        help_text = "leave out --format, --fix, --diff and --write-baseline"
        raise Stop(Exit.USAGE, "--watch prints findings for a person, and changes nothing", help_text)
    roots = tuple(part.root for part in _parts(invocation, request))
    try:
        for _ in watching.changes(partial(watching.stamps, roots), watching.pause):
            try:
                _check(invocation, request)
            except Stop as stop:  # a smelt.yml that is away while it is edited does not end the watch
                invocation.terminal.stop(stop)
            invocation.terminal.say("waiting for a change; Ctrl-C ends")
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return Exit.DONE


def _check(invocation: Invocation, request: _Request) -> Exit:
    terminal = invocation.terminal
    parts = _parts(invocation, request)
    known = read_baseline(request.baseline) if request.baseline is not None and request.knows == "compare" else None
    if request.fixes != "none":
        mended = [_mended(part, known, request) for part in parts]
        if request.fixes == "show":
            return mending.show(terminal, mended)
        mending.write(terminal, mended)
    looked = tuple(look_at(part) for part in parts)
    terminal.hide(value for look in looked for value in look.seen.hidden)
    if request.baseline is not None and request.knows == "write":
        return _written(terminal, request.baseline, looked)
    report = _report(terminal, looked, known, request)
    show(terminal, report, request.format)
    return Exit.FAILED if report.failed else Exit.DONE


def _parts(invocation: Invocation, request: _Request) -> tuple[Part, ...]:
    parts = parts_of(invocation.start, request.paths, request.codes)
    if request.since is None:
        return parts
    from smelt.cli.git import changed_since

    return tuple(replace(part, changed=changed_since(part.root, request.since)) for part in parts)


def _mended(part: Part, known: Baseline | None, request: _Request) -> mending.Mended:
    may_apply = mending.safe if request.may_apply == "safe" else mending.any_fix
    return mending.mended(part, lambda seen: part.reported(_new(part, seen, known)), may_apply)


def _new(part: Part, seen: Findings, known: Baseline | None) -> Findings:
    return seen if known is None else known.new(part.root, seen)


def _report(terminal: Terminal, looked: tuple[Look, ...], known: Baseline | None, request: _Request) -> Report:
    projects = tuple(_checked(terminal, look.part, _new(look.part, look.seen, known)) for look in looked)
    allowed = sum(look.allowed for look in looked)
    if known is None:
        return Report(projects, request.failing, allowed)
    every = sum(len(look.part.reported(look.seen)) for look in looked)
    left = sum(len(one.findings) for one in projects)
    return Report(projects, request.failing, allowed, every - left, known.unused(looked))


def _checked(terminal: Terminal, part: Part, seen: Findings) -> Checked:
    """What is reported of a project, as the formats read it."""
    findings = redacted(part.reported(seen), terminal)
    return Checked(findings, seen.texts, part.files(seen), part.name, part.base)


def _written(terminal: Terminal, file: str, looked: tuple[Look, ...]) -> Exit:
    baseline = Baseline(Path(file).resolve())
    entries = [
        replace(entry, message=terminal.redacted(entry.message))
        for look in looked
        for entry in baseline.entries_of(look.part.root, look.seen)
    ]
    write_baseline(file, entries)
    terminal.say(f"wrote {counted(len(entries), 'finding')} to {file}")
    return Exit.DONE
