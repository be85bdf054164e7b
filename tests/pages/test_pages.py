"""Every diagnostic code has a page whose examples do what it says."""

import re
from pathlib import Path

import pytest

from smelt.diagnostics import registry
from smelt.diagnostics.model import Severity
from tests.pages.reading import findings, read_page

ROOT = Path(__file__).parents[2]
NAMES = registry.names()
CHECKED = [name for name in NAMES if registry.entry(name).code.stage == "check"]
RUN = [name for name in NAMES if registry.entry(name).code.stage == "run"]
CURE = re.compile(
    r"(?:^|[:;,.]\s+|\bthen\s+)(?:write|remove|declare|add|drop|use|move|keep|name|give|set|run|try)\b"
    r"|\b(?:instead|please|should|you must)\b",
    re.IGNORECASE,
)
FAULT = re.compile(r"\b(wrong|invalid|bad|error|illegal|failed)\b", re.IGNORECASE)


@pytest.mark.parametrize("name", NAMES)
def test_declaration_and_page(name: str) -> None:
    entry = registry.entry(name)
    page = read_page(entry.page)
    assert entry.code.name == name
    assert page.title == f"# {name}"
    why = {"Why it blocks", "Why it matters"} & set(page.sections)
    assert why
    assert set(page.sections) - why == {"What was found", "Refused", "Accepted"}
    assert all(page.sections[section].strip() for section in page.sections)
    template = re.sub(r"\{.*?\}", "", entry.code.message)
    assert not CURE.search(template), template
    assert not FAULT.search(re.sub(r"\{.*?\}", "", entry.code.help))


@pytest.mark.parametrize("name", CHECKED)
def test_refused_example_yields_exactly_this_code(name: str) -> None:
    found = findings(read_page(registry.entry(name).page).example("Refused"))
    assert {diagnostic.code.name for diagnostic in found} == {name}, [(d.code.name, d.message) for d in found]


@pytest.mark.parametrize("name", CHECKED)
def test_accepted_example_yields_nothing(name: str) -> None:
    found = findings(read_page(registry.entry(name).page).example("Accepted"))
    assert [(d.code.name, d.message) for d in found] == []


@pytest.mark.parametrize("name", [name for name in NAMES if registry.entry(name).code.severity is Severity.ERROR])
def test_a_refusal_says_what_forcing_it_would_do(name: str) -> None:
    code = registry.entry(name).code
    assert code.witness or code.stage == "fault"


def test_every_rule_file_is_registered() -> None:
    files = {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for path in (ROOT / "smelt").rglob("rules/*.py")
        if path.name != "__init__.py" and "CODE = Code(" in path.read_text(encoding="utf-8")
    }
    assert files == set(registry.CODES.values())
