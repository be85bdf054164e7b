"""What an editor asks about places in files, through the protocol."""

from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from smelt.text.lines import LineIndex
from smelt_lsp.positions import to_client
from tests.editor.projects import DEFAULT, MODEL, SOURCE, make
from tests.lsp.conversation import CONFIG, PULL, PUSH, Client, Conversation, begin, edits_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

READER = "models/reader.sql"
READS = "-- 😀\nSELECT h.tier, h.valid_to FROM smelt.customer_history AS h\nWHERE h.valid_from > h.valid_to\n"


@pytest_lsp.fixture(config=CONFIG, params=[PUSH, PULL], scope="module")
async def client(request: pytest.FixtureRequest, given: Client):
    given.talk = await begin(given, request.param)
    yield
    await given.shutdown_session()


@pytest.fixture
def talk(client: Client) -> Conversation:
    assert client.talk is not None
    return client.talk


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path, {READER: READS})


def opened(talk: Conversation, root: Path, file: str, text: str | None = None) -> types.TextDocumentIdentifier:
    path = root / file
    talk.open(path.as_uri(), path.read_text() if text is None else text)
    return types.TextDocumentIdentifier(path.as_uri())


def at(talk: Conversation, text: str, words: str) -> types.Position:
    """Behind the words' first letter."""
    offset = text.index(words) + 1
    return types.Position(*to_client(LineIndex(text), offset, talk.encoding))


def name_of(root: Path, uri: str) -> str:
    return uri.removeprefix(root.resolve().as_uri() + "/").removeprefix(root.as_uri() + "/")


async def test_references_and_highlights(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, READER)
    where = at(talk, READS, "valid_to")
    without = types.ReferenceParams(types.ReferenceContext(include_declaration=False), document, where)
    found = await talk.client.text_document_references_async(without) or []
    assert [name_of(root, one.uri) for one in found] == [READER, READER]
    everything = types.ReferenceParams(types.ReferenceContext(include_declaration=True), document, where)
    found = await talk.client.text_document_references_async(everything) or []
    assert [name_of(root, one.uri) for one in found] == [MODEL, READER, READER]
    params = types.DocumentHighlightParams(document, where)
    shown = await talk.client.text_document_document_highlight_async(params) or []
    assert [(one.range.start.line, one.kind) for one in shown] == [(1, 2), (2, 2)]


async def test_a_column_is_renamed_everywhere(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, READER)
    where = at(talk, READS, "valid_to\n")
    asked = await talk.client.text_document_prepare_rename_async(types.PrepareRenameParams(document, where))
    assert isinstance(asked, types.PrepareRenamePlaceholder)
    assert asked.placeholder == "valid_to"
    assert asked.range.start == talk.range(READS, "valid_to\n").start
    edit = await talk.client.text_document_rename_async(types.RenameParams(document, where, "ended"))
    assert edit is not None
    if edit.changes is not None:
        texts = {name_of(root, uri): [one.new_text for one in edits] for uri, edits in edit.changes.items()}
    else:
        edited = [one for one in edit.document_changes or [] if isinstance(one, types.TextDocumentEdit)]
        assert [one.text_document.version for one in edited] == [None, 1]
        texts = {name_of(root, one.text_document.uri): [text.new_text for text in one.edits] for one in edited}
    assert texts == {MODEL: ["ended"], READER: ["ended AS valid_to", "ended"]}


async def test_a_rename_tells_what_no_edit_can_change(talk: Conversation, root: Path) -> None:
    source = "models/sources/customer_changes.yml"
    document = opened(talk, root, source)
    where = at(talk, (root / source).read_text(), "tier")
    talk.client.messages.clear()
    assert await talk.client.text_document_rename_async(types.RenameParams(document, where, "level")) is not None
    assert [one.message for one in talk.client.messages] == [
        "The data of sources.customer_changes must have a column level in place of tier now: no edit here gives it one."
    ]


async def test_a_renamed_model_takes_its_file_along(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, READER)
    where = at(talk, READS, "customer_history")
    edit = await talk.client.text_document_rename_async(types.RenameParams(document, where, "silver.history"))
    assert edit is not None
    move, *texts = edit.document_changes or []
    assert [one.edits[0].new_text for one in texts if isinstance(one, types.TextDocumentEdit)] == ["silver.history"]
    assert isinstance(move, types.RenameFile)
    assert name_of(root, move.old_uri) == MODEL
    assert name_of(root, move.new_uri) == "models/silver/history.sql"


async def test_what_names_a_file_follows_when_it_is_moved(talk: Conversation, root: Path) -> None:
    workspace = talk.answer.capabilities.workspace
    operations = workspace.file_operations if workspace is not None else None
    filters = operations.will_rename.filters if operations is not None and operations.will_rename is not None else []
    announced = ["file", "folder"] if not talk.pulls else []  # Neovim does not say that it would ask
    assert [one.pattern.matches for one in filters] == announced
    opened(talk, root, READER)
    moves = [
        types.FileRename((root / MODEL).as_uri(), (root / "models/silver/history.sql").as_uri()),
        types.FileRename((root / "models/sources").as_uri(), (root / "models/raw").as_uri()),
        types.FileRename((root / "smelt.yml").as_uri(), (root / "old.yml").as_uri()),
        types.FileRename("untitled:one", "untitled:two"),
    ]
    edit = await talk.client.workspace_will_rename_files_async(types.RenameFilesParams(moves))
    assert edit is not None
    texts = {name_of(root, uri): edits_of(edit, uri) for uri in ((root / READER).as_uri(), (root / MODEL).as_uri())}
    assert {file: [one.new_text for one in edits] for file, edits in texts.items()} == {
        READER: ["silver.history"],
        MODEL: ["raw.customer_changes"],
    }


