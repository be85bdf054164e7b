"""A project as a whole: broken files beside healthy ones, any text at all, and the time it takes."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import smelt.project.load
from smelt.diagnostics.model import in_order
from smelt.project.load import load_project
from smelt.project.yaml import YamlFile, read_mapping
from smelt.sql.model import Parsed
from smelt.text.spans import Span
from tests.project.loading import SETUP, load, shown

HEALTHY = {
    "models/sources/s.yml": "name: main.s\ncolumns: [{name: id, type: INTEGER}]",
    "models/good.sql": "SELECT id FROM smelt.sources.s",
    "models/reader.sql": "SELECT id FROM smelt.good",
}
BROKEN = {
    "models/sources/torn.yml": "columns: [",
    "models/sources/wrong.yml": "columns: 5",
    "models/half.sql": "---\ntags: [\n---\nSELECT id FROM smelt.sources.torn, smelt.sources.wrong, smelt.latin",
    "models/open.sql": "---\ntags: [a]\n",
    "models/syntax.sql": "SELECT FROM WHERE",
    "models/empty.sql": "",
    "models/only.sql": "---\nowner: ann\n---\n",
}


def test_broken_files_leave_the_healthy_ones_alone() -> None:
    project = load({**HEALTHY, **BROKEN}, unreadable={"models/latin.sql": "it is Latin-1"})
    assert {file for _, file, _ in shown(project)} == {*BROKEN, "models/latin.sql"}
    assert "UnknownReference" not in {code for code, *_ in shown(project)}
    assert {str(address) for address in project.models} == {"good", "reader", "half", "open", "syntax", "empty", "only"}
    assert [str(address) for address in project.order if str(address) in ("good", "reader")] == ["good", "reader"]
    assert [one for one in project.diagnostics if one.location.file in HEALTHY] == []


def test_a_broken_project_file_leaves_the_models_alone() -> None:
    project = load({"smelt.yml": "name: [", **HEALTHY})
    assert {file for _, file, _ in shown(project)} == {"smelt.yml"}
    assert {str(address) for address in project.order} == {"good", "reader"}


def test_findings_come_in_the_order_every_front_end_shows() -> None:
    project = load({**BROKEN, **HEALTHY})
    assert project.diagnostics == in_order(project.diagnostics)


def test_an_unchanged_query_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = load(HEALTHY)
    parsed: list[str] = []

    def parse(text: str, span: Span) -> Parsed:
        parsed.append(span.of(text))
        return original(text, span)

    original = smelt.project.load.parse
    monkeypatch.setattr(smelt.project.load, "parse", parse)
    changed = {**HEALTHY, "models/reader.sql": "SELECT id FROM smelt.goood"}
    after = load_project({"smelt.yml": SETUP, **changed}, previous=before)
    assert parsed == ["SELECT id FROM smelt.goood"]
    assert shown(after) == shown(load(changed))
    assert after.order == load(changed).order


PIECES = st.sampled_from(
    "--- name: m tags: [ ] { } columns: refresh: incremental & * ! | > ' \" ${X} $$ SELECT FROM smelt.a , ( ) "
    "targets: dev: paths: models: 😀 \ufeff \t \r\n \n - ? : # 1 a b".split(" ")
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(PIECES, max_size=30),
    st.sampled_from(["smelt.yml", "models/a.sql", "models/a.yml"]),
    st.sampled_from(" \n"),
)
def test_any_text_gives_a_project(pieces: list[str], path: str, glue: str) -> None:
    files = {"smelt.yml": SETUP, "models/b.sql": "SELECT 1 FROM smelt.a", path: glue.join(pieces)}
    project = load_project(files, environment={"X": "x"})
    for one in project.diagnostics:
        assert 0 <= one.location.span.start <= one.location.span.end <= len(files.get(one.location.file, ""))
        for fix in one.fixes:
            assert all(edit.file in files for edit in fix.edits)


def test_a_thousand_models_are_each_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is counted, not timed: one look at each frontmatter and query, and none at an unchanged query."""
    read, parsed = Counter[str](), Counter[str]()

    def reading(file: str, text: str, span: Span) -> YamlFile:
        read[file] += 1
        return read_mapping(file, text, span)

    def parsing(text: str, span: Span) -> Parsed:
        parsed[text] += 1
        return Parsed(None)

    monkeypatch.setattr(smelt.project.load, "read_mapping", reading)
    monkeypatch.setattr(smelt.project.load, "parse", parsing)
    text = "---\nrefresh: incremental\ntags: [core]\ncolumns: [{name: id, tests: [unique]}]\n---\nSELECT "
    files = {f"models/layer{number % 10}/m{number}.sql": f"{text}{number}" for number in range(1000)}
    project = load(files)
    assert {file: read[file] for file in files} == dict.fromkeys(files, 1)
    assert parsed == Counter(files.values())
    load(files, previous=project)
    assert parsed == Counter(files.values())
    assert len(project.models) == 1000
    assert project.diagnostics == ()
