"""How long an editor waits for the language server, in a big project, and what the server's memory does meanwhile.

    python -m benches.editor --make-environments

A client of a few lines speaks the protocol over the server's pipes and takes wall time: from the start to the answer to
``initialize``, until all files are looked at (cold, and with what ``smelt check`` left), and from an edit to its
diagnostics, pushed and pulled. The edits are in succession models of 50 and of 300 lines with one finding each, which
every edit moves. The pure and the compiled parser take turns; each runs in an environment of its own, made from this
checkout.
"""

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benches import environments
from benches.measuring import machine, table
from benches.projects import generate
from benches.warehouses.model import Source, Warehouse
from benches.warehouses.writing import write

Json = dict[str, Any]

_PATIENCE = 120.0
_PULL: Json = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
_PUSH: Json = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
_BARS = {
    "start to initialize": 600.0,
    "index, cold": 5000.0,
    "index, warm": 1000.0,
    "edit of 50 lines, pushed": 50.0,
    "edit of 50 lines, pulled": 50.0,
}
_BARS_300 = {environments.SMELT: 180.0, environments.SMELT_FAST: 100.0}


class Silent(Exception):
    """The server did not say what it should have in time."""


class Client:
    """The protocol by hand, on the pipes of a server."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._messages: queue.SimpleQueue[Json] = queue.SimpleQueue()
        self._next = 0
        threading.Thread(target=self._receive, daemon=True).start()

    def tell(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: object) -> Any:
        """Send a request and wait for its result."""
        self._next += 1
        self._send({"id": self._next, "method": method, "params": params})
        return self.hear(lambda message: message.get("id") == self._next and "method" not in message)["result"]

    def hear(self, wanted: Callable[[Json], bool]) -> Json:
        """The next message that is wanted; what comes before it is passed over.

        Raises:
            Silent: it does not come.
        """
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                message = self._messages.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise Silent(f"no answer within {_PATIENCE:.0f} s") from None
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            if wanted(message):
                return message

    def waiting(self, seconds: float) -> list[Json]:
        """What comes within a time."""
        time.sleep(seconds)
        found = []
        while not self._messages.empty():
            found.append(self._messages.get())
        return found

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _receive(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        while header := stdout.readline():
            length = int(header.partition(b":")[2])
            while stdout.readline().strip():
                pass
            self._messages.put(json.loads(stdout.read(length)))


@dataclass(slots=True)
class Document:
    """An open document that is edited at its end and in front of its finding, in turns."""

    uri: str
    text: str
    version: int = 0

    def opened(self) -> Json:
        """The parameters that open it."""
        self.version = 1
        return {"textDocument": {"uri": self.uri, "languageId": "sql", "version": 1, "text": self.text}}

    def edited(self) -> Json:
        """The parameters of one more edit: a letter more in a name, or back to what it was."""
        self.version += 1
        text = self.text.replace("one_more", "one_more" + "x" * (self.version % 7), 1)
        return {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [{"text": text}]}


@dataclass(slots=True)
class Arm:
    """One environment with its measurements, in milliseconds, by what was measured.

    ``cpu`` is the server's own time: on a busy machine it says what an idle one would have waited for at least.
    """

    name: str
    program: Path
    times: dict[str, list[float]] = field(default_factory=dict)
    cpu: dict[str, list[float]] = field(default_factory=dict)
    memory: list[tuple[int, int]] = field(default_factory=list)
    publications: list[int] = field(default_factory=list)

    def note(self, what: str, seconds: float) -> None:
        """Keep a measurement."""
        self.times.setdefault(what, []).append(seconds * 1000)


@contextmanager
def server(arm: Arm, root: Path, capabilities: Json) -> Iterator[Client]:
    """A server with a project, initialized."""
    # A user's Python keeps bytecode, whatever the shell of whoever measures says.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    began = time.perf_counter()
    process = subprocess.Popen([str(arm.program), "--stdio"], env=environment, **pipes)
    try:
        client = Client(process)
        folder = {"uri": root.as_uri(), "name": "bench"}
        told = {"processId": None, "rootUri": root.as_uri(), "workspaceFolders": [folder], "capabilities": capabilities}
        client.ask("initialize", told)
        arm.note("start to initialize", time.perf_counter() - began)
        arm.cpu.setdefault("start to initialize", []).append(cpu_of(process.pid) * 1000)
        client.tell("initialized", {})
        yield client
        client.ask("shutdown", None)
        client.tell("exit", None)
        process.wait(timeout=_PATIENCE)
    finally:
        process.kill()
        process.wait()


@contextmanager
def timed(arm: Arm, client: Client, what: str, times: int = 1) -> Iterator[None]:
    """Keep what the server spends on something, that is done so many times."""
    before = cpu_of(client.process.pid)
    yield
    arm.cpu.setdefault(what, []).append((cpu_of(client.process.pid) - before) * 1000 / times)


def model_text(source: Source, lines: int) -> str:
    """A succession model over a stream, of so many lines, with one column that the source does not have."""
    columns = source.columns
    head = ["---", "refresh: incremental", "---", "SELECT", f"    {columns.key},", f"    {columns.at} AS valid_from,"]
    tail = [
        "    no_such_column AS one_more,",
        f"    LEAD({columns.at}) OVER versions AS valid_to",
        f"FROM smelt.sources.{source.name}",
        f"WINDOW versions AS (PARTITION BY {columns.key} ORDER BY {columns.at})",
        "QUALIFY NOT is_deleted",
    ]
    body = []
    for at in range(lines - len(head) - len(tail)):
        label, number = columns.labels[at % len(columns.labels)], columns.numbers[at % len(columns.numbers)]
        shapes = (
            f"    coalesce({label}, 'unknown') AS label_of_{at},",
            f"    CASE WHEN {number} > {at} THEN 'high' ELSE 'low' END AS level_{at},",
            f"    round({number} * {at + 1}, 2) AS amount_{at},",
        )
        body.append(shapes[at % 3])
    return "\n".join((*head, *body, *tail, ""))


def document(root: Path, warehouse: Warehouse, lines: int) -> Document:
    """A model of so many lines that is not on disk."""
    source = next(one for one in warehouse.sources if one.is_stream)
    return Document((root / "models" / f"edited_{lines}.sql").as_uri(), model_text(source, lines))


def started(arm: Arm, root: Path, what: str) -> None:
    """How long until all files are looked at, from the answer to ``initialize`` on."""
    with server(arm, root, _PULL) as client:
        began = time.perf_counter()
        with timed(arm, client, f"index, {what}"):
            client.ask("workspace/diagnostic", {"previousResultIds": []})
        arm.note(f"index, {what}", time.perf_counter() - began)


def meanwhile(arm: Arm, root: Path, warehouse: Warehouse) -> None:
    """Edits of an open file while the rest of the project is being read for the first time."""
    with server(arm, root, _PULL) as client:
        edited = document(root, warehouse, 50)
        began = time.perf_counter()
        client.tell("textDocument/didOpen", edited.opened())
        client.ask("textDocument/diagnostic", {"textDocument": {"uri": edited.uri}})
        arm.note("first diagnostics, cold", time.perf_counter() - began)
        for _ in range(20):
            began = time.perf_counter()
            client.tell("textDocument/didChange", edited.edited())
            client.ask("textDocument/diagnostic", {"textDocument": {"uri": edited.uri}})
            arm.note("edit while indexing, pulled", time.perf_counter() - began)


def pushed(arm: Arm, root: Path, warehouse: Warehouse, edits: int) -> None:
    """Edits and their publications, and a burst."""
    with server(arm, root, _PUSH) as client:
        for lines in (50, 300):
            edited = document(root, warehouse, lines)
            client.tell("textDocument/didOpen", edited.opened())
            client.hear(_publication(edited))
            client.waiting(8.0 if lines == 50 else 0.5)
            what = f"edit of {lines} lines, pushed"
            with timed(arm, client, what, edits):
                for _ in range(edits):
                    began = time.perf_counter()
                    client.tell("textDocument/didChange", edited.edited())
                    client.hear(_publication(edited))
                    arm.note(what, time.perf_counter() - began)
            if lines == 50:
                for _ in range(20):
                    client.tell("textDocument/didChange", edited.edited())
                told = [message for message in client.waiting(1.0) if _of(message) == edited.uri]
                arm.publications.append(len(told))


def pulled(arm: Arm, root: Path, warehouse: Warehouse, edits: int, many: int) -> None:
    """Edits with a question behind each, and memory over very many of them."""
    with server(arm, root, _PULL) as client:
        client.ask("workspace/diagnostic", {"previousResultIds": []})
        for lines in (50, 300):
            edited = document(root, warehouse, lines)
            client.tell("textDocument/didOpen", edited.opened())
            what = f"edit of {lines} lines, pulled"
            with timed(arm, client, what, edits):
                for _ in range(edits):
                    began = time.perf_counter()
                    client.tell("textDocument/didChange", edited.edited())
                    client.ask("textDocument/diagnostic", {"textDocument": {"uri": edited.uri}})
                    arm.note(what, time.perf_counter() - began)
        edited = document(root, warehouse, 50)
        client.tell("textDocument/didOpen", edited.opened())
        for number in range(many + 1):
            if number in (many // 10, many // 2, many):
                arm.memory.append((number, resident(client.process.pid)))
            client.tell("textDocument/didChange", edited.edited())
            client.ask("textDocument/diagnostic", {"textDocument": {"uri": edited.uri}})


def _publication(edited: Document) -> Callable[[Json], bool]:
    return lambda message: _of(message) == edited.uri and message["params"].get("version") == edited.version


def _of(message: Json) -> str | None:
    published = message.get("method") == "textDocument/publishDiagnostics"
    return str(message["params"]["uri"]) if published else None


def resident(process: int) -> int:
    """Bytes of memory that a process holds; 0 where the system does not tell."""
    status = Path(f"/proc/{process}/status")
    lines = status.read_text(encoding="utf-8").splitlines() if status.exists() else []
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


def cpu_of(process: int) -> float:
    """Seconds of CPU that a process took so far; 0 where the system does not tell."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return 0.0
    fields = status.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is not exceeded by a share of all."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def report(arms: Sequence[Arm]) -> str:
    """What was measured, side by side: the median and the 95th percentile."""
    rows = []
    for what in dict.fromkeys(what for arm in arms for what in arm.times):
        cells = []
        verdicts = []
        for arm in arms:
            values, spent = arm.times.get(what, []), arm.cpu.get(what, [])
            of_server = f", CPU {percentile(spent, 0.5):.0f}" if spent else ""
            cells.append(f"{percentile(values, 0.5):.0f} / {percentile(values, 0.95):.0f}{of_server}" if values else "")
            bar = _BARS_300.get(arm.name) if "300" in what else _BARS.get(what)
            if bar is not None and values:
                verdicts.append(f"{arm.name} ≤ {bar:.0f}: {'met' if percentile(values, 0.95) <= bar else 'MISSED'}")
        rows.append([what, *cells, ", ".join(verdicts)])
    rows.append(["publications of a burst of 20", *(str(max(arm.publications, default=0)) for arm in arms), "1"])
    for at in range(max((len(arm.memory) for arm in arms), default=0)):
        number = arms[0].memory[at][0]
        rows.append([f"MiB after {number:,} edits", *(f"{arm.memory[at][1] / 2**20:.0f}" for arm in arms), ""])
    return table(["ms, median / p95, CPU of the server", *(arm.name for arm in arms), "bar, of p95"], rows)