async def test_a_rename_that_moves_a_file_is_not_followed_twice(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, READER)
    params = types.RenameParams(document, at(talk, READS, "customer_history"), "history")
    assert await talk.client.text_document_rename_async(params) is not None
    uris = [(root / file).as_uri() for file in (MODEL, "models/history.sql")]
    move = types.RenameFilesParams([types.FileRename(*uris)])
    assert await talk.client.workspace_will_rename_files_async(move) is None
    assert await talk.client.workspace_will_rename_files_async(move) is not None, "asked for by itself"


async def test_a_seed_takes_its_sidecar_along_once(talk: Conversation, root: Path) -> None:
    if not talk.pulls:  # Neovim's profile says nothing of moving files
        (root / "models/tones.csv").write_text("code\n1\n")
        (root / "models/tones.yml").write_text("columns:\n  - {name: code, type: INTEGER}\n")
        opened(talk, root, READER, "SELECT code FROM smelt.tones")
    moves = {kind: [(root / f"models/{name}.{kind}").as_uri() for name in ("tones", "hues")] for kind in ("csv", "yml")}
    ask = talk.client.workspace_will_rename_files_async
    edit = await ask(types.RenameFilesParams([types.FileRename(*moves["csv"])]))
    if talk.pulls:
        assert edit is None
        return
    assert edit is not None
    moved = [[one.old_uri, one.new_uri] for one in edit.document_changes or [] if isinstance(one, types.RenameFile)]
    assert moved == [moves["yml"]]
    assert await ask(types.RenameFilesParams([types.FileRename(*moves["yml"])])) is None, "the answer moves it"


async def test_what_cannot_follow_is_told(talk: Conversation, root: Path) -> None:
    opened(talk, root, READER, "SELECT tier FROM smelt.customer_history WHERE (")
    move = types.FileRename((root / MODEL).as_uri(), (root / "models/history.sql").as_uri())
    talk.client.messages.clear()
    assert await talk.client.workspace_will_rename_files_async(types.RenameFilesParams([move])) is None
    assert [one.message for one in talk.client.messages] == [
        f"References keep the old name: {READER} cannot be read: mend its syntax first."
    ]


async def test_a_file_that_a_rename_moved_is_found_by_the_next_change(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, READER)
    where = at(talk, READS, "customer_history")
    await talk.client.text_document_rename_async(types.RenameParams(document, where, "history"))
    (root / MODEL).rename(root / "models/history.sql")
    talk.change(document.uri, READS.replace("customer_history", "history"))
    assert await talk.codes(document.uri) == []


async def test_a_moved_file_is_found_when_the_editor_tells_of_it(talk: Conversation, root: Path) -> None:
    uri = opened(talk, root, READER, READS.replace("customer_history", "history")).uri
    assert await talk.codes(uri) == ["UnknownReference"]
    (root / MODEL).rename(root / "models/history.sql")
    move = types.FileRename((root / MODEL).as_uri(), (root / "models/history.sql").as_uri())
    talk.client.workspace_did_rename_files(types.RenameFilesParams([move]))
    if talk.pulls:
        assert await talk.codes(uri) == []
    else:
        await talk.last(lambda told: told.uri == uri and not told.diagnostics)


async def test_a_name_that_is_taken_is_refused_with_the_reason(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, READER)
    where = at(talk, READS, "valid_to\n")
    with pytest.raises(Exception, match="customer_history has a column tier already"):
        await talk.client.text_document_rename_async(types.RenameParams(document, where, "tier"))
    nothing = types.PrepareRenameParams(document, at(talk, READS, "WHERE"))
    with pytest.raises(Exception, match="to rename"):
        await talk.client.text_document_prepare_rename_async(nothing)


async def test_completion_replaces_what_is_written(talk: Conversation, root: Path) -> None:
    text = "-- 😀\nSELECT h. FROM smelt.customer_history AS h WHERE '😀' <> h.ti\n"
    document = opened(talk, root, READER, text)
    end = types.Position(*to_client(LineIndex(text), text.index("ti\n") + 2, talk.encoding))
    items = await talk.client.text_document_completion_async(types.CompletionParams(document, end))
    assert isinstance(items, list)
    (tier,) = [item for item in items if item.label == "tier"]
    assert isinstance(tier.text_edit, types.TextEdit)
    assert tier.text_edit == types.TextEdit(talk.range(text, "ti"), "tier") or tier.text_edit.range.end == end
    assert tier.text_edit.range.end.character - tier.text_edit.range.start.character == 2
    dotted = types.Position(1, len("SELECT h."))
    behind = await talk.client.text_document_completion_async(types.CompletionParams(document, dotted))
    assert isinstance(behind, list)
    assert [item.label for item in behind] == ["customer_id", "tier", "valid_from", "valid_to"]


