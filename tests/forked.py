"""Python programs in processes of their own that need to import nothing.

A process that starts Python and imports smelt takes longer to begin than it then works. These are forked, one after
another, from a process that has imported everything, runs no thread and does nothing else. All else is real: arguments,
environment, folder, streams, signals, exit code. What depends on how Python itself starts (the encoding of streams, a
terminal, what is imported when) needs ``subprocess``.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import re
import socket
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess, Popen

REPOSITORY = Path(__file__).parents[1]
SMELT = "import sys\nfrom smelt.cli.main import main\nsys.argv[0] = 'smelt'\nmain()"
"""The installed program."""
_PART = 1 << 16
"""Bytes that are read at once."""


def run(
    script: str, *arguments: str, cwd: Path, environment: Mapping[str, str], together: bool = False
) -> CompletedProcess[str]:
    """Run a Python program to its end; it reads nothing.

    Args:
        script: the program, as for ``python -c``.
        arguments: what follows it in ``sys.argv``.
        cwd: the folder that it stands in.
        environment: all of its environment.
        together: whether errors are written between the output, as ``2>&1`` does.
    """
    pipes = [os.pipe() for _ in range(1 if together else 2)]
    request = json.dumps([script, arguments, str(cwd), dict(environment)]).encode() + b"\n"
    server = _server()
    sent = socket.send_fds(server, [request], [write for _, write in pipes])
    server.sendall(request[sent:])
    for _, write in pipes:
        os.close(write)
    with ThreadPoolExecutor(2) as reading:
        said = list(reading.map(_read, [read for read, _ in pipes]))
    answer = server.recv(_PART).decode()
    assert re.fullmatch(r"-?\d+", answer), f"the process that forks has ended: {answer}"
    return CompletedProcess([script, *arguments], int(answer), said[0], "" if together else said[1])


def _read(descriptor: int) -> str:
    with open(descriptor, encoding="utf-8", errors="surrogateescape") as stream:
        return stream.read()


@cache
def _server() -> socket.socket:
    """The way to the process that forks, which ends when the way is closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    script = "from tests.forked import serve; exec(serve(), {'__name__': '__main__'})"
    with theirs:
        process = Popen([sys.executable, "-c", script], cwd=REPOSITORY, stdin=theirs, stdout=theirs, stderr=theirs)

    def stop() -> None:
        ours.close()
        process.wait()

    atexit.register(stop)
    return ours


def serve() -> str:
    """Fork a process for each request and answer its exit code; in each of them, return what it is to run."""
    _import_everything()
    gc.freeze()
    with socket.socket(fileno=os.dup(0)) as client:
        while True:
            request, outputs, _, _ = socket.recv_fds(client, _PART, 2)
            while request and not request.endswith(b"\n"):
                request += client.recv(_PART)
            if not request:
                sys.exit()
            script, arguments, cwd, environment = json.loads(request)
            if (process := os.fork()) == 0:
                break
            for output in outputs:
                os.close(output)
            _, status = os.waitpid(process, 0)
            client.send(str(os.waitstatus_to_exitcode(status)).encode())
    _become(arguments, cwd, environment, outputs)
    return str(script)


def _import_everything() -> None:
    import duckdb

    import smelt

    # DuckDB 1.4 opens a database as soon as it is imported; its threads would be missing in a fork, and be waited for.
    if duckdb.__version__ < "2":
        duckdb.default_connection().execute("SET threads = 1")
    for module in pkgutil.walk_packages(smelt.__path__, "smelt."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("rich.box", "rich.console", "rich.live", "rich.table", "rich.text", "sqlglot"):
        importlib.import_module(name)


def _become(arguments: list[str], cwd: str, environment: dict[str, str], outputs: list[int]) -> None:
    """Be as a process that was just started."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for stream, opened in enumerate((nothing, outputs[0], outputs[-1])):
        os.dup2(opened, stream)
    for opened in (nothing, *outputs):
        os.close(opened)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv[1:] = arguments
