"""What language servers are known to get wrong. Each test is named for a trap, and meets every kind of client."""

from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from smelt.text.lines import LineIndex
from tests.editor.projects import MODEL, SOURCE, make
from tests.lsp.conversation import CONFIG, MINIMAL, PULL, PUSH, Client, Conversation, begin, broken

pytestmark = pytest.mark.asyncio(loop_scope="module")

MISPLACED = "SuccessionDeleteFilterMisplaced"
OTHER = "models/other.sql"
READS = "SELECT customer_id, {} FROM smelt.sources.customer_changes"


@pytest_lsp.fixture(config=CONFIG, params=[PUSH, PULL, MINIMAL], scope="module")
async def client(request: pytest.FixtureRequest, given: Client):
    given.talk = await begin(given, request.param)
    yield
    await given.shutdown_session()


async def told(talk: Conversation, root: Path, text: str, file: str = OTHER) -> tuple[str, list[types.Diagnostic]]:
    """The findings of a text that is opened, under its URI."""
    uri = (root / file).as_uri()
    talk.open(uri, text)
    return uri, await talk.findings(uri)


async def test_an_emoji_shifts_no_squiggle(talk: Conversation, tmp_path: Path) -> None:
    text = "SELECT '😀👩‍👩‍👧é' AS face, /* 😀 */ nope FROM smelt.sources.customer_changes"
    _, (found,) = await told(talk, make(tmp_path), text)
    assert (found.code, found.range) == ("UnknownColumn", talk.range(text, "nope"))


async def test_an_error_is_not_anchored_at_the_start_of_the_file(talk: Conversation, tmp_path: Path) -> None:
    text = "SELECT customer_id\nFROM smelt.sources.customer_changes\nWHERE (customer_id > 1\n  AND customer_id < 2\n"
    _, found = await told(talk, make(tmp_path), text)
    assert [one.code for one in found] == ["SqlSyntax"]
    assert found[0].range.start.line == 2


async def test_not_only_the_first_error_is_shown(talk: Conversation, tmp_path: Path) -> None:
    text = "---\ntgas: [a]\n---\nSELECT nope, nil FROM smelt.sources.customer_changes JOIN smelt.lost ON true\n"
    root = make(tmp_path)
    _, found = await told(talk, root, text)
    assert [one.code for one in found] == ["UnknownKey", "UnknownReference"]
    _, found = await told(talk, root, text.replace("JOIN smelt.lost ON true", ""), "models/third.sql")
    assert [one.code for one in found] == ["UnknownKey", "UnknownColumn", "UnknownColumn"]


async def test_frontmatter_moves_no_line(talk: Conversation, tmp_path: Path) -> None:
    root, query = make(tmp_path), READS.format("nope")
    _, (plain,) = await told(talk, root, query)
    _, (behind,) = await told(talk, root, f"---\ntags: [a]\n---\n{query}", "models/behind.sql")
    assert (plain.range.start.line, behind.range.start.line) == (0, 3)
    assert plain.range.start.character == behind.range.start.character


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_no_kind_of_line_end_is_lost_or_added(talk: Conversation, tmp_path: Path, end: str) -> None:
    root = make(tmp_path)
    text = broken(root).replace("\n", end)
    uri, (found,) = await told(talk, root, text, MODEL)
    assert found.range == talk.range(text, "is_deleted = FALSE")
    assert found.range.start.line == text[: text.index("is_deleted = FALSE")].count(end)
    talk.change(uri, text.replace("is_deleted = FALSE", "NOT is_deleted"))
    assert await talk.findings(uri) == []


ODD = {
    "a byte order mark": ("\ufeff" + READS.format("nope"), ["UnknownColumn"]),
    "tabs": ("SELECT\tcustomer_id,\t\tnope\tFROM smelt.sources.customer_changes", ["UnknownColumn"]),
    "nothing": ("", []),
    "white space alone": (" \r\n\t\n", []),
    "one word": ("SELECT", ["SqlSyntax"]),
    "frontmatter alone": ("---\ntags: [a]\n---\n", ["SqlSyntax"]),
    "frontmatter without an end": ("---\ntags: [a]\nSELECT 1 AS one\n", ["FrontmatterUnclosed"]),
    "no end of the last line": (READS.format("nope"), ["UnknownColumn"]),
    "an open string": ("SELECT 'x", ["SqlSyntax"]),
    "an open comment": ("SELECT 1 AS one /* x", ["SqlSyntax"]),
    "a NUL": ("SELECT 1 AS one\0", ["SqlSyntax"]),
}


@pytest.mark.parametrize("kind", ODD)
async def test_no_position_is_outside_the_text(talk: Conversation, tmp_path: Path, kind: str) -> None:
    text, codes = ODD[kind]
    _, found = await told(talk, make(tmp_path), text)
    assert [one.code for one in found] == codes
    index = LineIndex(text)
    for one in found:
        for place in (one.range.start, one.range.end):
            assert 0 <= place.line < index.count
            assert 0 <= place.character <= len(index.line(place.line + 1).encode())
        assert (one.range.start.line, one.range.start.character) <= (one.range.end.line, one.range.end.character)


