"""Which looks are taken, which are shown, and what is given up for a change."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event

import pytest

from smelt.editor.look import ProjectSession
from smelt.editor.session import Workspace
from smelt.editor.snapshot import Buffer, Snapshot
from smelt_lsp import looks as looking
from smelt_lsp import pulled
from smelt_lsp.looks import Looks
from smelt_lsp.server import SmeltServer
from tests.editor.projects import MODEL, codes, make

pytestmark = pytest.mark.asyncio

MANY = {f"models/more_{at:02}.sql": f"SELECT n + {at} AS made FROM smelt.hub" for at in range(40)}
HUB = "models/hub.sql"


class Shown:
    """The looks that were shown."""

    def __init__(self) -> None:
        self.looks: list[Snapshot] = []
        self.news = asyncio.Event()

    def __call__(self, snapshot: Snapshot) -> None:
        self.looks.append(snapshot)
        self.news.set()

    async def settled(self) -> Snapshot:
        while not self.looks or self.looks[-1].pending:
            self.news.clear()
            await self.news.wait()
        return self.looks[-1]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make(tmp_path, {HUB: "SELECT 1 AS n", **MANY}).resolve()


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace()
    yield made
    made.close()


async def test_the_open_file_is_shown_first_and_all_files_behind_it(root: Path, workspace: Workspace) -> None:
    shown = Shown()
    looks = Looks(workspace, shown)
    workspace.put(root / HUB, "SELECT nope", 1)
    looks.soon(root)
    whole = await shown.settled()
    first = shown.looks[0]
    assert codes(first, HUB) == codes(whole, HUB) == ["UnknownColumn"]
    assert len(first.pending) > len(MANY)
    assert first.revision == whole.revision
    looks.close()


async def test_a_project_that_was_closed_meanwhile_is_not_looked_at(
    root: Path, workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = make(tmp_path / "other").resolve()
    shown = Shown()
    looks = Looks(workspace, shown)
    for one in (root, other):
        workspace.put(one / MODEL, "SELECT nope", 1)
        looks.soon(one)
    workspace.drop(root / MODEL)
    workspace.forget(root)
    await shown.settled()
    assert workspace.roots() == (other,)
    assert {look.root for look in shown.looks} == {other}
    looks.close()


class Held(ProjectSession):
    """A project whose looks begin, and end when they are let go."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.loop = asyncio.get_running_loop()
        self.begun, self.let_go, self.closed = asyncio.Event(), Event(), False

    def begin(self, buffers: Mapping[str, Buffer], revision: int, disk: int) -> Snapshot:
        self.loop.call_soon_threadsafe(self.begun.set)
        self.let_go.wait()
        return super().begin(buffers, revision, disk)

    def close(self) -> None:
        super().close()
        self.closed = True


async def test_a_project_that_is_closed_while_it_is_looked_at_stays_closed(root: Path) -> None:
    held = Held(root)
    workspace = Workspace(lambda _: held)
    looks = Looks(workspace, Shown())
    workspace.open(root)
    questions = [asyncio.ensure_future(ask) for ask in (looks.fresh(root), looks.settled(root))]
    questions.append(asyncio.ensure_future(looks.judged(root, HUB)))
    await held.begun.wait()
    workspace.forget(root)
    held.let_go.set()
    assert await asyncio.gather(*questions) == [None, None, None]
    assert workspace.roots() == ()
    looks.close()


