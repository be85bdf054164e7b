"""The JSON object of ``smelt check --format json``."""

from smelt.diagnostics.model import Code, FileEdit, Fix, Location, Related, Severity, report
from smelt.diagnostics.render_json import report_object
from smelt.text.edits import Edit
from smelt.text.spans import Span

CODE = Code("Demo", Severity.ERROR, "found", "write it")
MODEL, SOURCE = "models/a.sql", "models/a.yml"


def test_the_whole_object() -> None:
    texts = {MODEL: "SELECT '😀', bad\nFROM t\n", SOURCE: "name: a\r\nfiles: b\r\n"}
    at = texts[MODEL].index("bad")
    finding = report(
        CODE,
        Location(MODEL, Span(at, at + 3)),
        related=[Related(Location(SOURCE, Span(9, 14)), "declared here")],
        fixes=[Fix("mend", True, (FileEdit(MODEL, Edit(Span(at, len(texts[MODEL])), "good")),))],
    )
    assert report_object([finding], texts, files=2) == {
        "version": 1,
        "diagnostics": [
            {
                "code": "Demo",
                "severity": "error",
                "message": "found",
                "help": "write it",
                "file": MODEL,
                "range": {"start": {"line": 1, "column": 13}, "end": {"line": 1, "column": 16}},
                "related": [
                    {
                        "file": SOURCE,
                        "range": {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 6}},
                        "message": "declared here",
                    }
                ],
                "fixes": [
                    {
                        "title": "mend",
                        "safe": True,
                        "edits": [
                            {
                                "file": MODEL,
                                "range": {"start": {"line": 1, "column": 13}, "end": {"line": 3, "column": 1}},
                                "text": "good",
                            }
                        ],
                    }
                ],
                "doc": "docs/diagnostics/Demo.md",
            }
        ],
        "summary": {"errors": 1, "warnings": 0, "files": 2},
    }


def test_the_summary_counts_by_severity() -> None:
    advice = Code("Advice", Severity.WARNING, "maybe")
    note = Code("Note", Severity.INFO, "so it is")
    findings = [report(code, Location(MODEL, Span(0, 1))) for code in (CODE, advice, advice, note)]
    assert report_object(findings, {MODEL: "x"}, files=1)["summary"] == {"errors": 1, "warnings": 2, "files": 1}