def arms_in(folder: Path) -> list[Arm]:
    """The arms whose environments are there."""
    found: list[Arm] = []
    for name in (environments.SMELT, environments.SMELT_FAST):
        program = folder / name / "bin" / "smelt-lsp"
        if program.exists():
            found.append(Arm(name, program))
        else:
            print(f"no environment for {name}: left out", file=sys.stderr)
    return found


def measure(arm: Arm, root: Path, warehouse: Warehouse, rounds: int, edits: int, many: int) -> None:
    """One arm over a project."""
    for _ in range(rounds):
        shutil.rmtree(root / "target", ignore_errors=True)
        started(arm, root, "cold")
        meanwhile(arm, root, warehouse)
        subprocess.run([str(arm.program.with_name("smelt")), "check"], cwd=root, check=False, capture_output=True)
        started(arm, root, "warm")
    pushed(arm, root, warehouse, edits)
    pulled(arm, root, warehouse, edits, many)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--models", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5, help="starts of each kind")
    parser.add_argument("--edits", type=int, default=200, help="timed edits of each kind")
    parser.add_argument("--many", type=int, default=10_000, help="edits over which memory is watched")
    parser.add_argument("--environments", type=Path, default=environments.DEFAULT)
    parser.add_argument("--make-environments", action="store_true", help="install smelt there first")
    arguments = parser.parse_args()
    if arguments.make_environments:
        environments.make_all(arguments.environments, (environments.SMELT, environments.SMELT_FAST))
    arms = arms_in(arguments.environments)
    print(machine(), flush=True)
    warehouse = generate(arguments.models)
    with tempfile.TemporaryDirectory(prefix="smelt-bench-") as folder:
        root = Path(folder).resolve() / "project"
        write(warehouse, "smelt", root)
        for at, arm in enumerate(arms):
            measure(arm, root, warehouse, arguments.rounds, arguments.edits, arguments.many)
            print(f"\n{report(arms[: at + 1])}", flush=True)


if __name__ == "__main__":
    main()