async def test_a_project_that_is_closed_before_its_look_holds_nothing(root: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = make(tmp_path / "other").resolve()
    held = {root: Held(root), other: Held(other)}
    workspace = Workspace(lambda one: held[one])
    looks = Looks(workspace, Shown())
    workspace.open(root)
    workspace.open(other)
    first = asyncio.ensure_future(looks.fresh(other))
    await held[other].begun.wait()
    second = asyncio.ensure_future(looks.fresh(root))
    await asyncio.sleep(0)
    await asyncio.sleep(0)  # the look is due now, behind the other one
    workspace.forget(root)
    assert not held[root].closed, "it was not begun yet"
    for one in held.values():
        one.let_go.set()
    assert await second is None
    assert await first is not None
    assert held[root].closed
    assert workspace.roots() == (other,)
    looks.close()
    workspace.close()


async def test_a_burst_is_looked_at_once(root: Path, workspace: Workspace) -> None:
    shown = Shown()
    looks = Looks(workspace, shown)
    workspace.put(root / HUB, "SELECT 1 AS n", 1)
    looks.soon(root)
    await shown.settled()
    shown.looks.clear()
    for version in range(2, 22):
        workspace.put(root / HUB, f"SELECT {version} AS n", version)
        looks.soon(root)
    await shown.settled()
    assert [snapshot.versions for snapshot in shown.looks] == [{HUB: 21}]
    looks.close()


async def test_what_is_left_is_given_up_for_a_change_and_goes_on_behind_it(root: Path, workspace: Workspace) -> None:
    looks = Looks(workspace, Shown())
    workspace.put(root / HUB, "SELECT 1 AS n", 1)
    await looks.settled(root)
    workspace.put(root / HUB, "SELECT 1 AS m", 2)
    assert len((await looks.fresh(root)).pending) == len(MANY)
    all_files = asyncio.ensure_future(looks.settled(root))
    await asyncio.sleep(0)
    workspace.put(root / HUB, "SELECT 1 AS k", 3)
    snapshot = await all_files
    assert snapshot.versions == {HUB: 3}
    assert snapshot.pending == frozenset()
    assert {tuple(codes(snapshot, file)) for file in MANY} == {("UnknownColumn",)}
    looks.close()


async def test_many_questions_about_all_files_leave_nothing_behind(root: Path) -> None:
    server = SmeltServer("0", Workspace())
    server.told.projects_known.set()
    uri = (root / HUB).as_uri()
    held = []
    for version in range(1, 60):
        server.documents.put(uri, f"SELECT {'nope' if version % 2 else version} AS n", version)
        server.told.wake()
        answer = await pulled.everything(server, {})
        held.append((len(answer), len(server.told.answers)))
    assert max(held) == (1, 1)
    server.looks.close()
    server.editor.close()
    server.shutdown()


async def test_notifications_leave_nothing_behind(root: Path) -> None:
    server = SmeltServer("0", Workspace())
    protocol = server.protocol
    document = {"uri": (root / HUB).as_uri(), "version": 1}

    def tell(method: str, params: object) -> None:
        message = json.dumps({"jsonrpc": "2.0", "method": method, "params": params})
        protocol.handle_message(json.loads(message, object_hook=protocol.structure_message))

    tell("textDocument/didOpen", {"textDocument": {**document, "languageId": "sql", "text": "SELECT 1 AS n"}})
    for version in range(2, 40):
        tell(
            "textDocument/didChange",
            {"textDocument": {**document, "version": version}, "contentChanges": [{"text": f"SELECT {version} AS n"}]},
        )
        tell("textDocument/didSave", {"textDocument": document})
        tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}})
    for _ in range(100):
        await asyncio.sleep(0)
    assert server.documents.version(document["uri"]) == 39
    assert protocol._request_futures == {}
    server.looks.close()
    server.editor.close()
    server.shutdown()


async def test_a_text_is_read_from_disk_only_when_the_disk_changed(
    root: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from smelt.editor import look

    read: list[Path] = []
    real = look.read_files
    monkeypatch.setattr(look, "read_files", lambda *given: read.append(root) or real(*given))
    looks = Looks(workspace, Shown())
    for version in range(1, 6):
        workspace.put(root / MODEL, "SELECT 1 AS n" + " " * version, version)
        await looks.settled(root)
    assert len(read) == 1
    workspace.touch(root / HUB)
    await looks.settled(root)
    assert len(read) == 2
    looks.close()


async def test_garbage_is_looked_for_once_when_the_keys_rest(
    root: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected: list[int] = []
    rests = asyncio.Event()
    loop = asyncio.get_running_loop()
    version = 0

    def collect() -> None:
        collected.append(version)
        loop.call_soon_threadsafe(rests.set)

    monkeypatch.setattr(looking, "collect", collect)
    looks = Looks(workspace, Shown())
    workspace.put(root / HUB, "SELECT 0 AS n", 0)
    await looks.settled(root)
    collected.clear()
    for version in range(1, 6):
        workspace.put(root / HUB, f"SELECT {version} AS n", version)
        await looks.fresh(root)
    await rests.wait()
    assert collected == [5]
    looks.close()


async def test_garbage_is_not_looked_for_while_a_project_is_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would walk over all that there is of the project so far."""
    (tmp_path / "other").mkdir()
    other = make(tmp_path / "other").resolve()
    collected: list[bool] = []
    monkeypatch.setattr(looking, "collect", lambda: collected.append(True))
    monkeypatch.setattr(looking, "REST_SECONDS", 0.05)
    held = Held(root)
    workspace = Workspace(lambda one: held if one == root else ProjectSession(one))
    looks = Looks(workspace, Shown())
    workspace.open(root)
    workspace.open(other)
    await looks.fresh(other)  # the rest behind this one begins
    question = asyncio.ensure_future(looks.settled(root))
    await held.begun.wait()
    await asyncio.sleep(0.1)
    held.let_go.set()
    await question
    assert collected == []
    looks.close()
    workspace.close()
