"""Literate cases of codes that stand outside of a model's outline: files, declarations, allowances, DuckDB's own word.

Like the check cases, but looked at with DuckDB's binder and with allowances applied, as ``smelt check`` does.
"""

from collections import defaultdict
from dataclasses import replace

import pytest

from smelt.diagnostics import registry
from tests.grains.literate import CASES, Case, Mark, Told, cases, marked, rewrite
from tests.pages.reading import findings

FOLDER = CASES.parent / "project"
ALL = tuple(cases(FOLDER))


def actual(case: Case) -> list[Mark]:
    """What is found; a finding about a whole file stands at its first letter."""
    found = (marked(one, case.files[one.location.file]) for one in findings(case.files))
    return sorted(replace(mark, end=max(mark.end, mark.start + 1)) for mark in found)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    assert actual(case) == list(case.marks)


def test_every_code_that_a_check_finds_has_a_case() -> None:
    in_cases = {mark.code for case in (*ALL, *cases()) for mark in case.marks}
    found = {name for name in registry.names() if registry.entry(name).code.stage == "check"}
    assert found - in_cases == set()


def test_update(request: pytest.FixtureRequest) -> None:
    """With ``--update`` the marks in the files are rewritten; without, the files are as that leaves them."""
    by_file: dict[str, dict[str, Told]] = defaultdict(dict)
    for case in ALL:
        by_file[case.name.split(":")[0]][case.name] = Told(actual(case), "", "", "")
    for stem, found in by_file.items():
        path = FOLDER / f"{stem}.md"
        text = rewrite(path, found)
        if request.config.getoption("--update"):
            path.write_text(text, encoding="utf-8")
        else:
            assert text == path.read_text(encoding="utf-8")
