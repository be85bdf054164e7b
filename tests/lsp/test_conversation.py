"""Conversations that every editor has, whichever way it counts and wants its diagnostics."""

from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from tests.editor.projects import MODEL, SOURCE, make
from tests.lsp.conversation import CONFIG, OTHER_PUSH, PULL, PUSH, Client, Conversation, begin, edits_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=CONFIG, params=[PUSH, PULL, OTHER_PUSH], scope="module")
async def client(request: pytest.FixtureRequest, given: Client):
    given.talk = await begin(given, request.param)
    yield
    await given.shutdown_session()


def broken(root: Path) -> str:
    text = (root / MODEL).read_text()
    return text.replace("QUALIFY NOT is_deleted", "QUALIFY /* 😀é */ is_deleted = FALSE")


async def test_a_finding_stands_under_the_exact_clause_and_its_fix_mends_it(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, text = (root / MODEL).as_uri(), broken(root)
    talk.open(uri, text)
    (found,) = await talk.findings(uri)
    assert found.code == "SuccessionDeleteFilterMisplaced"
    assert found.source == "smelt"
    assert found.severity is types.DiagnosticSeverity.Error
    assert found.range == talk.range(text, "is_deleted = FALSE")
    action, every = await talk.actions(uri, found.range)
    assert action.kind == types.CodeActionKind.QuickFix
    assert action.is_preferred
    assert every.kind == "source.fixAll.smelt"
    (edit,) = edits_of(action.edit, uri)
    assert (edit.range, edit.new_text) == (found.range, "NOT is_deleted")
    talk.change(uri, text.replace("is_deleted = FALSE", edit.new_text))
    assert await talk.findings(uri) == []


async def test_all_violations_at_once(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, text = (root / MODEL).as_uri(), broken(root)
    text = text.replace("SELECT", "SELECT DISTINCT").replace("ORDER BY effective_ts)", "ORDER BY effective_ts DESC)", 1)
    talk.open(uri, text)
    assert await talk.codes(uri) == [
        "SuccessionPatternUnrecognized",
        "SuccessionOrderNotMonotoneClock",
        "SuccessionDeleteFilterMisplaced",
    ]


async def test_fix_all_on_request_only_safe_ones(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, text = (root / MODEL).as_uri(), broken(root)
    talk.open(uri, text)
    for only in ("source.fixAll.smelt", types.CodeActionKind.SourceFixAll, types.CodeActionKind.Source):
        (every,) = await talk.actions(uri, talk.range(text, "SELECT"), [only])
        assert every.kind == "source.fixAll.smelt"
    assert await talk.actions(uri, talk.range(text, "is_deleted = FALSE"), ["source.organizeImports"]) == []
    (quick,) = await talk.actions(uri, talk.range(text, "is_deleted = FALSE"), [types.CodeActionKind.QuickFix])
    assert quick.title == "Write NOT is_deleted"


async def test_hover_explains_the_unsaved_model(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, text = (root / MODEL).as_uri(), (root / MODEL).read_text().replace("QUALIFY NOT is_deleted", "")
    talk.open(uri, text)
    where = talk.range(text, "refresh")
    found = await talk.hover(uri, where.start)
    assert found is not None
    assert found.range == where
    assert isinstance(found.contents, types.MarkupContent)
    assert "  technique: succession-patch\n" in found.contents.value
    assert "tombstone ledger" not in found.contents.value


async def test_a_changed_source_refreshes_the_models_that_read_it(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    model, source = (root / MODEL).as_uri(), (root / SOURCE).as_uri()
    talk.open(model, (root / MODEL).read_text())
    assert await talk.codes(model) == []
    text = (root / SOURCE).read_text()
    talk.open(source, text.replace("mutation_profile: append_only\n", ""), "yaml")
    if talk.pulls:
        assert await talk.codes(model) == ["SuccessionDrivingSourceNotAppendOnly"]
    else:
        told = await talk.told(lambda params: params.uri == model and len(params.diagnostics) > 0)
        assert [found.code for found in told.diagnostics] == ["SuccessionDrivingSourceNotAppendOnly"]


@pytest.mark.parametrize(
    ("file", "text", "words", "code"),
    [
        (
            "smelt.yml",
            "name: example\nfoo: 1\ntargets:\n  dev: {type: duckdb}\ndefault_target: dev\n",
            "foo",
            "UnknownKey",
        ),
        (SOURCE, "descripton: x\n", "descripton", "UnknownKey"),
        ("models/plans.yml", "colums: []\n", "colums", "UnknownKey"),
    ],
)
async def test_every_kind_of_file_is_checked(
    talk: Conversation, tmp_path: Path, file: str, text: str, words: str, code: str
) -> None:
    root = make(tmp_path, {"models/plans.csv": "id\n1\n"})
    uri = (root / file).as_uri()
    talk.open(uri, text, "yaml")
    found = await talk.findings(uri)
    assert (code, talk.range(text, words)) in [(str(one.code), one.range) for one in found]


async def test_a_half_edited_project_file_leaves_the_models_as_they_were(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    project, model = (root / "smelt.yml").as_uri(), (root / MODEL).as_uri()
    talk.open(model, broken(root))
    assert await talk.codes(model) == ["SuccessionDeleteFilterMisplaced"]
    talk.open(project, "name: [\n", "yaml")
    assert await talk.codes(project) == ["YamlSyntax"]
    talk.change(model, broken(root) + " ")
    assert await talk.codes(model) == ["SuccessionDeleteFilterMisplaced"]


async def test_strange_line_ends_move_nothing(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, text = (root / MODEL).as_uri(), broken(root)
    text = text.replace("customer_id,", "customer_id, /* \x0c \u2028 \x85 \x0b */", 1).replace("\n", "\r\n")
    talk.open(uri, "")
    for part in (text[:40], text[:90], text):
        talk.change(uri, part)
    (found,) = await talk.findings(uri)
    assert found.range == talk.range(text, "is_deleted = FALSE")


async def test_answers_repeat_the_clients_own_spelling(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri().replace("customer_history", "customer%5Fhistory")
    text = broken(root)
    talk.open(uri, text)
    (found,) = await talk.findings(uri)
    (action, _) = await talk.actions(uri, found.range)
    assert len(edits_of(action.edit, uri)) == 1


async def test_an_emptied_document_shows_nothing(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    assert await talk.codes(uri) != []
    talk.change(uri, "")
    assert await talk.findings(uri) == []


async def test_documents_of_no_project_get_no_answer_and_break_nothing(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path / "in")
    for uri in ("untitled:Untitled-1", (tmp_path / "loose.sql").as_uri()):
        talk.open(uri, "SELECT nope FROM")
        assert await talk.hover(uri, types.Position(0, 0)) is None
        assert await talk.actions(uri, types.Range(types.Position(0, 0), types.Position(0, 3))) == []
        if talk.pulls:
            assert await talk.findings(uri) == []
        talk.close(uri)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    assert await talk.codes(uri) == ["SuccessionDeleteFilterMisplaced"]
    assert not any(params.uri.endswith("loose.sql") for params in talk.published)


async def test_each_client_is_told_in_one_way_only(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    talk.open(uri, broken(root))
    await talk.findings(uri)
    assert (talk.answer.capabilities.diagnostic_provider is not None) == talk.pulls
    if talk.pulls:
        assert talk.published == []


async def test_texts_are_taken_whole(talk: Conversation) -> None:
    sync = talk.answer.capabilities.text_document_sync
    assert isinstance(sync, types.TextDocumentSyncOptions)
    assert sync.change is types.TextDocumentSyncKind.Full


async def test_definition_leads_to_the_source(talk: Conversation, tmp_path: Path) -> None:
    root = make(tmp_path)
    uri, text = (root / MODEL).as_uri(), (root / MODEL).read_text()
    talk.open(uri, text)
    where = talk.range(text, "customer_changes").start
    params = types.DefinitionParams(types.TextDocumentIdentifier(uri), where)
    found = await talk.client.text_document_definition_async(params)
    assert isinstance(found, list)
    (target,) = found
    assert isinstance(target, types.Location)
    assert target.uri == (root / SOURCE).resolve().as_uri()
