"""The requests of smelt's own, as a client sends them."""

from pathlib import Path
from typing import Any

import pytest
import pytest_lsp

from tests.editor.projects import MODEL, make
from tests.lsp.conversation import CONFIG, PULL, Client, Conversation, begin

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=CONFIG, params=[PULL], scope="module")
async def client(request: pytest.FixtureRequest, given: Client):
    given.talk = await begin(given, request.param)
    yield
    await given.shutdown_session()


@pytest.fixture
def talk(client: Client) -> Conversation:
    assert client.talk is not None
    return client.talk


async def asked(talk: Conversation, method: str, uri: str | None) -> Any:
    document = {"textDocument": {"uri": uri}} if uri is not None else {}
    return await talk.client.protocol.send_request_async(method, document)


async def test_views_answer_for_the_unsaved_text(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, (root / MODEL).read_text().replace("valid_to", "until"))
    assert "technique: succession-patch" in (await asked(talk, "smelt/explainModel", uri)).text
    assert '"until"' in (await asked(talk, "smelt/compiledSql", uri)).text
    picture = await asked(talk, "smelt/timeline", uri)
    assert [node.columns for node in picture.nodes if node.role == "predecessor"] == [["until"]]
    assert [edge.to for edge in picture.edges] == ["predecessor", "tombstone"]
    talk.close(uri)


async def test_what_is_of_no_project_has_no_view(talk: Conversation, tmp_path: Path) -> None:
    uri = (tmp_path / "alone.sql").as_uri()
    assert await asked(talk, "smelt/explainModel", uri) is None
    assert await asked(talk, "smelt/timeline", "untitled:Untitled-1") is None
    assert await asked(talk, "smelt/graph", uri) == []


async def test_the_graph_leads_to_the_files_by_the_clients_own_names(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, (root / MODEL).read_text())
    (graph,) = await asked(talk, "smelt/graph", uri)
    assert {node["uri"] for node in graph["nodes"] if node["kind"] == "succession"} == {uri}
    assert [node["kind"] for node in graph["nodes"] if node["layer"] == 0] == ["source"]
    talk.close(uri)


async def test_a_check_reads_what_changed_on_disk_without_being_told(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / "smelt.yml").as_uri()
    (before,) = await asked(talk, "smelt/checkProject", uri)
    (root / MODEL).write_text("SELECT 1 FROM smelt.nowhere\n")
    (after,) = await asked(talk, "smelt/checkProject", uri)
    assert (before["errors"], after["errors"] > 0) == (0, True)
    every = await asked(talk, "smelt/checkProject", None)
    assert after["project"] in {one["project"] for one in every}