async def test_an_emptied_or_deleted_file_keeps_no_diagnostics(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, found = await told(talk, root, broken(root), MODEL)
    assert [one.code for one in found] == [MISPLACED]
    talk.change(uri, "\n")
    assert await talk.findings(uri) == []
    talk.change(uri, broken(root))
    assert len(await talk.findings(uri)) == 1
    (root / MODEL).unlink()
    talk.watched(uri, types.FileChangeType.Deleted)
    if talk.pulls:
        assert await talk.findings(uri) == []
    else:
        await talk.last(lambda params: params.uri == uri and not params.diagnostics)


async def test_a_file_that_never_was_saved_leaves_nothing_when_it_is_closed(talk: Conversation, tmp_path: Path) -> None:
    uri, found = await told(talk, make(tmp_path), READS.format("nope"), "models/unsaved.sql")
    assert len(found) == 1
    talk.close(uri)
    if talk.pulls:
        assert await talk.findings(uri) == []
    else:
        await talk.last(lambda params: params.uri == uri and not params.diagnostics)


async def test_a_change_in_a_source_reaches_its_models(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, found = await told(talk, root, (root / MODEL).read_text(), MODEL)
    assert found == []
    text = (root / SOURCE).read_text().replace("effective_ts, type: TIMESTAMP", "effective_at, type: TIMESTAMP")
    text = text.replace("event_time_column: effective_ts", "event_time_column: effective_at")
    talk.open((root / SOURCE).as_uri(), text, "yaml")
    if talk.pulls:
        assert await talk.codes(uri) != []
    else:
        await talk.last(lambda params: params.uri == uri and len(params.diagnostics) > 0)


async def test_a_result_of_one_file_is_not_shown_in_another(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    wrong, right = (root / MODEL).as_uri(), (root / OTHER).as_uri()
    talk.open(wrong, broken(root))
    talk.open(right, READS.format("tier"))
    for number in range(5):
        talk.change(wrong, broken(root) + " " * number)
        talk.change(right, READS.format("tier") + " " * number)
        assert await talk.findings(right) == []
        assert await talk.codes(wrong) == [MISPLACED]


async def test_a_blank_line_ends_no_statement(talk: Conversation, tmp_path: Path) -> None:
    text = "SELECT\n\n  customer_id,\n\n\n  nope\n\nFROM smelt.sources.customer_changes\n\n\nWHERE nil = 1\n\n"
    _, found = await told(talk, make(tmp_path), text)
    assert [one.range for one in found] == [talk.range(text, "nope"), talk.range(text, "nil")]


async def test_an_apostrophe_in_a_comment_opens_no_string(talk: Conversation, tmp_path: Path) -> None:
    text = "-- it's the customer's\nSELECT nope /* don't */ FROM smelt.sources.customer_changes -- isn't\n"
    _, (found,) = await told(talk, make(tmp_path), text)
    assert found.range == talk.range(text, "nope")


async def test_half_written_sql_keeps_the_findings_of_its_frontmatter_and_loses_its_refusals(
    talk: Conversation, tmp_path: Path
) -> None:
    root = make(tmp_path)
    text = broken(root).replace("refresh:", "tgas: [a]\nrefresh:")
    uri, found = await told(talk, root, text, MODEL)
    assert [one.code for one in found] == ["UnknownKey", MISPLACED]
    talk.change(uri, text.replace("FROM", "FROM FROM"))
    assert {*await talk.codes(uri)} == {"UnknownKey", "SqlSyntax"}
    talk.change(uri, text)
    assert await talk.codes(uri) == ["UnknownKey", MISPLACED]


async def test_a_half_written_project_file_ends_nothing(talk: Conversation, tmp_path: Path) -> None:
    """While it cannot be read the last one that could counts, its folders too."""
    setup = "name: example\npaths: [warehouse]\ntargets:\n  dev: {type: duckdb}\n"
    root = make(tmp_path, {"smelt.yml": setup, "warehouse/a.sql": "SELECT 1 AS one"})
    uri, found = await told(talk, root, "SELECT nope FROM smelt.b", "warehouse/a.sql")
    assert [one.code for one in found] == ["UnknownReference"]
    project = (root / "smelt.yml").as_uri()
    talk.open(project, setup, "yaml")
    for length in range(len(setup), 0, -9):
        talk.change(project, setup[:length])
        await talk.findings(project)
    talk.change(uri, "SELECT nope, nil FROM smelt.b")
    assert await talk.codes(uri) == ["UnknownReference"]
    talk.change(project, setup)
    assert await talk.findings(project) == []


@pytest.mark.parametrize(
    "uri",
    ["untitled:Untitled-1", "vscode-vfs://github/a/b/models/x.sql", "git:/a/x.sql?ref=HEAD", "file:///a%00b.sql", "x"],
)
async def test_a_document_that_is_no_file_ends_nothing(talk: Conversation, tmp_path: Path, uri: str) -> None:
    talk.open(uri, "SELECT nope FROM")
    talk.change(uri, "SELECT")
    assert await talk.hover(uri, types.Position(0, 3)) is None
    talk.watched(uri, types.FileChangeType.Changed)
    talk.close(uri)
    root = make(tmp_path)
    _, found = await told(talk, root, broken(root), MODEL)
    assert [one.code for one in found] == [MISPLACED]


async def test_names_with_blanks_and_accents_come_back_as_the_client_spells_them(
    talk: Conversation, tmp_path: Path
) -> None:
    root = make(tmp_path / "Größe und #1")
    uri, found = await told(talk, root, broken(root), MODEL)
    assert [one.code for one in found] == [MISPLACED]
    odd = uri.replace("%20", " ").replace("models", "m%6Fdels")
    talk.close(uri)
    talk.open(odd, broken(root) + " ")
    assert await talk.codes(odd) == [MISPLACED]
