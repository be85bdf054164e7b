"""How ``smelt check`` prints what it found."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from smelt.cli.baseline import Entry
from smelt.cli.terminal import Terminal
from smelt.diagnostics.cells import harmless
from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Diagnostic, FileEdit, Fix, Related, Severity
from smelt.diagnostics.render import text
from smelt.text.counts import counted
from smelt.text.edits import Edit
from smelt.version import VERSION


@dataclass(frozen=True, slots=True)
class Report:
    """A whole check.

    Attributes:
        projects: what is reported of each.
        failing: the severities that fail it.
        allowed: how many findings are not reported because a comment allows them.
        known: how many findings are not reported because the baseline holds them; None without a baseline.
        unused: what the baseline holds and nothing matches any more.
    """

    projects: tuple[Checked, ...]
    failing: tuple[Severity, ...]
    allowed: int = 0
    known: int | None = None
    unused: tuple[Entry, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether something was found that fails the check."""
        severities = {finding.severity for one in self.projects for finding in one.findings}
        return not severities.isdisjoint(self.failing) or (bool(self.unused) and Severity.WARNING in self.failing)


Format = Callable[[Terminal, Report], None]


def show(terminal: Terminal, report: Report, format_: str) -> None:
    """Print a check in a format, a key of :data:`FORMATS`."""
    FORMATS[format_](terminal, report)
    if report.unused:
        listed = "\n".join(f"{entry.file}: {entry.code}" for entry in report.unused)
        message = f"nothing matches {counted(len(report.unused), 'known finding')} of the baseline"
        terminal.finding(Severity.WARNING, None, message, f"{listed}\n--write-baseline drops what is gone")


def _as_text(terminal: Terminal, report: Report) -> None:
    for one in report.projects:
        if one.findings and len(report.projects) > 1:  # paths are the project's own
            terminal.result(f"in {harmless(one.project)}:\n\n")
        terminal.result(terminal.redacted(text(one.findings, one.texts, terminal.out_palette, terminal.out_width)))
    if terminal.out_is_tty and any(one.findings for one in report.projects):
        terminal.say("")
    terminal.say(summary(report))


def _as_json(terminal: Terminal, report: Report) -> None:
    from smelt.diagnostics.render_json import checked_object

    said = checked_object(report.projects)
    if report.known is not None:
        unused = [
            {"project": entry.project, "file": entry.file, "code": entry.code, "fingerprint": entry.fingerprint}
            for entry in report.unused
        ]
        said["baseline"] = {"known": report.known, "unused": unused}
    terminal.result(_object(said))


def _as_sarif(terminal: Terminal, report: Report) -> None:
    from smelt.diagnostics.render_sarif import sarif_object

    terminal.result(_object(sarif_object(report.projects, VERSION)))


def _as_github(terminal: Terminal, report: Report) -> None:
    from smelt.diagnostics.render_github import github_text

    terminal.result(github_text(report.projects))
    terminal.say(summary(report))


def _as_junit(terminal: Terminal, report: Report) -> None:
    from smelt.diagnostics.render_junit import junit_text

    terminal.result(junit_text(report.projects, report.failing))


FORMATS: Mapping[str, Format] = {
    "text": _as_text,
    "json": _as_json,
    "sarif": _as_sarif,
    "github": _as_github,
    "junit": _as_junit,
}


def summary(report: Report) -> str:
    """What was found, in one line."""
    severities = [finding.severity for one in report.projects for finding in one.findings]
    counts = [
        counted(severities.count(severity), noun)
        for severity, noun in ((Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice"))
        if severity in severities
    ]
    files = counted(sum(len(one.files) for one in report.projects), "file")
    allowed = f"; comments allow {report.allowed} more" if report.allowed else ""
    known = f"; the baseline holds {report.known} more" if report.known else ""
    return f"{', '.join(counts) or 'nothing found'} in {files}{allowed}{known}"


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
