"""JUnit XML: one case for each file, and a document that any parser takes."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Code, Diagnostic, Location, Severity
from smelt.diagnostics.render_junit import junit_text
from smelt.text.spans import Span

ERROR = Code("Wrong", Severity.ERROR, "found")
WARNING = Code("Doubtful", Severity.WARNING, "found")
TEXT = "SELECT bad\n"
FAILING = (Severity.ERROR,)


def _found(code: Code, file: str, message: str = "found it") -> Diagnostic:
    return Diagnostic(code, Location(file, Span(7, 10)), message)


def _document(*projects: Checked, failing: tuple[Severity, ...] = FAILING) -> ElementTree.Element:
    return ElementTree.fromstring(junit_text(projects, failing).encode("ascii"))


def _project(*findings: Diagnostic, files: tuple[str, ...] = ("a.sql", "b.sql", "c.sql"), name: str = ".") -> Checked:
    base = "" if name == "." else f"{name}/"
    return Checked(findings, dict.fromkeys(files, TEXT), files, name, base)


def test_each_file_is_a_case() -> None:
    suites = _document(_project(_found(ERROR, "a.sql"), _found(ERROR, "a.sql", "and that"), _found(WARNING, "b.sql")))
    assert suites.attrib == {"name": "smelt check", "tests": "3", "failures": "1", "errors": "0"}
    (suite,) = suites
    assert [case.get("name") for case in suite] == ["a.sql", "b.sql", "c.sql"]
    assert [[part.tag for part in case] for case in suite] == [["failure"], ["system-out"], []]
    (failure,) = suite[0]
    assert failure.attrib == {"type": "Wrong", "message": "Wrong: found it; Wrong: and that"}
    assert failure.text is not None
    assert failure.text.count("error[Wrong]") == 2
    assert "1 | SELECT bad" in failure.text


def test_warnings_fail_a_file_when_asked() -> None:
    suites = _document(_project(_found(WARNING, "b.sql")), failing=(Severity.ERROR, Severity.WARNING))
    assert suites.get("failures") == "1"
    assert suites.find("./testsuite/testcase[@name='b.sql']/failure") is not None


def test_projects_are_suites() -> None:
    suites = _document(_project(_found(ERROR, "a.sql"), name="one"), _project(name="two"))
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == [("one", "1"), ("two", "0")]
    assert suites[0][0].get("file") == "one/a.sql"


@given(st.text(st.characters(codec=None, exclude_categories=())), st.text(st.characters(exclude_categories=())))
def test_any_characters_make_valid_xml(file: str, message: str) -> None:
    finding = Diagnostic(ERROR, Location(file, Span(0, 1)), message, message, message)
    suites = _document(Checked((finding,), {file: message}, (file,), message))
    assert len(suites.findall("./testsuite/testcase/failure")) == 1


def test_line_ends_in_a_value_survive() -> None:
    suites = _document(_project(_found(ERROR, "a.sql", 'one\ntwo\t<&">')))
    failure = suites.find(".//failure")
    assert failure is not None
    assert failure.get("message") == 'Wrong: one\ntwo\t<&">'


def test_a_character_that_xml_cannot_hold_has_a_stand_in() -> None:
    suites = _document(_project(_found(ERROR, "a.sql", "bell \x07, null \0, half \ud800, none \uffff")))
    failure = suites.find(".//failure")
    assert failure is not None
    assert failure.get("message") == "Wrong: bell \ufffd, null \ufffd, half \ufffd, none \ufffd"
