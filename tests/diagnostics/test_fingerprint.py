"""Fingerprints: what keeps one, and what gives another."""

import pytest

from smelt.diagnostics.fingerprint import fingerprints
from smelt.diagnostics.model import Code, Diagnostic, Location, Severity, report
from smelt.text.spans import Span

CODE = Code("Demo", Severity.ERROR, "there is no `{name}`")
FILE = "models/a.sql"
TEXT = "SELECT a,\n  bad\nFROM t\n"


def _finding(text: str, word: str = "bad", name: str = "x", file: str = FILE, code: Code = CODE) -> Diagnostic:
    at = text.index(word)
    return report(code, Location(file, Span(at, at + len(word))), name=name)


def _one(text: str, **changes: str) -> str:
    finding = _finding(text, **changes)  # type: ignore[arg-type]
    return fingerprints([finding], {finding.location.file: text})[0]


@pytest.mark.parametrize(
    "moved",
    ["-- a line above\n" + TEXT, "SELECT a,\nb,\n\n  bad\nFROM t\n", "SELECT a,\r\n\tbad\r\nFROM other\r\n"],
)
def test_it_stays_when_lines_around_it_change(moved: str) -> None:
    assert _one(moved) == _one(TEXT)


@pytest.mark.parametrize(
    "other",
    [
        _one(TEXT, name="y"),
        _one(TEXT, file="models/b.sql"),
        _one("SELECT a,\n  bad + 1\nFROM t\n"),
        _one("SELECT a,\n  bad\nFROM t\n", word="ba"),
    ],
)
def test_another_name_file_line_or_range_is_another_finding(other: str) -> None:
    assert other != _one(TEXT)


def test_the_words_of_the_message_do_not_count() -> None:
    reworded = Code("Demo", Severity.ERROR, "`{name}` is missing here")
    assert fingerprints([_finding(TEXT, code=reworded)], {FILE: TEXT}) == (_one(TEXT),)


def test_equal_ones_are_numbered() -> None:
    text = "bad\nbad\nbad\n"
    found = [report(CODE, Location(FILE, Span(at, at + 3)), name="x") for at in (0, 4, 8)]
    all_three = fingerprints(found, {FILE: text})
    assert len(set(all_three)) == 3
    assert fingerprints(found[:2], {FILE: text}) == all_three[:2]


def test_a_file_without_a_text_and_an_odd_name() -> None:
    found = report(CODE, Location("gone.sql", Span(0, 9)), name="\ud800")
    assert len(fingerprints([found], {})[0]) == 32
