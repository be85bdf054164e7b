"""What must hold of any project, whatever stands in its files."""

import json
import re
from collections.abc import Iterator, Mapping

from smelt.analysis.analyze import analyze
from smelt.analysis.binding import Binder
from smelt.analysis.model import Analysis
from smelt.cli.fixing import fix_all
from smelt.diagnostics.model import Diagnostic, FileEdit, Fix, Location
from smelt.diagnostics.render import text
from smelt.diagnostics.render_json import report_object
from smelt.explain.model import explain_json, explain_text
from smelt.project.load import load_project
from smelt.text.edits import apply_edits
from tests.fuzz.mutation import Mutant

_TEXTS = (".sql", ".yml", ".yaml")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ENVIRONMENT = {"HOME": "/home/ann"}


def keeps(project: Mutant, binder: Binder) -> tuple[Diagnostic, ...]:
    """The findings of a project.

    Raises:
        AssertionError: a finding, a renderer or a fix breaks a promise. Anything else that is raised breaks one too.
    """
    analysis = _judged(project.files, binder)
    _shown(analysis)
    _fixable(project.files, analysis, binder)
    return analysis.diagnostics


def _judged(files: Mapping[str, str], binder: Binder) -> Analysis:
    given = {path: written for path, written in files.items() if path.endswith(_TEXTS)}
    seeds = [path for path in files if path.endswith(".csv")]
    analysis = analyze(load_project(given, seeds=seeds, environment=_ENVIRONMENT), binder)
    assert analysis.project.texts == given
    for finding in analysis.diagnostics:
        for where in _places(finding):
            _stands_in_its_file(where, given, seeds, finding)
        assert finding.code.name != "InternalError"
        assert finding.message
    return analysis


def _places(finding: Diagnostic) -> Iterator[Location]:
    yield finding.location
    for related in finding.related:
        yield related.location
    for edit in _edits(finding.fixes):
        yield Location(edit.file, edit.edit.span)


def _edits(fixes: tuple[Fix, ...]) -> Iterator[FileEdit]:
    for fix in fixes:
        yield from fix.edits


def _stands_in_its_file(where: Location, texts: Mapping[str, str], seeds: list[str], finding: Diagnostic) -> None:
    length = len(texts.get(where.file, ""))
    known = where.file in texts or where.file in seeds or where.file == "smelt.yml"
    inside = 0 <= where.span.start <= where.span.end <= length
    assert known, f"{finding.code.name} stands at {where}, which is no file: {finding.message}"
    assert inside, f"{finding.code.name} stands at {where} of a text of {length}: {finding.message}"


def _shown(analysis: Analysis) -> None:
    """Every form of the report can be made, and sent."""
    texts = analysis.project.texts
    # Only an editor can hand in half a surrogate pair; what is read from a file comes out as UTF-8 too.
    errors = "surrogatepass" if _SURROGATE.search("".join(texts.values())) else "strict"
    for width in (None, 40):
        text(analysis.diagnostics, texts, width=width).encode("utf-8", errors)
    json.dumps(report_object(analysis.diagnostics, texts, len(texts)), ensure_ascii=False).encode("utf-8", errors)
    for model in analysis.models.values():
        explain_text(model, texts).encode("utf-8", errors)
        json.dumps(explain_json(model, texts), ensure_ascii=False).encode("utf-8", errors)


def _fixable(files: Mapping[str, str], analysis: Analysis, binder: Binder) -> None:
    """Each fix can be made alone, and all of them together leave a project of which the same holds."""
    texts = analysis.project.texts
    for finding in analysis.diagnostics:
        for fix in finding.fixes:
            for file in {edit.file for edit in fix.edits}:
                apply_edits(texts[file], [edit.edit for edit in fix.edits if edit.file == file])
    if not any(finding.fixes for finding in analysis.diagnostics):
        return

    def look(changed: Mapping[str, str]) -> tuple[tuple[Diagnostic, ...], Mapping[str, str]]:
        again = _judged({**files, **changed}, binder)
        return again.diagnostics, again.project.texts

    fix_all(look, lambda fix: True)
