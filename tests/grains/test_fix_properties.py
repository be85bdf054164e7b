"""What every fix keeps, over all check cases and all pages: it mends, breaks nothing, and touches nothing else."""

from collections.abc import Callable, Iterator, Mapping

import pytest

from smelt.cli.fixing import fix_all
from smelt.diagnostics import registry
from smelt.diagnostics.model import Diagnostic, Fix
from smelt.text.edits import apply_edits
from tests.grains.literate import cases
from tests.pages.reading import findings, read_page

Files = Mapping[str, str]


def projects() -> Iterator[tuple[str, dict[str, str]]]:
    """Every project that is refused somewhere in the tests' data, by name."""
    for case in cases():
        yield case.name, case.files
    for name in registry.names():
        if registry.entry(name).code.stage == "check":
            yield f"page {name}", read_page(registry.entry(name).page).example("Refused")


def offered(files: Files) -> list[tuple[Diagnostic, Fix]]:
    return [(finding, fix) for finding in findings(files) for fix in finding.fixes]


def fixed(files: Files, fix: Fix) -> dict[str, str]:
    changed = dict(files)
    for file in {edit.file for edit in fix.edits}:
        changed[file] = apply_edits(changed.get(file, ""), [edit.edit for edit in fix.edits if edit.file == file])
    return changed


PROJECTS = [(name, files) for name, files in projects() if offered(files)]
IDS = [name for name, _ in PROJECTS]


def place(finding: Diagnostic, files: Files) -> tuple[str, str, str]:
    span = finding.location.span
    return finding.code.name, finding.location.file, files.get(finding.location.file, "")[span.start : span.end]


@pytest.mark.parametrize("files", [files for _, files in PROJECTS], ids=IDS)
def test_each_fix_mends_its_finding_and_brings_no_error(files: Files) -> None:
    before = findings(files)
    places = [place(finding, files) for finding in before]
    errors = {finding.code.name for finding in before if finding.is_error}
    for finding, fix in offered(files):
        after_files = fixed(files, fix)
        after = findings(after_files)
        left = [place(one, after_files) for one in after]
        assert left.count(place(finding, files)) < places.count(place(finding, files)), fix.title
        assert {one.code.name for one in after if one.is_error} <= errors, fix.title
        assert after_files != files


def crlf(path: str, text: str) -> str:
    return text.replace("\n", "\r\n")


def with_mark(path: str, text: str) -> str:
    return "\ufeff" + text


def with_comments(path: str, text: str) -> str:
    """Lines that hold nothing but a comment, where such a line may stand in SQL and in YAML."""
    if path.endswith(".yml"):
        return "# it's a 🙂 comment\n" + text + "# and the end\n"
    return text + "-- it's 🙂 the end"


TRANSFORMS = (crlf, with_mark, with_comments)


@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda transform: transform.__name__)
@pytest.mark.parametrize("files", [files for _, files in PROJECTS], ids=IDS)
def test_what_stands_around_an_edit_is_kept(files: Files, transform: Callable[[str, str], str]) -> None:
    """The same fixes are offered in the changed text, and change it as they change the plain one."""

    def changed(given: Files) -> dict[str, str]:
        return {
            path: transform(path, text) if path in files and path.endswith((".sql", ".yml")) else text
            for path, text in given.items()
        }

    plain, other = offered(files), offered(changed(files))
    assert [(f.code.name, fix.title, fix.safe) for f, fix in other] == [
        (f.code.name, x.title, x.safe) for f, x in plain
    ]
    for (_, one), (_, two) in zip(plain, other, strict=True):
        assert fixed(changed(files), two) == changed(fixed(files, one))


@pytest.mark.parametrize("wanted", ["safe", "all"])
@pytest.mark.parametrize("files", [files for _, files in PROJECTS], ids=IDS)
def test_a_second_time_nothing_is_left_to_fix(files: Files, wanted: str) -> None:
    def look(changed: Files) -> tuple[tuple[Diagnostic, ...], Files]:
        texts = {**files, **changed}
        return findings(texts), texts

    def again(changed: Files) -> tuple[tuple[Diagnostic, ...], Files]:
        texts = {**files, **first.texts, **changed}
        return findings(texts), texts

    def may_apply(fix: Fix) -> bool:
        return fix.safe or wanted == "all"

    first = fix_all(look, may_apply)
    assert fix_all(again, may_apply).count == 0
    if wanted == "safe":
        errors = {finding.code.name for finding in look({})[0] if finding.is_error}
        assert {finding.code.name for finding in again({})[0] if finding.is_error} <= errors


def test_there_is_something_to_try() -> None:
    codes = {finding.code.name for _, files in PROJECTS for finding, _ in offered(files)}
    assert len(PROJECTS) > 80
    assert len(codes) > 15