async def test_a_whole_model_is_a_snippet_for_clients_that_fill_them(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, "models/new.sql", "succ")
    items = await talk.client.text_document_completion_async(types.CompletionParams(document, types.Position(0, 4)))
    assert isinstance(items, list)
    assert items[0].label == "succession over sources.customer_changes"
    assert items[0].insert_text_format is types.InsertTextFormat.Snippet
    assert isinstance(items[0].text_edit, types.TextEdit)
    assert "PARTITION BY ${1:customer_id}" in items[0].text_edit.new_text


async def test_the_files_of_a_source_are_counted(talk: Conversation, root: Path) -> None:
    uri, text = (root / SOURCE).as_uri(), (root / SOURCE).read_text()
    talk.open(uri, text, "yaml")
    shown = await talk.hover(uri, talk.range(text, "data/changes.csv").start)
    assert shown is not None
    assert isinstance(shown.contents, types.MarkupContent)
    assert shown.contents.value.endswith("Matches 1 file now.")


async def test_symbols_of_a_file_and_of_all_projects(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, READER)
    (model,) = await talk.client.text_document_document_symbol_async(types.DocumentSymbolParams(document)) or []
    assert isinstance(model, types.DocumentSymbol)
    assert model.name == "reader"
    assert [child.name for child in model.children or []] == ["tier", "valid_to"]
    found = await talk.client.workspace_symbol_async(types.WorkspaceSymbolParams("custchanges")) or []
    assert (root.resolve() / SOURCE).as_uri() in [one.location.uri for one in found]


async def test_folding_and_growing_selections(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, MODEL)
    text = (root / MODEL).read_text()
    folds = await talk.client.text_document_folding_range_async(types.FoldingRangeParams(document)) or []
    assert (0, 2) in [(one.start_line, one.end_line) for one in folds]
    params = types.SelectionRangeParams(document, [at(talk, text, "effective_ts"), types.Position(0, 0)])
    inner, _ = await talk.client.text_document_selection_range_async(params) or []
    assert inner.range == talk.range(text, "effective_ts")
    assert inner.parent is not None
    assert inner.parent.range == talk.range(text, "effective_ts AS valid_from")


async def test_hints_in_the_lines_that_are_shown(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, MODEL)
    text = (root / MODEL).read_text()
    lines = talk.range(text, "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts) AS valid_to")
    hints = await talk.client.text_document_inlay_hint_async(types.InlayHintParams(document, lines)) or []
    assert [(hint.label, hint.position) for hint in hints] == [
        (": TIMESTAMP", lines.end),
        ("← LEAD patch", lines.end),
    ]


async def test_lenses_run_commands_with_the_file_and_its_model(talk: Conversation, root: Path) -> None:
    document = opened(talk, root, MODEL)
    lenses = await talk.client.text_document_code_lens_async(types.CodeLensParams(document)) or []
    commands = [lens.command for lens in lenses if lens.command is not None]
    assert [command.title for command in commands] == [
        "succession · never run · covers nothing",
        "run",
        "explain",
        "verify",
    ]
    assert commands[1].command == "smelt.run"
    assert tuple(commands[1].arguments or ()) == (document.uri, "customer_history")


async def test_a_missing_source_is_created_and_filled(talk: Conversation, root: Path) -> None:
    text = "SELECT p.amount FROM smelt.raw.payments AS p\n"
    document = opened(talk, root, READER, text)
    actions = await talk.actions(document.uri, talk.range(text, "smelt.raw.payments"))
    (creating,) = [action for action in actions if action.title.startswith("Create")]
    assert creating.kind == types.CodeActionKind.QuickFix
    assert not creating.is_preferred
    assert creating.edit is not None
    create, fill = creating.edit.document_changes or []
    assert isinstance(create, types.CreateFile)
    assert isinstance(fill, types.TextDocumentEdit)
    assert name_of(root, create.uri) == "models/raw/payments.yml"
    assert fill.text_document.uri == create.uri
    assert "  - name: amount\n    type:\n" in fill.edits[0].new_text


async def test_fixes_are_offered_as_soon_as_their_finding_is_shown(talk: Conversation, tmp_path: Path) -> None:
    """What a source lacks is known from its models, which nobody has opened."""
    source = (DEFAULT / SOURCE).read_text(encoding="utf-8")
    nullable = source.replace("type: DATE,      nullable: false", "type: DATE")
    root = make(tmp_path, {SOURCE: nullable})
    uri = (root / SOURCE).as_uri()
    talk.open(uri, nullable)
    last = types.Position(len(nullable.splitlines()) - 1, 4)
    context = types.CodeActionContext([])
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(last, last), context)
    offered = await talk.client.text_document_code_action_async(params)
    assert [action.title for action in offered or []] == ["Declare `ingested_date` NOT NULL in the source (unsafe)"]
