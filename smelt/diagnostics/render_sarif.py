"""Findings as SARIF 2.1.0 (Static Analysis Results Interchange Format): what code hosts and viewers read.

All projects share one run: a host tells runs of one tool apart only by a category, which its user gives. Columns
count Unicode code points, and a byte order mark is no column.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from smelt.diagnostics import registry
from smelt.diagnostics.checked import Checked
from smelt.diagnostics.fingerprint import VERSION as FINGERPRINT_VERSION
from smelt.diagnostics.fingerprint import fingerprints
from smelt.diagnostics.model import Code, Diagnostic, Fix, Location, Severity
from smelt.diagnostics.pages import page_uri, section, what_was_found
from smelt.diagnostics.ranges import Ranges
from smelt.diagnostics.render_json import Json
from smelt.text.spans import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = f"smeltFinding/v{FINGERPRINT_VERSION}"
"""The name under which a result holds its fingerprint."""
_ROOT = "%SRCROOT%"
"""What hosts take for the repository's root."""

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}


def sarif_object(projects: Iterable[Checked], version: str) -> Json:
    """The log: one run with the results of all projects, and a rule for each code among them.

    Args:
        projects: what was found; their ``base`` is what makes paths count from the repository's root.
        version: smelt's own.
    """
    rules = _Rules()
    results = [result for one in projects for result in _results(one, rules)]
    driver: Json = {"name": "smelt", "version": version, "rules": [_rule(code) for code in rules.codes]}
    run: Json = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


@dataclass(slots=True)
class _Rules:
    """The codes met so far, each with its place."""

    places: dict[Code, int] = field(default_factory=dict)

    @property
    def codes(self) -> tuple[Code, ...]:
        return tuple(self.places)

    def place(self, code: Code) -> int:
        return self.places.setdefault(code, len(self.places))


def _rule(code: Code) -> Json:
    page = registry.entry(code.name).page if code.name in registry.CODES else ""
    found = what_was_found(page) or code.message
    why = section(page, "Why it blocks") or section(page, "Why it matters")
    return {
        "id": code.name,
        "name": code.name,
        "shortDescription": {"text": found},
        "fullDescription": {"text": f"{found}\n\n{why}".strip()},
        "help": {"text": page or found, "markdown": page or found},
        "helpUri": page_uri(code.name),
        "defaultConfiguration": {"level": _LEVEL[code.severity]},
        "properties": {"precision": "very-high", "problem.severity": _PROBLEM[code.severity]},
    }


def _results(checked: Checked, rules: _Rules) -> list[Json]:
    places = _Places(checked.base, Ranges(checked.texts))
    marks = fingerprints(checked.findings, checked.texts)
    return [
        _result(finding, mark, places, rules.place(finding.code))
        for finding, mark in zip(checked.findings, marks, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Places:
    """Locations as SARIF has them."""

    base: str
    ranges: Ranges

    def artifact(self, file: str) -> Json:
        # What cannot stand in a URI is escaped, so that no path can be read as a scheme or a query.
        return {"uri": quote(self.base + file, errors="backslashreplace"), "uriBaseId": _ROOT}

    def region(self, file: str, span: Span) -> Json:
        start, end = self.ranges.without_mark(file, span)
        return {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        }

    def location(self, location: Location) -> Json:
        physical: Json = {"artifactLocation": self.artifact(location.file)}
        if self.ranges.knows(location.file):
            physical["region"] = self.region(location.file, location.span)
        return {"physicalLocation": physical}


def _result(finding: Diagnostic, fingerprint: str, places: _Places, rule: int) -> Json:
    result: Json = {
        "ruleId": finding.code.name,
        "ruleIndex": rule,
        "level": _LEVEL[finding.severity],
        "message": {"text": f"{finding.message}\n{finding.help}".rstrip()},
        "locations": [places.location(finding.location)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    related = dict.fromkeys(finding.related)  # an equal one twice would not be valid
    if related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": one.message}, **places.location(one.location)}
            for number, one in enumerate(related, 1)
        ]
    fixes = [_fix(fix, places) for fix in dict.fromkeys(finding.fixes) if fix.edits]
    if fixes:
        result["fixes"] = fixes
    return result


def _fix(fix: Fix, places: _Places) -> Json:
    return {
        "description": {"text": fix.title if fix.safe else f"{fix.title} (unsafe)"},
        "artifactChanges": [
            {"artifactLocation": places.artifact(file), "replacements": replacements}
            for file, replacements in _replacements(fix, places).items()
        ],
        "properties": {"safe": fix.safe},
    }


def _replacements(fix: Fix, places: _Places) -> Mapping[str, list[Json]]:
    by_file: dict[str, list[Json]] = {}
    for edit in fix.edits:
        replacement: Json = {
            "deletedRegion": places.region(edit.file, edit.edit.span),
            "insertedContent": {"text": edit.edit.text},
        }
        by_file.setdefault(edit.file, []).append(replacement)
    return by_file
