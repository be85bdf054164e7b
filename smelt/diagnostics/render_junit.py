"""Findings as JUnit XML: a test suite for each project, a test case for each file.

The text is plain ASCII, so that it is valid under whatever encoding it is written.
"""

import re
from collections.abc import Collection, Iterable
from xml.sax.saxutils import escape

from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Diagnostic, Severity
from smelt.diagnostics.render import text

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_ATTRIBUTE = {'"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
_IN_TEXT = {"\r": "&#13;"}


def junit_text(projects: Iterable[Checked], failing: Collection[Severity]) -> str:
    """The document.

    Args:
        projects: what was found.
        failing: severities that fail a file; the others are its output.
    """
    listed = tuple(projects)
    suites = "".join(_suite(one, failing) for one in listed)
    tests = sum(len(_files(one)) for one in listed)
    failures = sum(len(_failed(one, failing)) for one in listed)
    head = f'<testsuites name="smelt check" tests="{tests}" failures="{failures}" errors="0">'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{suites}</testsuites>\n'


def _files(checked: Checked) -> tuple[str, ...]:
    found = {finding.location.file for finding in checked.findings}
    return tuple(sorted({*checked.files, *found}))


def _failed(checked: Checked, failing: Collection[Severity]) -> frozenset[str]:
    return frozenset(finding.location.file for finding in checked.findings if finding.severity in failing)


def _suite(checked: Checked, failing: Collection[Severity]) -> str:
    by_file: dict[str, list[Diagnostic]] = {file: [] for file in _files(checked)}
    for finding in checked.findings:
        by_file[finding.location.file].append(finding)
    failures = len(_failed(checked, failing))
    head = f'tests="{len(by_file)}" failures="{failures}" errors="0" skipped="0"'
    cases = "".join(_case(checked, file, found, failing) for file, found in by_file.items())
    return f"  <testsuite name={_attribute(checked.project)} {head}>\n{cases}  </testsuite>\n"


def _case(checked: Checked, file: str, found: Iterable[Diagnostic], failing: Collection[Severity]) -> str:
    path = checked.base + file
    head = f"    <testcase classname={_attribute(path)} name={_attribute(file)} file={_attribute(path)}"
    listed = tuple(found)
    failed = tuple(one for one in listed if one.severity in failing)
    others = tuple(one for one in listed if one.severity not in failing)
    if not listed:
        return f"{head}/>\n"
    body = ""
    if failed:  # one element for all: most readers of this format look at the first alone
        message = "; ".join(dict.fromkeys(f"{one.code.name}: {one.message}" for one in failed))
        body += f"      <failure type={_attribute(failed[0].code.name)} message={_attribute(message)}>"
        body += f"{_text(text(failed, checked.texts))}</failure>\n"
    if others:
        body += f"      <system-out>{_text(text(others, checked.texts))}</system-out>\n"
    return f"{head}>\n{body}    </testcase>\n"


def _attribute(value: str) -> str:
    return f'"{_ascii(escape(_valid(value), _IN_ATTRIBUTE))}"'


def _text(value: str) -> str:
    return _ascii(escape(_valid(value), _IN_TEXT))


def _valid(value: str) -> str:
    """The text with a stand-in for each character that no XML document may hold, not even as a reference."""
    return _NOT_XML.sub("\ufffd", value)


def _ascii(escaped: str) -> str:
    return escaped.encode("ascii", "xmlcharrefreplace").decode("ascii")
