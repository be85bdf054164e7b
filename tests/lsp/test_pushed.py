"""What a client that wants to be told is told, and how often."""

from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from tests.editor.projects import MODEL, SOURCE, make
from tests.lsp.conversation import CONFIG, PUSH, Client, Conversation, begin, broken

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(given: Client):
    given.talk = await begin(given, PUSH)
    yield
    await given.shutdown_session()


async def test_no_version_is_told_twice_and_none_after_a_later_one(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, text = (root / MODEL).as_uri(), broken(root)
    talk.open(uri, text)
    await talk.findings(uri)
    before = len(talk.published)
    for length in range(20):
        talk.change(uri, text + "-- " + "x" * length)
    assert len(await talk.findings(uri)) == 1
    told = [params for params in talk.published[before:] if params.uri == uri]
    versions = [params.version or 0 for params in told]
    assert versions == sorted(set(versions))
    assert versions[-1] == 21


async def test_findings_of_files_that_are_not_open_are_told_too(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path, {"models/other.sql": "\ufeffSELECT nope FROM smelt.sources.customer_changes\n"})
    talk.open((root / MODEL).as_uri(), (root / MODEL).read_text())
    other = (root / "models" / "other.sql").resolve().as_uri()
    told = await talk.told(lambda params: params.uri == other)
    assert told.version is None
    (found,) = told.diagnostics
    # An editor hides the byte order mark of the file once it opens it.
    assert (found.range.start.character, found.range.end.character) == (7, 11)


async def test_only_what_is_new_is_told(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path, {"models/other.sql": "SELECT nope FROM smelt.sources.customer_changes\n"})
    uri = (root / MODEL).as_uri()
    other = (root / "models" / "other.sql").resolve().as_uri()
    talk.open(uri, broken(root))
    await talk.told(lambda params: params.uri == other)
    talk.change(uri, broken(root) + " ")
    await talk.findings(uri)
    assert len([params for params in talk.published if params.uri == other]) == 1


async def test_closing_falls_back_to_the_file_on_disk(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    assert len(await talk.findings(uri)) == 1
    talk.close(uri)
    await talk.told(lambda params: params.uri == uri and not params.diagnostics)


async def test_a_deleted_file_is_cleared(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    assert len(await talk.findings(uri)) == 1
    (root / MODEL).unlink()
    talk.watched(uri, types.FileChangeType.Deleted)
    await talk.told(lambda params: params.uri == uri and not params.diagnostics)


async def test_a_file_changed_on_disk_is_looked_at(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, source = (root / MODEL).as_uri(), root / SOURCE
    talk.open(uri, (root / MODEL).read_text())
    assert await talk.findings(uri) == []
    source.write_text(source.read_text().replace("mutation_profile: append_only\n", ""))
    talk.watched(source.as_uri(), types.FileChangeType.Changed)
    told = await talk.told(lambda params: params.uri == uri and len(params.diagnostics) > 0)
    (found,) = told.diagnostics
    assert found.code == "SuccessionDrivingSourceNotAppendOnly"
    assert found.related_information is not None
    assert found.related_information[0].location.uri == source.resolve().as_uri()


async def test_a_project_that_is_no_more_is_cleared(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    assert len(await talk.findings(uri)) == 1
    (root / "smelt.yml").unlink()
    talk.watched((root / "smelt.yml").as_uri(), types.FileChangeType.Deleted)
    await talk.told(lambda params: params.uri == uri and not params.diagnostics)


async def test_files_are_watched(talk: Conversation) -> None:
    async with talk.client.news:
        await talk.client.news.wait_for(lambda: bool(talk.client.registered))
    assert [registration.method for registration in talk.client.registered] == ["workspace/didChangeWatchedFiles"]


async def test_projects_of_one_editor_stay_apart(talk: Conversation, tmp_path: Path) -> None:
    first, second = make(tmp_path / "first"), make(tmp_path / "second" / "below")
    one, two = (first / MODEL).as_uri(), (second / MODEL).as_uri()
    talk.open(one, broken(first))
    talk.open(two, (second / MODEL).read_text())
    assert len(await talk.findings(one)) == 1
    assert await talk.findings(two) == []


async def test_a_new_folder_shows_its_findings_and_takes_them_along(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path, {"models/other.sql": "SELECT nope FROM smelt.sources.customer_changes\n"})
    other = (root / "models" / "other.sql").resolve().as_uri()
    folder = types.WorkspaceFolder(tmp_path.as_uri(), "folder")
    come = types.WorkspaceFoldersChangeEvent(added=[folder], removed=[])
    talk.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(come))
    await talk.told(lambda params: params.uri == other and len(params.diagnostics) == 1)
    gone = types.WorkspaceFoldersChangeEvent(added=[], removed=[folder])
    talk.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(gone))
    await talk.told(lambda params: params.uri == other and not params.diagnostics)
