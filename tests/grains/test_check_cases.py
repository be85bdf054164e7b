"""Every literate case: the findings are exactly the marks, the shapes and the frames those that are told."""

from collections import defaultdict
from collections.abc import Mapping

import pytest

from smelt.analysis.analyze import analyze
from smelt.analysis.model import Analysis
from smelt.cli.fixing import difference, fix_all
from smelt.diagnostics import render
from smelt.diagnostics.model import Diagnostic
from smelt.project.load import load_project
from smelt.project.model import Address
from tests.grains.literate import CASES, MODEL, Case, Mark, Told, cases, marked, rewrite, summary

ALL = tuple(cases())


def analysis(files: dict[str, str]) -> Analysis:
    texts = {path: text for path, text in files.items() if path.endswith((".sql", ".yml"))}
    return analyze(load_project(texts, environment={}))


def shape_of(case: Case) -> str:
    return summary(analysis(case.files).models[Address(("customer_history",))].shape)


def text_of(case: Case) -> str:
    return render.text(analysis(case.files).diagnostics, case.files)


def diff_of(case: Case) -> str:
    """What all fixes change, unsafe ones too."""

    def look(changed: Mapping[str, str]) -> tuple[tuple[Diagnostic, ...], Mapping[str, str]]:
        texts = {**case.files, **changed}
        return analysis(texts).diagnostics, texts

    fixed = fix_all(look, lambda fix: True)
    return "".join(difference(file, case.files.get(file, ""), text) for file, text in sorted(fixed.texts.items()))


def actual(case: Case) -> list[Mark]:
    found = analysis(case.files).diagnostics
    return sorted(marked(d, case.files[d.location.file]) for d in found)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    assert actual(case) == list(case.marks)


@pytest.mark.parametrize("case", [case for case in ALL if case.shape is not None], ids=lambda case: case.name)
def test_shape(case: Case) -> None:
    assert shape_of(case) == case.shape


@pytest.mark.parametrize("case", [case for case in ALL if case.text is not None], ids=lambda case: case.name)
def test_text(case: Case) -> None:
    assert text_of(case) == case.text


@pytest.mark.parametrize("case", [case for case in ALL if case.diff is not None], ids=lambda case: case.name)
def test_fixes(case: Case) -> None:
    assert diff_of(case) == case.diff


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_admitted_exactly_if_nothing_is_an_error(case: Case) -> None:
    judged = analysis(case.files)
    one = judged.models[Address(("customer_history",))]
    if any(d.is_error for d in judged.diagnostics if d.location.file == MODEL):
        assert one.kind == "refused"
        assert one.shape is None
        assert one.definition_hash is None
    else:
        assert one.kind in ("succession", "view", "table")
        assert one.definition_hash is not None


def test_update(request: pytest.FixtureRequest) -> None:
    """With ``--update`` the marks in the files are rewritten; without, the files are as that leaves them."""
    by_file: dict[str, dict[str, Told]] = defaultdict(dict)
    for case in ALL:
        by_file[case.name.split(":")[0]][case.name] = Told(
            actual(case), shape_of(case), text_of(case), diff_of(case) if case.diff is not None else ""
        )
    for stem, found in by_file.items():
        path = CASES / f"{stem}.md"
        text = rewrite(path, found)
        if request.config.getoption("--update"):
            path.write_text(text, encoding="utf-8")
        else:
            assert text == path.read_text(encoding="utf-8")
