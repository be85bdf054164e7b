"""How ``smelt check`` prints what it found."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from smelt.cli.outcome import counted
from smelt.cli.terminal import Terminal
from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Diagnostic, FileEdit, Fix, Related, Severity
from smelt.diagnostics.render import text
from smelt.text.edits import Edit
from smelt.version import VERSION

Report = tuple[Checked, ...]
Format = Callable[[Terminal, Report, Collection[Severity]], None]


def _as_text(terminal: Terminal, report: Report, failing: Collection[Severity]) -> None:
    for one in report:
        terminal.result(terminal.redacted(text(one.findings, one.texts, terminal.out_palette, terminal.out_width)))
    if terminal.out_is_tty and any(one.findings for one in report):
        terminal.say("")
    terminal.say(summary(report))


def _as_json(terminal: Terminal, report: Report, failing: Collection[Severity]) -> None:
    from smelt.diagnostics.render_json import checked_object

    terminal.result(_object(checked_object(report)))


def _as_sarif(terminal: Terminal, report: Report, failing: Collection[Severity]) -> None:
    from smelt.diagnostics.render_sarif import sarif_object

    terminal.result(_object(sarif_object(report, VERSION)))


def _as_github(terminal: Terminal, report: Report, failing: Collection[Severity]) -> None:
    from smelt.diagnostics.render_github import github_text

    terminal.result(github_text(report))
    terminal.say(summary(report))


def _as_junit(terminal: Terminal, report: Report, failing: Collection[Severity]) -> None:
    from smelt.diagnostics.render_junit import junit_text

    terminal.result(junit_text(report, failing))


FORMATS: Mapping[str, Format] = {
    "text": _as_text,
    "json": _as_json,
    "sarif": _as_sarif,
    "github": _as_github,
    "junit": _as_junit,
}


def summary(report: Report) -> str:
    """What was found, in one line."""
    severities = [finding.severity for one in report for finding in one.findings]
    counts = [
        counted(severities.count(severity), noun)
        for severity, noun in ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice"))
        if severity in severities
    ]
    return f"{', '.join(counts) or 'nothing found'} in {counted(sum(len(one.files) for one in report), 'file')}"


def redacted(findings: Iterable[Diagnostic], terminal: Terminal) -> tuple[Diagnostic, ...]:
    """The findings without the values to hide.

    A format escapes what it prints, and a value that is escaped could not be found in it any more.
    """
    return tuple(_redacted(finding, terminal.redacted) for finding in findings)


def _redacted(finding: Diagnostic, hide: Callable[[str], str]) -> Diagnostic:
    return replace(
        finding,
        message=hide(finding.message),
        help=hide(finding.help),
        label=hide(finding.label),
        related=tuple(Related(one.location, hide(one.message)) for one in finding.related),
        fixes=tuple(_redacted_fix(fix, hide) for fix in finding.fixes),
    )


def _redacted_fix(fix: Fix, hide: Callable[[str], str]) -> Fix:
    edits = tuple(FileEdit(one.file, Edit(one.edit.span, hide(one.edit.text))) for one in fix.edits)
    return Fix(hide(fix.title), fix.safe, edits)


def _object(report: Mapping[str, object]) -> str:
    # ASCII alone: valid under every encoding that stdout may have.
    return json.dumps(report, indent=2, ensure_ascii=True) + "\n"
