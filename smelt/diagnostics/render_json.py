"""Findings as a program reads them: the object that ``smelt check --format json`` prints."""

from collections.abc import Iterable, Mapping

from smelt.diagnostics.model import Diagnostic, Fix, Location, Severity
from smelt.text.lines import LineIndex, Position
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
    return {
        "version": 1,
        "diagnostics": diagnostic_objects(listed, texts),
        "summary": {
            "errors": sum(diagnostic.severity is Severity.ERROR for diagnostic in listed),
            "warnings": sum(diagnostic.severity is Severity.WARNING for diagnostic in listed),
            "files": files,
        },
    }


def diagnostic_objects(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str]) -> list[Json]:
    """One object for each finding: positions are 1-based, in code points, ends exclusive."""
    ranges = _Ranges(texts)
    return [_diagnostic(diagnostic, ranges) for diagnostic in diagnostics]


class _Ranges:
    """Ranges in the files of one report; each file's lines are found once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._indexes: dict[str, LineIndex] = {}

    def of(self, file: str, span: Span) -> Json:
        index = self._indexes.get(file)
        if index is None:
            index = self._indexes[file] = LineIndex(self._texts.get(file, ""))
        start, end = index.range(span)
        return {"start": _position(start), "end": _position(end)}


def _position(position: Position) -> Json:
    return {"line": position.line, "column": position.column}


def _diagnostic(diagnostic: Diagnostic, ranges: _Ranges) -> Json:
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


def _location(location: Location, ranges: _Ranges) -> Json:
    return {"file": location.file, "range": ranges.of(location.file, location.span)}


def _fix(fix: Fix, ranges: _Ranges) -> Json:
    return {
        "title": fix.title,
        "safe": fix.safe,
        "edits": [
            {"file": edit.file, "range": ranges.of(edit.file, edit.edit.span), "text": edit.edit.text}
            for edit in fix.edits
        ],
    }
