"""Findings as workflow commands of GitHub Actions: each becomes an annotation on its line of a pull request."""

from collections.abc import Iterable

from smelt.diagnostics.cells import harmless
from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Diagnostic, Severity
from smelt.diagnostics.ranges import Ranges

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def github_text(projects: Iterable[Checked]) -> str:
    """One line for each finding; paths count from the repository's root, as the runner reads them."""
    return "".join(_lines(one) for one in projects)


def _lines(checked: Checked) -> str:
    ranges = Ranges(checked.texts)
    return "".join(f"{_command(finding, checked.base, ranges)}\n" for finding in checked.findings)


def _command(finding: Diagnostic, base: str, ranges: Ranges) -> str:
    properties = {"title": f"smelt: {finding.code.name}", "file": base + finding.location.file}
    properties |= _place(finding, ranges)
    written = ",".join(f"{name}={harmless(value).translate(_IN_PROPERTY)}" for name, value in properties.items())
    message = f"{finding.message}\n{finding.help}".rstrip()
    return f"::{_COMMAND[finding.severity]} {written}::{harmless(message).translate(_IN_DATA)}"


def _place(finding: Diagnostic, ranges: Ranges) -> dict[str, str]:
    file, span = finding.location.file, finding.location.span
    if not ranges.knows(file):
        return {}
    start, end = ranges.without_mark(file, span)
    place = {"line": str(start.line), "endLine": str(end.line)}
    if start.line == end.line:  # columns of an annotation over several lines are refused
        place |= {"col": str(start.column), "endColumn": str(end.column)}
    return place
