"""Where the frontmatter ends, whatever the line ends, and what is said of one that does not."""

import pytest

from smelt.project.frontmatter import Split, split
from tests.project.loading import load, mended, only, shown


def parts(text: str) -> tuple[str | None, str]:
    found = split(text)
    return (found.yaml.of(text) if found.yaml is not None else None), found.sql.of(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff", "{end}  {end}", "\ufeff{end}"])
def test_two_fences_enclose_the_frontmatter(start: str, end: str) -> None:
    start = start.format(end=end)
    text = f"{start}---{end}refresh: full{end}--- \t{end}SELECT 1{end}"
    assert parts(text) == (f"refresh: full{end}", f"SELECT 1{end}")


@pytest.mark.parametrize(
    ("text", "yaml", "sql"),
    [
        ("SELECT 1", None, "SELECT 1"),
        ("\ufeffSELECT 1", None, "SELECT 1"),
        ("", None, ""),
        ("-- a comment\n---\nSELECT 1", None, "-- a comment\n---\nSELECT 1"),
        ("---\n---\nSELECT 1", "", "SELECT 1"),
        ("---\na: 1\n---", "a: 1\n", ""),
        ("---\na: 1\n---\n", "a: 1\n", ""),
        ("---\na: 1\n---\nSELECT 1 /*\n---\n*/", "a: 1\n", "SELECT 1 /*\n---\n*/"),
        ("---\na: '---'\nb: --- x\n ---\n---\nSELECT 1", "a: '---'\nb: --- x\n ---\n", "SELECT 1"),
        ("----\nSELECT 1", None, "----\nSELECT 1"),
        ("--- comment\nSELECT 1", None, "--- comment\nSELECT 1"),
    ],
)
def test_only_whole_lines_are_fences(text: str, yaml: str | None, sql: str) -> None:
    assert parts(text) == (yaml, sql)


@pytest.mark.parametrize("text", ["---", "---\n", "\ufeff---\na: 1\nSELECT 1", "---\na: 1\n----\n"])
def test_an_opening_fence_alone_leaves_no_query(text: str) -> None:
    found = split(text)
    assert found == Split(None, found.sql, found.unclosed)
    assert found.unclosed is not None
    assert found.unclosed.of(text) == "---"
    assert found.sql.of(text) == ""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_unclosed_one_is_one_finding_and_can_be_closed(end: str) -> None:
    files = {"models/m.sql": f"---{end}tags: [core]{end}select 1 AS one{end}"}
    project = load(files)
    assert shown(project) == [("FrontmatterUnclosed", "models/m.sql", "---")]
    after = mended(project, only(project))
    assert after["models/m.sql"] == f"---{end}tags: [core]{end}---{end}select 1 AS one{end}"
    assert load(after).diagnostics == ()


def test_findings_of_both_parts_stand_where_an_editor_shows_them() -> None:
    text = "\ufeff---\r\nowner: '😀'\r\nrefresh: ful\r\n---\r\nSELECT '😀', x FROM smelt.nothing\r\n"
    assert shown(load({"models/m.sql": text})) == [
        ("InvalidValue", "models/m.sql", "ful"),
        ("UnknownReference", "models/m.sql", "smelt.nothing"),
    ]
