"""``smelt check``: what is wrong with the files, without a database."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from smelt.analysis.model import Analysis
from smelt.cli.command import Invocation, command
from smelt.cli.exits import Exit
from smelt.cli.faults import Stop, not_available
from smelt.cli.fixing import Fixed, difference, fix_all
from smelt.cli.opening import Opened, analysed, open_project
from smelt.cli.outcome import counted
from smelt.cli.terminal import Terminal
from smelt.diagnostics import registry
from smelt.diagnostics.model import Diagnostic, Fix, Severity
from smelt.diagnostics.render import text
from smelt.diagnostics.render_json import report_object
from smelt.text.identifiers import did_you_mean

_FORMATS = ("text", "json")
_LATER_FORMATS = ("sarif", "github", "junit")
_EXAMPLE = """\
smelt check
smelt check models/customer_history.sql --fix
smelt check --format json --fail-on warning"""


@dataclass(frozen=True, slots=True)
class _Filter:
    """Which findings are reported: those in some files (all if None), of some codes."""

    files: frozenset[str] | None
    select: frozenset[str]
    ignore: frozenset[str]

    def keeps(self, finding: Diagnostic) -> bool:
        name = finding.code.name
        wanted = not self.select or name in self.select
        return wanted and name not in self.ignore and self.has(finding.location.file)

    def has(self, file: str) -> bool:
        if self.files is None:
            return True
        return any(file == path or path == "" or file.startswith(f"{path}/") for path in self.files)


@command("check", example=_EXAMPLE, short_help="Find what is wrong, without a database.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--format", "format_", default="text", metavar="text|json", help="How to print the findings.")
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
    _refuse_later({"--baseline": baseline, "--changed-since": changed_since, "--watch": watch})
    if unsafe and not (fix or diff):
        raise Stop(Exit.USAGE, "--unsafe does nothing alone", "write --fix --unsafe or --diff --unsafe")
    if format_ in _LATER_FORMATS:
        raise not_available(f"--format {format_}")
    if format_ not in _FORMATS:
        raise Stop(Exit.USAGE, f"no such format: {format_}", f"one of {', '.join(_FORMATS)}")
    opened = open_project(invocation)
    chosen = _Filter(_files(opened.root, paths), _codes(select), _codes(ignore))
    if fix or diff:
        fixed = _fix(opened, chosen, unsafe=unsafe)
        if diff:
            return _print_difference(invocation.terminal, opened, fixed)
        _write(invocation.terminal, opened.root, fixed)
        opened = open_project(invocation)
    analysis = analysed(opened)
    findings = tuple(finding for finding in analysis.diagnostics if chosen.keeps(finding))
    _print(invocation.terminal, opened, findings, _looked_at(analysis, chosen), format_)
    failing = (Severity.ERROR,) if fail_on == "error" else (Severity.ERROR, Severity.WARNING)
    return Exit.FAILED if any(finding.severity in failing for finding in findings) else Exit.DONE


def _refuse_later(given: Mapping[str, object]) -> None:
    for option, value in given.items():
        if value:
            raise not_available(f"smelt check {option}")


def _files(root: Path, paths: tuple[str, ...]) -> frozenset[str] | None:
    """The paths as the project names its files: relative to the root; a folder stands for all below it."""
    if not paths:
        return None
    found = set()
    for written in paths:
        path = Path(written)
        if not path.exists():
            raise Stop(Exit.USAGE, f"no such file: {written}", "paths are read from the folder you are in")
        full = path.resolve()
        if not full.is_relative_to(root):
            raise Stop(Exit.USAGE, f"{written} is not in the project {root}")
        relative = full.relative_to(root).as_posix()
        found.add("" if relative == "." else relative)
    return frozenset(found)


def _codes(written: tuple[str, ...]) -> frozenset[str]:
    known = registry.names()
    for name in written:
        if name not in known:
            help_text = did_you_mean(name, known) or "`smelt docs` lists the codes"
            raise Stop(Exit.USAGE, f"no such code: {name}", help_text)
    return frozenset(written)


def _looked_at(analysis: Analysis, chosen: _Filter) -> int:
    project = analysis.project
    files = {
        "smelt.yml",
        *(model.file for model in project.models.values()),
        *(source.marks.file for source in project.sources.values()),
        *(finding.location.file for finding in analysis.diagnostics),
    }
    return sum(chosen.has(file) for file in files)


def _print(terminal: Terminal, opened: Opened, findings: tuple[Diagnostic, ...], files: int, format_: str) -> None:
    texts = opened.project.texts
    report = report_object(findings, texts, files)
    if format_ == "json":
        terminal.result(terminal.redacted(json.dumps(report, indent=2, ensure_ascii=False)) + "\n")
        return
    terminal.result(terminal.redacted(text(findings, texts, terminal.out_palette, terminal.out_width)))
    if findings and terminal.out_is_tty:
        terminal.say("")
    terminal.say(_summary(findings, files))


def _summary(findings: Iterable[Diagnostic], files: int) -> str:
    severities = [finding.severity for finding in findings]
    counts = [
        counted(severities.count(severity), noun)
        for severity, noun in ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice"))
        if severity in severities
    ]
    return f"{', '.join(counts) or 'nothing found'} in {counted(files, 'file')}"


def _fix(opened: Opened, chosen: _Filter, *, unsafe: bool) -> Fixed:
    from smelt.workspace.reader import read_project

    def look(overlay: Mapping[str, str]) -> tuple[tuple[Diagnostic, ...], Mapping[str, str]]:
        project = read_project(opened.root, overlay) if overlay else opened.project
        analysis = analysed(Opened(opened.root, project))
        return tuple(one for one in analysis.diagnostics if chosen.keeps(one)), project.texts

    def wanted(fix: Fix) -> bool:
        return fix.safe or unsafe

    return fix_all(look, wanted)


def _print_difference(terminal: Terminal, opened: Opened, fixed: Fixed) -> Exit:
    for file, after in sorted(fixed.texts.items()):
        terminal.result(difference(file, opened.project.texts.get(file, ""), after))
    terminal.say(f"--fix would mend {counted(fixed.count, 'finding')} in {counted(len(fixed.texts), 'file')}")
    return Exit.FAILED if fixed.count else Exit.DONE


def _write(terminal: Terminal, root: Path, fixed: Fixed) -> None:
    for file, after in sorted(fixed.texts.items()):
        path = root / file
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Bytes, so that the line ends stay those that the file has.
            path.write_bytes(after.encode("utf-8"))
        except OSError as error:
            raise Stop(Exit.FAILED, f"cannot write {file}: {error.strerror}") from error
    if fixed.count:
        terminal.say(f"fixed {counted(fixed.count, 'finding')} in {counted(len(fixed.texts), 'file')}")
