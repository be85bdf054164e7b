"""What a client that asks is answered."""

import asyncio
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from tests.editor.projects import MODEL, SOURCE, make
from tests.lsp.conversation import CONFIG, REFRESHING, SECONDS, Client, Conversation, begin, broken

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(given: Client):
    given.talk = await begin(given, REFRESHING)
    yield
    await given.shutdown_session()


async def test_an_unchanged_answer_is_not_sent_twice(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    document = types.TextDocumentIdentifier(uri)
    first = await talk.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert isinstance(first, types.RelatedFullDocumentDiagnosticReport)
    talk.change(uri, broken(root) + "-- a comment behind")
    again = types.DocumentDiagnosticParams(document, previous_result_id=first.result_id)
    second = await talk.client.text_document_diagnostic_async(again)
    assert isinstance(second, types.RelatedUnchangedDocumentDiagnosticReport)
    talk.change(uri, (root / MODEL).read_text())
    third = await talk.client.text_document_diagnostic_async(again)
    assert isinstance(third, types.RelatedFullDocumentDiagnosticReport)
    assert len(third.items) == 0


async def test_the_answer_is_about_the_text_of_its_moment(talk: Conversation, tmp_path: Path) -> None:
    """Twenty edits and questions without waiting: the last answer is about the last text, none fails."""
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    asked = []
    for number in range(20):
        talk.change(uri, broken(root) if number % 2 == 0 else (root / MODEL).read_text())
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
        asked.append(asyncio.ensure_future(talk.client.text_document_diagnostic_async(params)))
    answers = await asyncio.wait_for(asyncio.gather(*asked), SECONDS)
    last = answers[-1]
    assert isinstance(last, types.RelatedFullDocumentDiagnosticReport)
    assert len(last.items) == 0


async def test_a_cancelled_question_does_not_disturb_the_next(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    cancelled = talk.client.protocol.send_request(types.TEXT_DOCUMENT_DIAGNOSTIC, params, msg_id="cancelled")
    talk.client.cancel_request(types.CancelParams("cancelled"))
    assert len(await talk.findings(uri)) == 1
    del cancelled


async def test_the_whole_workspace(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path, {"models/other.sql": "SELECT nope FROM smelt.sources.customer_changes\n"})
    uri, other = (root / MODEL).as_uri(), (root / "models" / "other.sql").resolve().as_uri()
    talk.open(uri, broken(root))
    await talk.findings(uri)
    first = await talk.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
    reports = {report.uri: report for report in first.items}
    assert isinstance(reports[uri], types.WorkspaceFullDocumentDiagnosticReport)
    assert reports[uri].version == 1
    assert reports[other].version is None
    known = [types.PreviousResultId(report.uri, str(report.result_id)) for report in first.items]
    talk.change(uri, (root / MODEL).read_text())
    second = await talk.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(known))
    reports = {report.uri: report for report in second.items}
    assert isinstance(reports[other], types.WorkspaceUnchangedDocumentDiagnosticReport)
    mended = reports[uri]
    assert isinstance(mended, types.WorkspaceFullDocumentDiagnosticReport)
    assert len(mended.items) == 0


async def test_a_fault_is_an_answer(talk: Conversation, tmp_path: Path) -> None:
    """What pulls for a file below a folder that vanished gets an answer, and the server lives on."""
    root = make(tmp_path)
    uri = (root / "models" / "gone.sql").as_uri()
    talk.open(uri, "SELECT 1 AS one")
    assert await talk.findings(uri) == []


async def whole(
    talk: Conversation, known: list[types.PreviousResultId] | None = None
) -> dict[str, types.WorkspaceDocumentDiagnosticReport]:
    answer = await talk.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(known or []))
    return {report.uri: report for report in answer.items}


async def test_who_asks_for_all_files_again_waits_until_something_is_new(talk: Conversation, tmp_path: Path) -> None:
    """No polling: a question with nothing to answer stays open, for other questions too."""
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    first = await whole(talk)
    report = first[uri]
    assert isinstance(report, types.WorkspaceFullDocumentDiagnosticReport)
    known = [types.PreviousResultId(one, str(report.result_id)) for one, report in first.items()]
    waiting = asyncio.ensure_future(whole(talk, known))
    for number in range(5):
        talk.change(uri, broken(root) + "-- a comment behind" * number)
        assert len(await talk.findings(uri)) == 1
    assert not waiting.done()
    talk.change(uri, (root / MODEL).read_text())
    mended = (await asyncio.wait_for(waiting, SECONDS))[uri]
    assert isinstance(mended, types.WorkspaceFullDocumentDiagnosticReport)
    assert len(mended.items) == 0


