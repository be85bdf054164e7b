"""The server as a process: its stdout, its end, and the files it leaves alone."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.editor.projects import MODEL, SOURCE, make

SERVER = [sys.executable, "-m", "smelt_lsp.main"]
SECONDS = 60


class Raw:
    """The protocol by hand."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.stdin, self.stdout = process.stdin, process.stdout

    def send(self, method: str, params: object = None, *, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        self.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.stdin.flush()

    def receive(self) -> dict[str, Any]:
        length = 0
        while line := self.stdout.readline().strip():
            name, _, value = line.partition(b": ")
            assert name in (b"Content-Length", b"Content-Type"), line
            if name == b"Content-Length":
                length = int(value)
        message: dict[str, Any] = json.loads(self.stdout.read(length))
        return message

    def initialize(self, **params: object) -> dict[str, Any]:
        self.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}, **params}, number=1)
        answer = self.receive()
        self.send("initialized", {})
        return answer


@contextmanager
def running(*arguments: str, log: int | IO[bytes] = subprocess.DEVNULL, **environment: str) -> Iterator[Raw]:
    process = subprocess.Popen(
        [*SERVER, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env={**os.environ, **environment},
    )
    try:
        yield Raw(process)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            stream.close()


@pytest.mark.parametrize("arguments", [[], ["--stdio"], ["--stdio", "--clientProcessId=1"]])
def test_every_way_it_is_started(arguments: list[str]) -> None:
    with running(*arguments) as server:
        assert server.initialize()["result"]["serverInfo"]["name"] == "smelt"
        server.send("shutdown", number=2)
        assert server.receive()["result"] is None
        server.send("exit")
        assert server.process.wait(SECONDS) == 0
        assert server.stdout.read() == b""


def test_version() -> None:
    from importlib.metadata import version

    told = subprocess.run([*SERVER, "--version"], capture_output=True, text=True, check=True, timeout=SECONDS)
    assert told.stdout.strip() == version("smelt-lsp")


def test_an_unknown_argument_is_refused() -> None:
    told = subprocess.run([*SERVER, "--port", "1"], capture_output=True, text=True, check=False, timeout=SECONDS)
    assert told.returncode == 2
    assert told.stdout == ""


def test_it_ends_when_its_stdin_ends() -> None:
    with running() as server:
        server.initialize()
        server.stdin.close()
        assert server.process.wait(SECONDS) == 1


def test_it_ends_when_its_client_is_gone_though_the_pipe_is_open() -> None:
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with running() as server:
        server.initialize(processId=client.pid)
        client.send_signal(signal.SIGKILL)
        client.communicate()
        assert server.process.wait(SECONDS) == 1


def test_a_request_that_cannot_be_read_is_answered_as_such() -> None:
    with running() as server:
        server.initialize()
        document = {"uri": "untitled:one"}
        before_the_start = {"textDocument": document, "position": {"line": -1, "character": 0}}
        server.send("textDocument/hover", before_the_start, number=2)
        server.send("textDocument/hover", {"textDocument": document}, number=3)
        server.send("shutdown", number=4)
        server.send("textDocument/hover", {"textDocument": document, "position": {"line": 0, "character": 0}}, number=5)
        answers: dict[int, dict[str, Any]] = {}
        while len(answers) < 4:
            message = server.receive()
            if message.get("id") in (2, 3, 4, 5) and "method" not in message:
                answers[message["id"]] = message
        assert [answers[number].get("error", {}).get("code") for number in (2, 3, 4, 5)] == [
            -32602,
            -32602,
            None,
            -32600,
        ]


def test_documents_that_are_changed_before_they_are_opened(tmp_path: Path) -> None:
    """A whole text is taken, a part of an unknown one is not; the log tells of both, the client is told of neither."""
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    text = (root / MODEL).read_text().replace("NOT is_deleted", "is_deleted = FALSE")
    start = {"line": 0, "character": 0}
    part = {"range": {"start": start, "end": start}, "text": "nonsense: "}
    changes = [(uri, {"text": text}), ((root / SOURCE).as_uri(), part), ("untitled:one", {"text": "SELECT"})]
    with (tmp_path / "log").open("wb") as log, running(log=log) as server:
        server.initialize()
        for version, (name, change) in enumerate(changes, 3):
            document = {"uri": name, "version": version}
            server.send("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        hover = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 0}}
        server.send("textDocument/hover", hover, number=2)
        told: list[dict[str, Any]] = []
        while not any(message.get("id") == 2 for message in told) or not any("method" in message for message in told):
            told.append(server.receive())
    answer = next(message for message in told if message.get("id") == 2)
    assert "SuccessionDeleteFilterMisplaced" in answer["result"]["contents"]["value"]
    assert {message.get("method") for message in told} == {None, "textDocument/publishDiagnostics"}
    shown = next(message["params"] for message in told if message.get("params", {}).get("uri") == uri)
    assert shown["version"] == 3
    assert [found["code"] for found in shown["diagnostics"]] == ["SuccessionDeleteFilterMisplaced"]
    lines = (tmp_path / "log").read_text().splitlines()
    assert [line.partition(": ")[2].rpartition("/")[2] for line in lines] == [
        "customer_history.sql was changed before it was opened: taken as opened",
        "customer_changes.yml was changed in part, although the server takes whole texts: ignored",
    ]


def test_a_rename_that_is_refused_is_no_fault(tmp_path: Path) -> None:
    root = make(tmp_path)
    document = {"uri": (root / MODEL).as_uri()}
    with (tmp_path / "log").open("wb") as log, running(log=log) as server:
        server.initialize()
        where = {"textDocument": document, "position": {"line": 0, "character": 0}}
        server.send("textDocument/rename", {**where, "newName": "other"}, number=2)
        answer = server.receive()
        assert answer.get("error", {}).get("code") == -32803, answer
    assert (tmp_path / "log").read_text() == ""


def test_to_cancel_a_request_that_is_answered_is_no_fault(tmp_path: Path) -> None:
    root = make(tmp_path)
    symbols = {"textDocument": {"uri": (root / MODEL).as_uri()}}
    with (tmp_path / "log").open("wb") as log, running(log=log) as server:
        server.initialize()
        for number in (2, 3):  # the second answer shows that the first cancellation was read
            server.send("textDocument/documentSymbol", symbols, number=number)
            answer = server.receive()
            assert answer.get("id") == number, answer
            assert answer["result"]
            server.send("$/cancelRequest", {"id": number})
    assert (tmp_path / "log").read_text() == ""


def test_a_notification_that_cannot_be_read_is_ignored(tmp_path: Path) -> None:
    root = make(tmp_path)
    with running() as server:
        server.initialize()
        for method in ("textDocument/didOpen", "textDocument/didChange", "workspace/didChangeWatchedFiles"):
            server.send(method, {})
        server.send("nonsense", {})
        symbols = {"textDocument": {"uri": (root / MODEL).as_uri()}}
        server.send("textDocument/documentSymbol", symbols, number=2)
        answer = server.receive()
        assert answer.get("id") == 2, answer
        assert answer["result"]


def test_whatever_is_printed_stays_off_the_protocol(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, smelt.text.lines as lines\n"
        "real = lines.LineIndex.__post_init__\n"
        "def loud(self):\n"
        "    print('a stray print')\n"
        "    os.system('echo a stray child')\n"
        "    real(self)\n"
        "lines.LineIndex.__post_init__ = loud\n"
    )
    root = make(tmp_path)
    with running(PYTHONPATH=f"{tmp_path}{os.pathsep}{Path.cwd()}") as server:
        server.initialize()
        uri = (root / MODEL).as_uri()
        text = (root / MODEL).read_text().replace("NOT is_deleted", "is_deleted = FALSE")
        item = {"uri": uri, "languageId": "sql", "version": 1, "text": text}
        server.send("textDocument/didOpen", {"textDocument": item})
        told = server.receive()
        assert told["method"] == "textDocument/publishDiagnostics"
        assert len(told["params"]["diagnostics"]) == 1


def test_a_run_succeeds_beside_a_live_server(tmp_path: Path) -> None:
    root = make(tmp_path)
    with running() as server:
        server.initialize(rootUri=root.as_uri())
        uri = (root / MODEL).as_uri()
        item = {"uri": uri, "languageId": "sql", "version": 1, "text": (root / MODEL).read_text() + "\n"}
        server.send("textDocument/didOpen", {"textDocument": item})
        assert server.receive()["params"]["uri"] == uri
        assert not (root / "target").exists()
        assert not (root / ".smelt").exists()
        run = [sys.executable, "-c", "from smelt.cli.main import main; main()", "run", "--project-dir", str(root)]
        ended = subprocess.run(run, capture_output=True, text=True, check=False, timeout=SECONDS)
        assert ended.returncode == 0, ended.stderr
        assert (root / "target" / "dev.duckdb").exists()
        hover = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 0}}
        server.send("textDocument/hover", hover, number=7)
        answers = iter(server.receive, None)
        answer = next(message for message in answers if message.get("id") == 7)
        assert "grain: succession" in answer["result"]["contents"]["value"]


def test_two_restarts_at_once(tmp_path: Path) -> None:
    """Servers that overlap, the old ones not ended yet, do not get in each other's way."""
    root = make(tmp_path)
    uri = (root / MODEL).as_uri()
    text = (root / MODEL).read_text().replace("NOT is_deleted", "is_deleted = FALSE")
    item = {"uri": uri, "languageId": "sql", "version": 1, "text": text}
    with running() as first, running() as second:
        for server in (first, second):
            server.initialize(rootUri=root.as_uri())
            server.send("textDocument/didOpen", {"textDocument": item})
        for server in (first, second):
            assert len(server.receive()["params"]["diagnostics"]) == 1
        first.process.kill()
        second.send("shutdown", number=2)
        assert second.receive()["result"] is None


def test_what_is_heavy_waits_until_it_is_needed() -> None:
    """A client waits for the answer to `initialize`: neither parser nor engine is loaded for it."""
    code = (
        "import sys, smelt_lsp.main, smelt_lsp.server\n"
        "print(*sorted({'sqlglot', 'duckdb', 'pydantic', 'rich', 'click'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=SECONDS)
    assert told.stdout.split() == []
