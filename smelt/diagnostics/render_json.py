"""Findings as a program reads them: the object that ``smelt check --format json`` prints."""

from collections.abc import Iterable, Mapping

from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Diagnostic, Fix, Location, Severity
from smelt.diagnostics.ranges import Ranges
from smelt.text.lines import Position
from smelt.text.spans import Span

Json = dict[str, object]


def report_object(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], files: int) -> Json:
    """The whole report.

    Args:
        diagnostics: the findings, in the order to print.
        texts: the files' texts by project-relative path.
        files: how many files were looked at.
    """
    listed = tuple(diagnostics)
    return _report(diagnostic_objects(listed, texts), listed, files)


def checked_object(projects: Iterable[Checked]) -> Json:
    """The report on several projects in one: each finding says also which ``project`` its file belongs to."""
    listed = tuple(projects)
    objects: list[Json] = []
    for one in listed:
        objects += [{"project": one.project, **found} for found in diagnostic_objects(one.findings, one.texts)]
    return _report(objects, (found for one in listed for found in one.findings), sum(len(one.files) for one in listed))


def _report(objects: list[Json], diagnostics: Iterable[Diagnostic], files: int) -> Json:
    severities = [diagnostic.severity for diagnostic in diagnostics]
    return {
        "version": 1,
        "diagnostics": objects,
        "summary": {
            "errors": severities.count(Severity.ERROR),
            "warnings": severities.count(Severity.WARNING),
            "files": files,
        },
    }


def diagnostic_objects(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> list[Json]:
    """One object for each finding: positions are 1-based, in code points, ends exclusive."""
    ranges = Ranges(texts)
    return [_diagnostic(diagnostic, ranges) for diagnostic in diagnostics]


def _range(ranges: Ranges, file: str, span: Span) -> Json:
    start, end = ranges.of(file, span)
    return {"start": _position(start), "end": _position(end)}


def _position(position: Position) -> Json:
    return {"line": position.line, "column": position.column}


def _diagnostic(diagnostic: Diagnostic, ranges: Ranges) -> Json:
    return {
        "code": diagnostic.code.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
        **_location(diagnostic.location, ranges),
        "related": [
            {**_location(related.location, ranges), "message": related.message} for related in diagnostic.related
        ],
        "fixes": [_fix(fix, ranges) for fix in diagnostic.fixes],
        "doc": f"docs/diagnostics/{diagnostic.code.name}.md",
    }


def _location(location: Location, ranges: Ranges) -> Json:
    return {"file": location.file, "range": _range(ranges, location.file, location.span)}


def _fix(fix: Fix, ranges: Ranges) -> Json:
    return {
        "title": fix.title,
        "safe": fix.safe,
        "edits": [
            {"file": edit.file, "range": _range(ranges, edit.file, edit.edit.span), "text": edit.edit.text}
            for edit in fix.edits
        ],
    }