async def test_findings_of_a_text_that_was_thrown_away_are_taken_back(talk: Conversation, tmp_path: Path) -> None:
    """A client that closes a document forgets its results, or takes them for others, but not what it shows."""
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    clean = await talk.client.text_document_diagnostic_async(params)
    talk.open(uri, broken(root))
    assert len(await talk.findings(uri)) == 1
    talk.close(uri)
    known = [types.PreviousResultId(uri, clean.result_id or "")]
    report = (await asyncio.wait_for(whole(talk, known), SECONDS))[uri]
    assert isinstance(report, types.WorkspaceFullDocumentDiagnosticReport)
    assert len(report.items) == 0


async def test_a_watched_file_that_changes_makes_the_client_ask_again(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, source = (root / MODEL).as_uri(), root / SOURCE
    talk.open(uri, (root / MODEL).read_text())
    assert await talk.findings(uri) == []
    before = talk.client.refreshed
    source.write_text(source.read_text().replace("mutation_profile: append_only\n", ""))
    talk.watched(source.as_uri(), types.FileChangeType.Changed)
    async with asyncio.timeout(SECONDS), talk.client.news:
        await talk.client.news.wait_for(lambda: talk.client.refreshed == before + 1)
    assert await talk.codes(uri) == ["SuccessionDrivingSourceNotAppendOnly"]


async def test_a_file_that_is_not_open_is_answered_when_what_it_reads_was_looked_at(
    talk: Conversation, tmp_path: Path
) -> None:
    reader = "SELECT until FROM smelt.upstream"
    root = make(tmp_path, {"models/reader.sql": reader, "models/upstream.sql": "SELECT 1 AS until"})
    upstream, uri = (root / "models/upstream.sql").as_uri(), (root / "models/reader.sql").as_uri()
    talk.open(upstream, "SELECT 1 AS until")
    assert await talk.codes(uri) == []
    talk.change(upstream, "SELECT 1 AS till")
    assert await talk.codes(uri) == ["UnknownColumn"]


async def test_an_open_document_is_asked_about_again_when_another_one_changes_what_it_was_told(
    talk: Conversation, tmp_path: Path
) -> None:
    """A client takes what an open document shows from its own question alone."""
    root = make(tmp_path)
    model, source = (root / MODEL).as_uri(), (root / SOURCE).as_uri()
    text = (root / SOURCE).read_text(encoding="utf-8")
    talk.open(model, (root / MODEL).read_text(encoding="utf-8"))
    assert await talk.codes(model) == []
    talk.open(source, text)
    all_files = asyncio.ensure_future(whole(talk))
    before = talk.client.refreshed
    talk.change(source, text.replace("mutation_profile: append_only\n", ""))
    async with asyncio.timeout(SECONDS), talk.client.news:
        await talk.client.news.wait_for(lambda: talk.client.refreshed == before + 1)
    assert await talk.codes(model) == ["SuccessionDrivingSourceNotAppendOnly"]
    await asyncio.wait_for(all_files, SECONDS)


async def test_who_asks_about_one_document_hears_of_what_hangs_on_all(talk: Conversation, tmp_path: Path) -> None:
    """Two models of one name, and a circle: the open file does not say it by itself."""
    named = "---\nname: same\n---\nSELECT 1 AS id\n"
    files = {f"models/{name}.sql": f"SELECT {at} AS id" for at, name in enumerate(("before", "open", "other"))}
    root = make(tmp_path, files)
    uri = (root / "models/open.sql").as_uri()

    def writes(name: str, text: str) -> None:
        (root / name).write_text(text)
        talk.watched((root / name).as_uri(), types.FileChangeType.Changed)

    async def comes_to_say(codes: list[str]) -> None:
        async with asyncio.timeout(SECONDS):
            while True:
                seen = talk.client.refreshed
                if await talk.codes(uri) == codes:
                    return
                async with talk.client.news:
                    await talk.client.news.wait_for(lambda seen=seen: talk.client.refreshed > seen)

    talk.open(uri, named)
    await comes_to_say([])
    writes("models/before.sql", named)
    await comes_to_say(["DuplicateRelation"])
    writes("models/before.sql", "SELECT 1 AS id")
    writes("models/other.sql", "SELECT id FROM smelt.open")
    talk.change(uri, "SELECT id FROM smelt.other")
    await comes_to_say(["CircularReference"])
    talk.change(uri, "SELECT 1 AS id")
    await comes_to_say([])


async def test_who_knows_of_nothing_is_told_all_again(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    for _ in range(2):
        report = (await asyncio.wait_for(whole(talk), SECONDS))[uri]
        assert isinstance(report, types.WorkspaceFullDocumentDiagnosticReport)
        assert len(report.items) == 1
