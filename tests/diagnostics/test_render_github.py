"""Workflow commands: one line each, escaped as the runner reads them back."""

import re

import pytest

from smelt.diagnostics.checked import Checked
from smelt.diagnostics.model import Code, Diagnostic, Location, Severity
from smelt.diagnostics.render_github import github_text
from smelt.text.spans import Span

CODE = Code("Demo", Severity.ERROR, "found")
BAD = Span(11, 14)
TEXT = "one\ntwo, 😀 bad\nthree\n"


def _line(
    message: str = "found",
    help_text: str = "",
    *,
    file: str = "models/a.sql",
    span: Span = BAD,
    base: str = "",
) -> str:
    finding = Diagnostic(CODE, Location(file, span), message, help_text)
    return github_text([Checked((finding,), {file: TEXT}, (file,), base=base)])


def _read(line: str) -> tuple[str, dict[str, str], str]:
    """A command as the runner reads it: name, properties, message."""
    match = re.fullmatch(r"::(\w+) ([^\r\n]*?)::([^\r\n]*)\n", line)
    assert match is not None, line
    pairs = (pair.split("=", 1) for pair in match[2].split(","))
    return match[1], {name: _back(value) for name, value in pairs}, _back(match[3])


def _back(value: str) -> str:
    for escaped, plain in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        value = value.replace(escaped, plain)
    return value


def test_the_whole_line() -> None:
    assert _line("found `x`", "write `y`") == (
        "::error title=smelt%3A Demo,file=models/a.sql,line=2,endLine=2,col=8,endColumn=11::found `x`%0Awrite `y`\n"
    )


@pytest.mark.parametrize("severity", Severity)
def test_severities_are_the_hosts_own(severity: Severity) -> None:
    finding = Diagnostic(Code("C", severity, "m"), Location("a.sql", Span(0, 1)), "m")
    name, _, _ = _read(github_text([Checked((finding,), {"a.sql": "x"}, ("a.sql",))]))
    assert name == {"error": "error", "warning": "warning", "info": "notice"}[severity]


@pytest.mark.parametrize("odd", ["100%", "a%0Ab", "a\nb", "a\r\nb", "x::y", "a,b=c", "::error::gotcha", "%25", ":"])
def test_whatever_is_written_comes_back(odd: str) -> None:
    name, properties, message = _read(_line(odd, file=f"models/{odd}.sql"))
    shown = odd.replace("\r\n", "\n")
    assert (name, message) == ("error", shown)
    assert properties["file"] == f"models/{shown}.sql"


def test_what_steers_a_terminal_is_shown() -> None:
    assert "\x1b" not in _line("\x1b[31mred")


def test_several_lines_have_no_columns() -> None:
    _, properties, _ = _read(_line(span=Span(0, 9)))
    assert (properties["line"], properties["endLine"]) == ("1", "2")
    assert not {"col", "endColumn"} & set(properties)


def test_paths_count_from_the_repository_root() -> None:
    _, properties, _ = _read(_line(base="billing/"))
    assert properties["file"] == "billing/models/a.sql"


def test_a_file_without_a_text_has_no_line() -> None:
    finding = Diagnostic(CODE, Location("gone.sql", Span(0, 0)), "unreadable")
    _, properties, _ = _read(github_text([Checked((finding,), {}, ("gone.sql",))]))
    assert "line" not in properties
