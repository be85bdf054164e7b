"""Every literate case: the findings are exactly the marks, the shapes and the frames those that are told."""

from collections import defaultdict
from collections.abc import Mapping

import pytest

from smelt.cli.fixing import difference, fix_all
from smelt.diagnostics import render
from smelt.diagnostics.model import Diagnostic
from smelt.project.model import Address
from tests.grains.literate import CASES, MODEL, Case, Mark, Told, cases, judged, marked, rewrite, summary

ALL = cases()


def shape_of(case: Case) -> str:
    return summary(judged(case.files).models[Address(("customer_history",))].shape)


def text_of(case: Case) -> str:
    return render.text(judged(case.files).diagnostics, case.files)


def diff_of(case: Case) -> str:
    """What all fixes change, unsafe ones too."""

    def look(changed: Mapping[str, str]) -> tuple[tuple[Diagnostic, ...], Mapping[str, str]]:
        texts = {**case.files, **changed}
        return judged(texts).diagnostics, texts

    fixed = fix_all(look, lambda fix: True)
    return "".join(difference(file, case.files.get(file, ""), text) for file, text in sorted(fixed.texts.items()))


def actual(case: Case) -> list[Mark]:
    found = judged(case.files).diagnostics
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
    found = judged(case.files)
    one = found.models[Address(("customer_history",))]
    if any(d.is_error for d in found.diagnostics if d.location.file == MODEL):
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
